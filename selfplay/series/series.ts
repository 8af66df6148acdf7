// A series of scheduled games (a match or a tournament): played in the pool, stored in the journal, counted in the schedule's order. The
// result depends only on the games, not on the number of workers or on interruptions.

import { basename, join } from 'node:path';
import { writeSummary } from '../common/files.js';
import type { Identity } from '../common/run-files.js';
import { TrafficLog } from '../engines/traffic-log.js';
import { openingSource } from '../games/book.js';
import type { OpeningSource } from '../games/openings.js';
import type { SeriesStatistics } from '../statistics/types.js';
import type { CountedGame, Pairing, SeriesEvent } from './events.js';
import { SeriesFiles } from './files.js';
import type { LiveMove, PlayedGame } from './game.js';
import { processorsOf } from './game-slot.js';
import { type GameFailure, Incidents, type Remark } from './incidents.js';
import { Journal, type RunHead } from './journal.js';
import { PooledRun, type RunHooks, type ScheduledGame } from './pooled-run.js';
import { type SeriesSettings, seriesIdentity, uniqueNames } from './settings.js';

export interface SeriesHooks<Figures = SeriesStatistics> extends RunHooks {
  /** Called after every finished game. */
  onProgress?: (result: SeriesSummary & Figures) => void;
  /** Called with every event; with single moves only if `wantsMoves`. */
  onEvent?: (event: SeriesEvent) => void;
  wantsMoves?: boolean;
}

export interface Schedule {
  games: number;
  at(index: number): Pairing;
  /** Number of games scheduled so far, if later ones depend on results; default: all. */
  settled?(): number;
  /** Receives White's score of the next game in order, if later pairings depend on it. */
  count?(whiteScore: number, pairing: Pairing, index: number): void;
}

/** Result of a whole series. */
export interface SeriesSummary {
  engines: string[];
  failures: GameFailure[];
  /** Games by ending, and misbehaviour that lost no game. */
  endings: Record<string, number>;
  remarks: Remark[];
  /** Whether the series is complete; otherwise it can be continued. */
  finished: boolean;
  /** Wall-clock seconds, interruptions not counted. */
  seconds: number;
  /** Nodes searched by all engines. */
  nodes: number;
}

export interface SeriesOptions<Figures extends SeriesStatistics> {
  settings: SeriesSettings;
  schedule: Schedule;
  /** Additional identity of the series. */
  identity: Identity;
  hooks: SeriesHooks<Figures>;
  score: SeriesScore<Figures>;
}

/** Statistics of a series. */
export interface SeriesScore<Figures extends SeriesStatistics> {
  /** Counts the next game in order; returns true if the series is decided and later games do not count. */
  count(game: PlayedGame, pairing: Pairing, index: number): boolean;
  /** Returns the result of the counted games. */
  figures(names: string[]): Figures;
}

interface EndedGame {
  game: PlayedGame;
  seconds: number;
}

/** Plays the series, or the rest of the one in its folder, and returns its result; throws a UserError for wrong settings or engines. */
export async function runSeries<Figures extends SeriesStatistics>(
  options: SeriesOptions<Figures>,
): Promise<SeriesSummary & Figures> {
  const { settings, identity } = options;
  const { out } = settings;
  const openings = await openingSource(settings);
  const whole = { ...seriesIdentity(settings), ...identity };
  const journal = out === undefined ? null : new Journal(out, whole);
  try {
    const series = new Series(options, openings, journal);
    await series.play();
    const result = series.result();
    if (out !== undefined && result.finished) writeSummary(join(out, 'result.json'), result);
    return result;
  } finally {
    journal?.close();
  }
}

class Series<Figures extends SeriesStatistics> {
  private readonly options: SeriesOptions<Figures>;
  private readonly openings: OpeningSource;
  private readonly journal: Journal | null;
  private readonly files: SeriesFiles;
  private readonly run: PooledRun<EndedGame>;
  private readonly log: TrafficLog | undefined;
  private readonly incidents = new Incidents();
  private date = new Date().toISOString().slice(0, 10).replaceAll('-', '.');
  private names: string[];
  private ids: string[] = [];
  private nodes = 0;
  private firstOfPair: CountedGame | null = null;

  constructor(options: SeriesOptions<Figures>, openings: OpeningSource, journal: Journal | null) {
    const { settings, schedule, hooks } = options;
    this.options = options;
    this.openings = openings;
    this.journal = journal;
    this.names = uniqueNames(settings.engines.map(({ spec }) => spec.name ?? basename(spec.command)));
    this.files = new SeriesFiles(settings, schedule.games);
    this.log = settings.log === undefined ? undefined : new TrafficLog(settings.log);
    this.run = new PooledRun({
      ...(settings.affinity === true && { processors: processorsOf(settings) }),
      log: this.log,
      settings,
      engines: settings.engines,
      out: settings.out,
      hooks,
      games: schedule.games,
      settled: schedule.settled === undefined ? undefined : () => schedule.settled?.() ?? 0,
      begin: (index) => this.begin(index),
      store: ({ index }, game) => this.store(index, game),
      count: (ended, index) => this.count(ended, index),
      onGame: () => hooks.onProgress?.(this.result()),
      onEngine: (index, { name }) => this.announce({ type: 'engine', index, name }),
      onReady: (started) => {
        this.names = uniqueNames(started.map((engine) => engine.name));
        this.ids = started.map(({ id }) => id);
        this.announceEngines();
      },
      onPace: (pace) => this.announce({ type: 'pace', ...pace }),
      ...((hooks.wantsMoves === true || this.files.wantsMoves) && {
        onMove: ({ index }: ScheduledGame, move: LiveMove) => this.announce({ type: 'move', index, ...move }),
      }),
    });
  }

  async play(): Promise<void> {
    const { run } = this;
    try {
      this.journal?.resume(
        (head) => this.recallHead(head),
        ({ index, seconds, game }) => {
          run.secondsBefore = seconds;
          run.add(index, { game, seconds });
        },
      );
      await run.play();
    } finally {
      const { finished, seconds } = this.result();
      this.announce({ type: 'done', finished, seconds, figures: this.options.score.figures(this.names) });
      this.files.close();
      this.log?.close();
    }
  }

  result(): SeriesSummary & Figures {
    const { names, run, nodes } = this;
    const { failures, endings, remarks } = this.incidents;
    const seconds = Math.round(100 * run.seconds) / 100;
    const figures = this.options.score.figures(names);
    return { ...figures, engines: names, failures, endings, remarks, finished: run.isFinished, seconds, nodes };
  }

  private begin(index: number): ScheduledGame {
    const pairing = this.options.schedule.at(index);
    const opening = this.openings.opening(pairing.opening);
    this.announce({ type: 'begin', index, pairing, ...this.namesOf(pairing), opening });
    return { index, white: pairing.white, black: pairing.black, opening };
  }

  private store(index: number, game: PlayedGame): EndedGame {
    const { names, ids, date } = this;
    const { seconds } = this.run;
    this.journal?.append({ index, seconds, game }, { names, ids, date });
    this.warn(index, game);
    this.announce({ type: 'end', index, result: game.result, reason: game.reason });
    return { game, seconds };
  }

  // The reason names the side, as in PGN; here the engine's name is more useful
  private warn(index: number, { offender, reason }: PlayedGame): void {
    if (offender === undefined) return;
    const { white, black } = this.namesOf(this.options.schedule.at(index));
    const name = offender === 0 ? white : black;
    this.options.hooks.onWarning?.(`game ${index + 1}: ${reason.replace(/^(White|Black)/, `${name} ($1)`)}`);
  }

  private recallHead({ names, ids, date }: RunHead): void {
    this.names = names;
    this.ids = ids ?? names;
    this.date = date;
    this.announceEngines();
  }

  private count({ game, seconds }: EndedGame, index: number): boolean {
    const pairing = this.options.schedule.at(index);
    this.nodes += game.nodes[0] + game.nodes[1];
    this.incidents.count(game, index, [this.names[pairing.white], this.names[pairing.black]]);
    const isDecided = this.options.score.count(game, pairing, index);
    const counted = { index, pairing, ...this.namesOf(pairing), game, seconds };
    this.announce({ type: 'game', ...counted });
    const first = this.firstOfPair;
    this.firstOfPair = first === null ? counted : null;
    if (first !== null) {
      const figures = this.options.score.figures(this.names);
      this.announce({ type: 'pair', games: [first, counted], figures });
    }
    return isDecided;
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
}
