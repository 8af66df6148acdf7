// A run by games. Its pairs are played in the match runner's pool, several at a time, by engines that stay alive between games and get
// their values before each. The journal has every game and every iteration; a killed run reads it and comes to the same values.

import { join, resolve } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import type { Identity } from '../../selfplay/common/run-identity.js';
import { openingSource } from '../../selfplay/games/book.js';
import type { OpeningSource } from '../../selfplay/games/openings.js';
import type { PlayedGame, Player } from '../../selfplay/series/game.js';
import { GamePool, type ScheduledGame } from '../../selfplay/series/game-pool.js';
import type { GameSettings } from '../../selfplay/series/game-settings.js';
import { TRANSCRIPTS, writeTranscript } from '../../selfplay/series/incidents.js';
import { Journal } from '../../selfplay/series/journal.js';
import { PaceControl } from '../../selfplay/series/pace-control.js';
import { type Competitor, seriesIdentity } from '../../selfplay/series/series-settings.js';
import { KnobWeights } from './knob-weights.js';
import { Spsa, type SpsaSettings } from './spsa.js';
import type { Tunables } from './tunables.js';

export interface RunSettings {
  spsa: SpsaSettings;
  engine: Competitor;
  games: GameSettings;
  tunables: Tunables;
  /** Folder of the run; one in it is continued. */
  out: string;
}

export interface RunHooks {
  signal?: AbortSignal;
  onWarning?: (message: string) => void;
  /** Called after every game. */
  onGame?: (run: RunState) => void;
  /** Keys in the terminal change the pace. */
  keys?: boolean;
}

export interface RunState {
  spsa: Spsa;
  games: number;
  /** Games of this session, and its seconds; all seconds of the run. */
  gamesThisSession: number;
  sessionSeconds: number;
  seconds: number;
  /** Of the plus sides: without a signal wins and losses are even. */
  wins: number;
  losses: number;
  draws: number;
  /** Games that an engine lost by a fault. */
  failures: number;
}

/** A finished game, by the half points of the plus side; or a finished iteration with the values after it. */
type Entry = { game: number; points: number; seconds: number; failed?: true } | Applied;

interface Applied {
  iteration: number;
  score: number;
  values: number[];
}

/** Failures that are told one by one. */
const TOLD_FAILURES = 5;

const SIDES = ['plus', 'minus'] as const;

/** Plays the run, or what is left of it in its folder. Rejects with a UserError when a setting or an engine is wrong. */
export async function playRun(settings: RunSettings, hooks: RunHooks = {}): Promise<RunState> {
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

// Whatever can change the trajectory. Spall's gains depend on the number of iterations; a run of Kiiski's can be made longer.
function identityOf({ spsa, engine, games }: RunSettings): Identity {
  const { variables, iterations, method, ...rest } = spsa;
  const series = seriesIdentity({ engines: [engine], ...games });
  const tuned = variables.map((variable, i) => [`variable ${i + 1}`, variable]);
  return { ...series, method, ...(method === 'spall' && { iterations }), ...rest, ...Object.fromEntries(tuned) };
}

class Run {
  private readonly settings: RunSettings;
  private readonly hooks: RunHooks;
  private readonly openings: OpeningSource;
  private readonly journal: Journal<Entry, object>;
  private readonly spsa: Spsa;
  private readonly pool: GamePool;
  private readonly control: PaceControl;
  private readonly weights: KnobWeights;
  /** Half points of the plus side by game, of iterations not yet applied. */
  private readonly points = new Map<number, number>();
  private readonly begun = new Set<number>();
  private readonly warned = new Set<string>();
  private readonly startedAt = performance.now();
  private secondsBefore = 0;
  private readonly counts = { wins: 0, losses: 0, draws: 0, failures: 0 };
  private gamesThisSession = 0;
  /** Iterations applied that the journal does not have, or has not yet been read to confirm. */
  private readonly unrecorded: Applied[] = [];

  constructor(settings: RunSettings, hooks: RunHooks, openings: OpeningSource, journal: Journal<Entry, object>) {
    const { engine, games, out } = settings;
    this.settings = settings;
    this.hooks = hooks;
    this.openings = openings;
    this.journal = journal;
    this.spsa = new Spsa(settings.spsa);
    this.weights = new KnobWeights(settings.tunables, resolve(out, 'weights'), settings.spsa.seed);
    this.pool = new GamePool({
      settings: games,
      engines: SIDES.map((name) => ({ ...engine, spec: { ...engine.spec, name } })),
      next: () => this.next(),
      prepare: (scheduled, players) => this.prepare(scheduled, players),
      onGame: (scheduled, game) => this.take(scheduled, game),
      onFailure: ({ index }, game, failed) => {
        writeTranscript(join(out, TRANSCRIPTS, `game-${index + 1}.txt`), game, index, failed);
        if (this.counts.failures < TOLD_FAILURES) this.warn(`game ${index + 1}: ${game.reason}`);
      },
      onEngine: (_, started) => {
        for (const warning of started.warnings) this.warn(warning);
      },
      onReady: () => undefined,
      onWarning: (message) => this.warn(message),
    });
    this.control = new PaceControl(out, games.workers, {
      onPace: ({ workers, paused }) => this.pool.resize(paused ? 0 : workers),
      onUnknown: (message) => this.warn(message),
    });
  }

  async play(): Promise<void> {
    const { signal, keys } = this.hooks;
    this.journal.resume(
      () => undefined,
      (entry) => this.recall(entry),
    );
    this.record();
    if (this.spsa.isFinished || signal?.aborted === true) return;
    const stop = (): void => this.pool.stop();
    signal?.addEventListener('abort', stop);
    this.control.start(keys === true);
    try {
      await this.pool.run();
    } finally {
      this.control.stop();
      signal?.removeEventListener('abort', stop);
    }
  }

  close(): void {
    this.weights.drop(Number.POSITIVE_INFINITY);
    this.journal.close();
  }

  state(): RunState {
    const { spsa, counts, gamesThisSession } = this;
    const sessionSeconds = (performance.now() - this.startedAt) / 1000;
    const games = counts.wins + counts.losses + counts.draws;
    return { spsa, games, gamesThisSession, sessionSeconds, seconds: this.secondsBefore + sessionSeconds, ...counts };
  }

  private get gamesAnIteration(): number {
    return 2 * this.settings.spsa.pairs;
  }

  // Games are numbered through all iterations; plus has White in the first of a pair
  private place(index: number): { k: number; pair: number; isReversed: boolean } {
    const k = 1 + Math.floor(index / this.gamesAnIteration);
    return { k, pair: Math.floor((index % this.gamesAnIteration) / 2), isReversed: index % 2 === 1 };
  }

  private next(): ScheduledGame | null | 'later' {
    const { spsa } = this;
    let index = spsa.done * this.gamesAnIteration;
    while (this.begun.has(index) || this.points.has(index)) index++;
    const { k, isReversed } = this.place(index);
    if (k > spsa.settings.iterations) return null;
    if (!spsa.canPlay(k)) return 'later';
    this.begun.add(index);
    return { index, white: isReversed ? 1 : 0, black: isReversed ? 0 : 1, opening: this.openings.opening(index >> 1) };
  }

  private prepare({ index, white, black }: ScheduledGame, players: Player[]): void {
    const { spsa, settings } = this;
    const { tunables } = settings;
    const { k, pair } = this.place(index);
    const sides = spsa.sides(k, pair);
    for (const [i, engine] of [white, black].entries()) {
      const side = SIDES[engine];
      const options = tunables.options(sides[side]);
      if (tunables.hasKnobs) options['EvalFile'] = this.weights.fileOf(k, pair, side, sides[side]);
      for (const [name, value] of Object.entries(options)) players[i].engine.setOption(name, value);
    }
  }

  private take({ index, white }: ScheduledGame, { result, offender }: PlayedGame): void {
    const points = 2 * (white === 0 ? result : 1 - result);
    const seconds = Math.round(100 * this.state().seconds) / 100;
    this.journal.append({ game: index, points, seconds, ...(offender !== undefined && { failed: true }) }, {});
    if (offender !== undefined) this.counts.failures++;
    this.begun.delete(index);
    this.gamesThisSession++;
    this.add(index, points);
    this.record();
    this.weights.drop(this.spsa.done);
    this.hooks.onGame?.(this.state());
  }

  private recall(entry: Entry): void {
    if ('game' in entry) {
      this.secondsBefore = entry.seconds;
      if (entry.failed === true) this.counts.failures++;
      this.add(entry.game, entry.points);
      return;
    }
    const { out, spsa } = this.settings;
    if (entry.iteration > spsa.iterations) {
      throw new UserError(`--games: ${out} holds a longer run, of ${entry.iteration} iterations at least`, 2);
    }
    const applied = this.unrecorded.shift();
    if (JSON.stringify(entry) === JSON.stringify(applied)) return;
    throw new UserError(
      `${out}: the journal's games do not lead to its values after iteration ${entry.iteration}; choose another --out`,
    );
  }

  private add(index: number, points: number): void {
    this.points.set(index, points);
    const { counts, spsa } = this;
    counts[points === 2 ? 'wins' : points === 0 ? 'losses' : 'draws']++;
    for (;;) {
      const from = spsa.done * this.gamesAnIteration;
      const games = Array.from({ length: this.gamesAnIteration }, (_, i) => from + i);
      if (spsa.isFinished || !games.every((game) => this.points.has(game))) return;
      const score = games.reduce((sum, game) => sum + (this.points.get(game) as number) - 1, 0);
      spsa.apply(score);
      this.unrecorded.push({ iteration: spsa.done, score, values: spsa.values });
      for (const game of games) this.points.delete(game);
    }
  }

  private record(): void {
    for (const applied of this.unrecorded.splice(0)) this.journal.append(applied, {});
  }

  private warn(message: string): void {
    if (!this.warned.has(message)) this.hooks.onWarning?.(message);
    this.warned.add(message);
  }
}
