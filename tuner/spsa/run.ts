// A run by games. Its pairs are played in parallel in the match runner's pool, by engines that persist between games and receive their
// values before each. The journal has every game and iteration; a killed run replays it to the same values.

import { resolve } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import type { Counts } from '../../selfplay/common/game-result.js';
import type { Identity } from '../../selfplay/common/run-files.js';
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

/** State of a run; wins, losses and draws are those of the plus sides, about even without a signal. */
export interface RunState extends Counts {
  spsa: Spsa;
  games: number;
  /** Games of this session, and its seconds; all seconds of the run. */
  gamesThisSession: number;
  sessionSeconds: number;
  seconds: number;
  /** Games lost by engine failures. */
  failures: number;
}

/** A finished game with the half points of the plus side, or a finished iteration with the new values. */
type Entry = { game: number; points: number; seconds: number; failed?: true } | Applied;

interface Applied {
  iteration: number;
  score: number;
  values: number[];
}

/** Maximum number of failures reported individually. */
const TOLD_FAILURES = 5;

const SIDES = ['plus', 'minus'] as const;

/** Plays the run, or the rest of the one in its folder. Rejects with a UserError for an invalid setting or engine. */
export async function playRun(settings: RunSettings, hooks: SpsaHooks = {}): Promise<RunState> {
  const { games, out } = settings;
  const openings = await openingSource(games);
  const journal = new Journal<Entry, object>(out, identityOf(settings), 'tuning run');
  const run = new Run(settings, hooks, openings, journal);
  try {
    await run.play();
    return run.state();
  } finally {
    run.close();
  }
}

// Everything that can change the trajectory. Spall's gains depend on the number of iterations; a run by Kiiski's method can be extended.
function identityOf({ spsa, engine, games }: RunSettings): Identity {
  const { variables, iterations, method, ...rest } = spsa;
  const series = seriesIdentity({ engines: [engine], ...games });
  const tuned = variables.map((variable, i) => [`variable ${i + 1}`, variable]);
  return { ...series, method, ...(method === 'spall' && { iterations }), ...rest, ...Object.fromEntries(tuned) };
}

class Run {
  private readonly settings: RunSettings;
  private readonly hooks: SpsaHooks;
  private readonly openings: OpeningSource;
  private readonly journal: Journal<Entry, object>;
  private readonly spsa: Spsa;
  private readonly run: PooledRun<number>;
  private readonly weights: KnobWeights;
  private readonly gamesAnIteration: number;
  private readonly counts = { wins: 0, losses: 0, draws: 0, failures: 0 };
  private gamesThisSession = 0;
  /** Wins minus losses of the plus sides in the current iteration. */
  private score = 0;
  /** Applied iterations not yet written to, or confirmed by, the journal. */
  private readonly unrecorded: Applied[] = [];

  constructor(settings: RunSettings, hooks: SpsaHooks, openings: OpeningSource, journal: Journal<Entry, object>) {
    const { engine, games, out, spsa } = settings;
    this.settings = settings;
    this.hooks = hooks;
    this.openings = openings;
    this.journal = journal;
    this.spsa = new Spsa(spsa);
    this.weights = new KnobWeights(settings.tunables, resolve(out, 'weights'), spsa.seed);
    this.gamesAnIteration = 2 * spsa.pairs;
    this.run = new PooledRun({
      engines: SIDES.map((name) => ({ ...engine, spec: { ...engine.spec, name } })),
      settings: games,
      out,
      hooks,
      games: this.gamesAnIteration * spsa.iterations,
      settled: () => this.gamesAnIteration * (this.spsa.done + spsa.ahead),
      begin: (index) => this.begin(index),
      prepare: (scheduled, players) => this.prepare(scheduled, players),
      store: (scheduled, game) => this.store(scheduled, game),
      count: (points, index) => this.count(points, index),
      onGame: () => {
        this.record();
        this.weights.drop(this.spsa.done);
        hooks.onGame?.(this.state());
      },
    });
  }

  async play(): Promise<void> {
    this.journal.resume(
      () => undefined,
      (entry) => this.recall(entry),
    );
    this.record();
    await this.run.play();
  }

  close(): void {
    this.weights.drop(Number.POSITIVE_INFINITY);
    this.journal.close();
  }

  state(): RunState {
    const { spsa, counts, gamesThisSession } = this;
    const { sessionSeconds, seconds } = this.run;
    const games = counts.wins + counts.losses + counts.draws;
    return { spsa, games, gamesThisSession, sessionSeconds, seconds, ...counts };
  }

  // Games are numbered through all iterations; plus has White in the first of a pair
  private begin(index: number): ScheduledGame {
    return { index, white: index % 2, black: 1 - (index % 2), opening: this.openings.opening(index >> 1) };
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
    this.journal.append({ game: index, points, seconds, ...(offender !== undefined && { failed: true }) }, {});
    if (offender !== undefined && this.counts.failures < TOLD_FAILURES) {
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
      return;
    }
    const { out, spsa } = this.settings;
    if (entry.iteration > spsa.iterations) {
      throw new UserError(`--games: ${out} holds a longer run, of at least ${entry.iteration} iterations`, 2);
    }
    const applied = this.unrecorded.shift();
    if (JSON.stringify(entry) === JSON.stringify(applied)) return;
    throw new UserError(
      `${out}: the journal's games do not lead to its values after iteration ${entry.iteration}; choose another --out`,
    );
  }

  private tally(points: number, isFailed: boolean): void {
    this.counts[points === 2 ? 'wins' : points === 0 ? 'losses' : 'draws']++;
    if (isFailed) this.counts.failures++;
  }

  // Results are applied in the order of iterations; only the last one ends the run
  private count(points: number, index: number): boolean {
    const { spsa } = this;
    this.score += points - 1;
    if ((index + 1) % this.gamesAnIteration !== 0) return false;
    spsa.apply(this.score);
    this.unrecorded.push({ iteration: spsa.done, score: this.score, values: spsa.values });
    this.score = 0;
    return false;
  }

  private record(): void {
    for (const applied of this.unrecorded.splice(0)) this.journal.append(applied, {});
  }
}
