// Plays a run of SPSA. The match runner's pool plays its pairs in parallel. The engines keep running between games and receive new values
// before each game. The journal contains every game and iteration. A continued run replays the journal and therefore reaches the same
// values.

import { resolve } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import type { Counts } from '../../selfplay/common/game-result.js';
import { type Identity, refuseOtherRun } from '../../selfplay/common/run-files.js';
import { openingSource } from '../../selfplay/games/book.js';
import type { OpeningSource } from '../../selfplay/games/openings.js';
import type { PlayedGame, Player } from '../../selfplay/series/game.js';
import type { GameSettings } from '../../selfplay/series/game-settings.js';
import { Journal } from '../../selfplay/series/journal.js';
import { PooledRun, type RunHooks, type ScheduledGame } from '../../selfplay/series/pooled-run.js';
import { type Competitor, seriesIdentity } from '../../selfplay/series/settings.js';
import { KnobWeights } from './knob-weights.js';
import { Spsa, type SpsaSettings } from './spsa.js';
import type { Tunables } from './tunables.js';

export interface RunSettings {
  spsa: SpsaSettings;
  engine: Competitor;
  games: GameSettings;
  tunables: Tunables;
  /** Folder of the run; an existing run is continued. */
  out: string;
}

export interface SpsaHooks extends RunHooks {
  /** Called after every game. */
  onGame?: (run: RunState) => void;
}

/** State of a run. Wins, losses and draws are counted for the plus sides. Without a signal, wins and losses are about equal. */
export interface RunState extends Counts {
  spsa: Spsa;
  games: number;
  /** Games and seconds since the run was last started or continued, and the seconds of the whole run. */
  gamesThisSession: number;
  sessionSeconds: number;
  seconds: number;
  /** Games lost through engine failures. */
  failures: number;
}

/** A finished game with the half points of the plus side, or a finished iteration with the new values. */
type Entry = { game: number; points: number; seconds: number; failed?: true } | Applied;

interface Applied {
  iteration: number;
  score: number;
  values: number[];
}

/** Facts fixed by the first game: the engine's name from `id name`. */
interface Head {
  id?: string;
}

const KIND = 'tuning run';

/** Maximum number of failures reported individually. */
const MAX_REPORTED = 5;

const SIDES = ['plus', 'minus'] as const;

// Returns everything that can change the trajectory. Spall's gains depend on the number of iterations. A run by Kiiski's method can be
// extended
function identityOf({ spsa, engine, games }: RunSettings): Identity {
  const { variables, iterations, method, ...rest } = spsa;
  const series = seriesIdentity({ engines: [engine], ...games });
  const tuned = variables.map((variable, i) => [`variable ${i + 1}`, variable]);
  return { ...series, method, ...(method === 'spall' && { iterations }), ...rest, ...Object.fromEntries(tuned) };
}

/**
 * Plays the run, or continues the run in its folder. No game of an iteration after `until` begins, so the caller must stop the run by the
 * signal. Rejects with a UserError for an invalid setting or engine.
 */
export async function playRun(
  settings: RunSettings,
  hooks: SpsaHooks = {},
  until = Number.POSITIVE_INFINITY,
): Promise<RunState> {
  return new SpsaRun(settings, hooks, until, await openingSource(settings.games)).play();
}

class SpsaRun {
  private readonly spsa: Spsa;
  private readonly weights: KnobWeights;
  private readonly journal: Journal<Entry, Head>;
  private readonly run: PooledRun<number>;
  private readonly gamesAnIteration: number;
  private readonly counts = { wins: 0, losses: 0, draws: 0, failures: 0 };
  private head: Head = {};
  private gamesThisSession = 0;
  /** Wins minus losses of the plus sides in the current iteration. */
  private score = 0;
  /** Applied iterations that have not yet been written to the journal, or compared with it. */
  private unrecorded: Applied[] = [];

  constructor(
    private readonly settings: RunSettings,
    private readonly hooks: SpsaHooks,
    private readonly until: number,
    private readonly openings: OpeningSource,
  ) {
    const { engine, games, tunables, out } = settings;
    const { pairs, seed, iterations, ahead } = settings.spsa;
    this.journal = new Journal(out, identityOf(settings), KIND);
    this.spsa = new Spsa(settings.spsa);
    this.weights = new KnobWeights(tunables, resolve(out, 'weights'), seed);
    this.gamesAnIteration = 2 * pairs;
    this.run = new PooledRun<number>({
      engines: SIDES.map((name) => ({ ...engine, spec: { ...engine.spec, name } })),
      settings: games,
      out,
      hooks,
      games: this.gamesAnIteration * iterations,
      settled: () => this.gamesAnIteration * Math.min(this.spsa.done + ahead, until),
      begin: (index) => this.begin(index),
      prepare: (scheduled, players) => this.prepare(scheduled, players),
      store: (scheduled, game) => this.store(scheduled, game),
      count: (points, index) => this.count(points, index),
      onReady: ([{ id }]) => this.useEngine(id),
      onGame: () => {
        this.record();
        this.weights.drop(this.spsa.done);
        hooks.onGame?.(this.state());
      },
    });
  }

  async play(): Promise<RunState> {
    try {
      this.journal.resume(
        (head) => {
          this.head = head;
        },
        (entry) => this.recall(entry),
      );
      this.record();
      if (this.spsa.done < this.until) await this.run.play();
      return this.state();
    } finally {
      this.weights.clear();
      this.journal.close();
    }
  }

  private state(): RunState {
    const { spsa, gamesThisSession, counts } = this;
    const { sessionSeconds, seconds } = this.run;
    const games = counts.wins + counts.losses + counts.draws;
    return { spsa, games, gamesThisSession, sessionSeconds, seconds, ...counts };
  }

  // A wrapper script may start another engine than at the beginning of the run. Old journals lack the name
  private useEngine(id: string): void {
    if (this.head.id !== undefined) refuseOtherRun(this.settings.out, KIND, { engine: this.head.id }, { engine: id });
    this.head = { id };
  }

  // Games are numbered consecutively across iterations. The plus side has White in the first game of a pair
  private begin(index: number): ScheduledGame {
    return { index, white: index % 2, black: 1 - (index % 2), opening: this.openings(index >> 1) };
  }

  private prepare({ index, white, black }: ScheduledGame, players: Player[]): void {
    const { tunables } = this.settings;
    const k = 1 + Math.floor(index / this.gamesAnIteration);
    const pair = (index % this.gamesAnIteration) >> 1;
    const sides = this.spsa.sides(k, pair);
    for (const [i, engine] of [white, black].entries()) {
      const side = SIDES[engine];
      const options = tunables.options(sides[side]);
      if (tunables.hasKnobs) options['EvalFile'] = this.weights.fileOf(k, pair, side, sides[side]);
      for (const [name, value] of Object.entries(options)) players[i].engine.setOption(name, value);
    }
  }

  private store({ index, white }: ScheduledGame, { result, offender, reason }: PlayedGame): number {
    const points = 2 * (white === 0 ? result : 1 - result);
    const seconds = Math.round(100 * this.run.seconds) / 100;
    this.journal.append({ game: index, points, seconds, ...(offender !== undefined && { failed: true }) }, this.head);
    if (offender !== undefined && this.counts.failures < MAX_REPORTED) {
      this.hooks.onWarning?.(`game ${index + 1}: ${reason}`);
    }
    this.gamesThisSession++;
    this.tally(points, offender !== undefined);
    return points;
  }

  private recall(entry: Entry): void {
    if ('game' in entry) {
      this.run.secondsBefore = entry.seconds;
      this.tally(entry.points, entry.failed === true);
      this.run.add(entry.game, entry.points);
    } else this.verify(entry);
  }

  private verify(entry: Applied): void {
    const { out, spsa } = this.settings;
    if (entry.iteration > spsa.iterations) {
      throw new UserError(
        `--games: ${out} holds a longer run, of at least ${entry.iteration} iterations; raise --games, or choose another --out`,
        2,
      );
    }
    const applied = this.unrecorded.shift();
    if (JSON.stringify(entry) === JSON.stringify(applied)) return;
    throw new UserError(
      `${out}: the games in the journal do not reproduce the values recorded after iteration ${entry.iteration}; choose another --out`,
    );
  }

  private tally(points: number, isFailed: boolean): void {
    this.counts[points === 2 ? 'wins' : points === 0 ? 'losses' : 'draws']++;
    if (isFailed) this.counts.failures++;
  }

  // Results are applied in the order of the iterations. None of them ends the run early
  private count(points: number, index: number): boolean {
    this.score += points - 1;
    if ((index + 1) % this.gamesAnIteration !== 0) return false;
    this.spsa.apply(this.score);
    this.unrecorded.push({ iteration: this.spsa.done, score: this.score, values: this.spsa.values });
    this.score = 0;
    return false;
  }

  private record(): void {
    for (const applied of this.unrecorded.splice(0)) this.journal.append(applied, this.head);
  }
}
