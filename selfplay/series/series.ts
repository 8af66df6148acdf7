// A series of scheduled games (a match or a tournament): played in the pool, stored in the journal, counted in the schedule's
// order. The result depends on the games only, not on the number of workers or on interruptions.

import { basename, join } from 'node:path';
import { Ordered } from '../common/ordered.js';
import type { Identity } from '../common/run-identity.js';
import type { UciEngine } from '../engines/uci-engine.js';
import { openingSource } from '../games/book.js';
import type { OpeningSource } from '../games/openings.js';
import type { SeriesStatistics } from '../statistics/types.js';
import type { LiveMove, PlayedGame } from './game.js';
import { GamePool, type ScheduledGame } from './game-pool.js';
import { type GameFailure, Incidents, type Remark, TRANSCRIPTS, writeTranscript } from './incidents.js';
import { Journal, type JournalEntry, type RunHead } from './journal.js';
import { type Pace, PaceControl } from './pace-control.js';
import type { CountedGame, Pairing, SeriesEvent } from './series-events.js';
import { SeriesFiles } from './series-files.js';
import { type SeriesSettings, seriesIdentity, uniqueNames } from './series-settings.js';

export interface SeriesHooks {
  /** Called with each problem that does not stop the series, such as an option the engine does not have. */
  onWarning?: (message: string) => void;
  /** Stops the series when aborted; it is then not `finished`. */
  signal?: AbortSignal;
  /** Told of all that happens, but of the single moves only if it wants them. */
  onEvent?: (event: SeriesEvent) => void;
  wantsMoves?: boolean;
  /** Keys in the terminal change the pace. */
  keys?: boolean;
}

export interface Schedule {
  games: number;
  at(index: number): Pairing;
  /** Games that are settled so far, where the later ones depend on results; all of them when left out. */
  settled?(): number;
}

/** What a series as a whole came to. */
export interface SeriesSummary {
  engines: string[];
  failures: GameFailure[];
  /** Games by the way they ended, and what was wrong without losing a game. */
  endings: Record<string, number>;
  remarks: Remark[];
  /** Whether the series came to its end; otherwise it was interrupted and can be continued. */
  finished: boolean;
  /** Wall-clock seconds, interruptions not counted. */
  seconds: number;
  /** Nodes searched by all engines. */
  nodes: number;
}

export interface SeriesOptions {
  settings: SeriesSettings;
  schedule: Schedule;
  /** What else two runs must share to be the same series. */
  identity: Identity;
  hooks: SeriesHooks;
  /** Counts the next game in order; returns true when the series is decided and later games do not count. */
  onCount: (game: PlayedGame, pairing: Pairing, index: number) => boolean;
  /** Returns what the counted games came to. */
  figures: (names: string[]) => SeriesStatistics;
  /** Called after each game, counted or not yet, with the series so far. */
  onGame: (summary: SeriesSummary) => void;
}

interface EndedGame {
  game: PlayedGame;
  seconds: number;
}

/** Plays the series, or what is left of it in its folder. Rejects with a UserError when a setting or an engine is wrong. */
export async function runSeries(options: SeriesOptions): Promise<SeriesSummary> {
  const { settings, identity } = options;
  const openings = await openingSource(settings);
  const whole = { ...seriesIdentity(settings), ...identity };
  const journal = settings.out === undefined ? null : new Journal(settings.out, whole);
  try {
    const series = new Series(options, openings, journal);
    await series.run();
    return series.summary();
  } finally {
    journal?.close();
  }
}

class Series {
  private readonly options: SeriesOptions;
  private readonly openings: OpeningSource;
  private readonly journal: Journal | null;
  private readonly files: SeriesFiles;
  private readonly pool: GamePool;
  private readonly played = new Set<number>();
  private readonly ordered = new Ordered<EndedGame>((ended, index) => this.count(ended, index));
  private readonly warned = new Set<string>();
  private readonly incidents = new Incidents();
  private readonly control: PaceControl;
  private readonly startedAt = performance.now();
  private date = new Date().toISOString().slice(0, 10).replaceAll('-', '.');
  private names: string[];
  private ids: string[] = [];
  private isFinished = false;
  private secondsBefore = 0;
  private nodes = 0;
  private nextIndex = 0;
  private firstOfPair: CountedGame | null = null;

  constructor(options: SeriesOptions, openings: OpeningSource, journal: Journal | null) {
    const { engines, workers, out } = options.settings;
    this.options = options;
    this.openings = openings;
    this.journal = journal;
    this.names = uniqueNames(engines.map(({ spec }) => spec.name ?? basename(spec.command)));
    this.files = new SeriesFiles(options.settings, options.schedule.games);
    this.pool = new GamePool({
      settings: options.settings,
      engines,
      next: () => this.next(),
      onGame: ({ index }, game) => this.take(index, game),
      onFailure: ({ index }, game, engine) => {
        if (out !== undefined) writeTranscript(join(out, TRANSCRIPTS, `game-${index + 1}.txt`), game, index, engine);
      },
      onWarning: (message) => options.hooks.onWarning?.(message),
      onEngine: (index, engine) => this.engineStarted(index, engine),
      onReady: (started) => {
        this.names = uniqueNames(started.map((engine) => engine.name));
        this.ids = started.map(({ id }) => id);
        this.announceEngines();
      },
      ...((options.hooks.wantsMoves === true || this.files.wantsMoves) && {
        onMove: ({ index }: ScheduledGame, move: LiveMove) => this.announce({ type: 'move', index, ...move }),
      }),
    });
    this.control = new PaceControl(out, workers, {
      onPace: (pace) => this.setPace(pace),
      onUnknown: (message) => options.hooks.onWarning?.(message),
    });
  }

  async run(): Promise<void> {
    const { signal } = this.options.hooks;
    const stop = (): void => this.pool.stop();
    try {
      this.journal?.resume(
        (head) => this.recallHead(head),
        (entry) => this.recall(entry),
      );
      signal?.addEventListener('abort', stop);
      if (this.isFinished || signal?.aborted === true) return;
      this.control.start(this.options.hooks.keys === true);
      await this.pool.run();
    } finally {
      this.control.stop();
      signal?.removeEventListener('abort', stop);
      const { finished, seconds } = this.summary();
      this.announce({ type: 'done', finished, seconds, figures: this.options.figures(this.names) });
      this.files.close();
    }
  }

  summary(): SeriesSummary {
    const { names, isFinished, nodes } = this;
    const { failures, endings, remarks } = this.incidents;
    const seconds = Math.round(100 * this.seconds()) / 100;
    return { engines: names, failures, endings, remarks, finished: isFinished, seconds, nodes };
  }

  private next(): ScheduledGame | null | 'later' {
    const { schedule } = this.options;
    while (this.played.has(this.nextIndex)) this.nextIndex++;
    if (this.nextIndex >= schedule.games) return null;
    if (schedule.settled !== undefined && this.nextIndex >= schedule.settled()) return 'later';
    const index = this.nextIndex++;
    const pairing = schedule.at(index);
    const opening = this.openings.opening(pairing.opening);
    this.announce({ type: 'begin', index, pairing, ...this.namesOf(pairing), opening });
    return { index, white: pairing.white, black: pairing.black, opening };
  }

  private setPace(pace: Pace): void {
    this.announce({ type: 'pace', ...pace });
    this.pool.resize(pace.paused ? 0 : pace.workers);
  }

  private engineStarted(index: number, engine: UciEngine): void {
    this.announce({ type: 'engine', index, name: engine.name });
    for (const warning of engine.warnings) {
      const text = `engine ${index + 1} (${engine.name}): ${warning}`;
      if (!this.warned.has(text)) this.options.hooks.onWarning?.(text);
      this.warned.add(text);
    }
  }

  private take(index: number, game: PlayedGame): void {
    const { names, ids, date } = this;
    const seconds = this.seconds();
    this.journal?.append({ index, seconds, game }, { names, ids, date });
    if (game.offender !== undefined) this.options.hooks.onWarning?.(`game ${index + 1}: ${game.reason}`);
    this.announce({ type: 'end', index, result: game.result, reason: game.reason });
    this.add(index, { game, seconds });
    this.options.onGame(this.summary());
  }

  private recallHead({ names, ids, date }: RunHead): void {
    this.names = names;
    this.ids = ids ?? names;
    this.date = date;
    this.announceEngines();
  }

  private recall({ index, seconds, game }: JournalEntry): void {
    this.secondsBefore = seconds;
    this.add(index, { game, seconds });
  }

  private add(index: number, ended: EndedGame): void {
    if (this.played.has(index)) return;
    this.played.add(index);
    this.ordered.add(index, ended);
  }

  // Called with the games in the order of their numbers; what comes after the decision does not count.
  private count({ game, seconds }: EndedGame, index: number): void {
    if (this.isFinished) return;
    const pairing = this.options.schedule.at(index);
    this.nodes += game.nodes[0] + game.nodes[1];
    this.incidents.count(game, index, [this.names[pairing.white], this.names[pairing.black]]);
    const isDecided = this.options.onCount(game, pairing, index);
    this.announceCounted({ index, pairing, ...this.namesOf(pairing), game, seconds });
    if (!isDecided && index < this.options.schedule.games - 1) return;
    this.isFinished = true;
    this.pool.stop();
  }

  private announceCounted(counted: CountedGame): void {
    const first = this.firstOfPair;
    this.firstOfPair = first === null ? counted : null;
    this.announce({ type: 'game', ...counted });
    if (first !== null)
      this.announce({ type: 'pair', games: [first, counted], figures: this.options.figures(this.names) });
  }

  private announceEngines(): void {
    const { names, ids, date } = this;
    this.announce({ type: 'engines', engines: names, ids, date });
  }

  private announce(event: SeriesEvent): void {
    this.files.take(event);
    this.options.hooks.onEvent?.(event);
  }

  private namesOf({ white, black }: Pairing): { white: string; black: string } {
    return { white: this.names[white], black: this.names[black] };
  }

  private seconds(): number {
    return this.secondsBefore + (performance.now() - this.startedAt) / 1000;
  }
}
