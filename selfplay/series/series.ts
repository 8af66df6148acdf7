// A series of scheduled games (a match or a tournament): games are played in parallel, stored in the journal, and counted in the schedule's
// order. The result depends only on the games, not on the number of workers or on interruptions.

import { basename, join } from 'node:path';
import { writeSummary } from '../common/files.js';
import { type Identity, refuseOtherRun } from '../common/run-files.js';
import { TrafficLog } from '../engines/transcript.js';
import type { UciEngine } from '../engines/uci-engine.js';
import { openingSource } from '../games/book.js';
import type { OpeningSource } from '../games/openings.js';
import { pgnDate } from '../records/pgn.js';
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
  /** Called after every finished game. `games` is the number of games in counted pairs; `result` computes the figures. */
  onProgress?: (result: () => SeriesSummary & Figures, games: number) => void;
  /** Called with every event. Moves are included if `wantsMoves` is set or an event file contains them. */
  onEvent?: (event: SeriesEvent) => void;
  wantsMoves?: boolean;
}

export interface Schedule {
  games: number;
  at(index: number): Pairing;
  /** Returns the number of games scheduled so far, if later ones depend on results; default: all. */
  settled?(): number;
  /** Receives White's score of the next game in order, if later pairings depend on it. */
  count?(whiteScore: number, pairing: Pairing, index: number): void;
}

export interface SeriesSummary {
  engines: string[];
  failures: GameFailure[];
  /** Games by ending, and misbehaviour that lost no game. */
  endings: Record<string, number>;
  remarks: Remark[];
  repeatedPairs: number;
  /** Whether the series is complete; otherwise it can be continued. */
  finished: boolean;
  /** Wall-clock seconds, not counting interruptions. */
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

export interface SeriesScore<Figures extends SeriesStatistics> {
  /** Counts the next pair in order. Returns true if the series is decided, so later games do not count. */
  count(pair: readonly [CountedGame, CountedGame]): boolean;
  /** Returns the result of the counted games; slow with many engines. */
  figures(names: string[]): Figures;
}

const repetition = (index: number): string =>
  `games ${index} and ${index + 1} repeat earlier games move for move, so the error is understated; use a larger book, or without one a larger --plies`;

type EndedGame = Pick<CountedGame, 'game' | 'seconds'>;

/** Plays the series, or the rest of the one in its folder. Returns its result. Throws a UserError for invalid settings or engines. */
export async function runSeries<Figures extends SeriesStatistics>(
  options: SeriesOptions<Figures>,
): Promise<SeriesSummary & Figures> {
  return new RunningSeries(options, await openingSource(options.settings)).play();
}

class RunningSeries<Figures extends SeriesStatistics> {
  private readonly files: SeriesFiles;
  private readonly log: TrafficLog | undefined;
  private readonly journal: Journal | null;
  private readonly run: PooledRun<EndedGame>;
  private readonly incidents = new Incidents();
  /** Provisional until the engines have started or the journal has been read. */
  private head: RunHead;
  private nodes = 0;
  /** Number of games in counted pairs. */
  private pairedGames = 0;
  private firstOfPair: CountedGame | null = null;

  constructor(
    private readonly options: SeriesOptions<Figures>,
    private readonly openingOf: OpeningSource,
  ) {
    const { settings, schedule, identity, hooks } = options;
    const { engines, out, log } = settings;
    const processors = settings.affinity === true && { processors: processorsOf(settings) };
    this.files = new SeriesFiles(settings, schedule.games);
    this.log = log === undefined ? undefined : new TrafficLog(log, (message) => hooks.onWarning?.(message));
    this.journal = out === undefined ? null : new Journal(out, { ...seriesIdentity(settings), ...identity });
    const names = uniqueNames(engines.map(({ spec }) => spec.name ?? basename(spec.command)));
    this.head = { names, ids: [], options: [], date: pgnDate(new Date()) };
    this.run = new PooledRun<EndedGame>({
      ...processors,
      log: this.log,
      settings,
      engines,
      out,
      hooks,
      games: schedule.games,
      settled: schedule.settled,
      begin: (index) => this.begin(index),
      store: ({ index }, game) => this.store(index, game),
      count: (ended, index) => this.count(ended, index),
      onGame: () => hooks.onProgress?.(() => this.result(), this.pairedGames),
      onEngine: (index, { name }) => this.announce({ type: 'engine', index, name }),
      onReady: (started) => this.useEngines(started),
      onPace: (pace) => this.announce({ type: 'pace', ...pace }),
      ...((hooks.wantsMoves === true || this.files.wantsMoves) && {
        onMove: ({ index }: ScheduledGame, move: LiveMove) => this.announce({ type: 'move', index, ...move }),
      }),
    });
  }

  async play(): Promise<SeriesSummary & Figures> {
    const { journal, run, files, log } = this;
    const { out } = this.options.settings;
    try {
      try {
        journal?.resume(
          (head) => this.recall(head),
          ({ index, seconds, game }) => {
            run.secondsBefore = seconds;
            run.add(index, { game, seconds });
          },
        );
        await run.play();
      } finally {
        const { finished, seconds } = this.result();
        this.announce({ type: 'done', finished, seconds, figures: this.figures() });
        files.close();
        log?.close();
      }
      const result = this.result();
      if (out !== undefined && result.finished) writeSummary(join(out, 'result.json'), result);
      return result;
    } finally {
      journal?.close();
    }
  }

  // Old journals lack the options of the engines
  private recall({ options, ...head }: RunHead): void {
    this.useHead({ ...head, options: options ?? this.options.settings.engines.map(({ spec }) => spec.options) });
  }

  private useEngines(started: readonly UciEngine[]): void {
    const names = uniqueNames(started.map(({ name }) => name));
    const ids = started.map(({ id }) => id);
    this.refuseOtherEngines(ids);
    this.useHead({ names, ids, options: started.map(({ applied }) => applied), date: this.head.date });
  }

  // A wrapper script may start another engine than at the beginning of the run
  private refuseOtherEngines(ids: readonly string[]): void {
    const { out } = this.options.settings;
    const before = this.head.ids;
    const identity = (ids: readonly string[]): Identity =>
      Object.fromEntries(ids.map((id, engine) => [`engine ${engine + 1}`, { id }]));
    if (out !== undefined && before.length > 0) refuseOtherRun(out, 'match', identity(before), identity(ids));
  }

  private useHead(head: RunHead): void {
    this.head = head;
    const { names, ...facts } = head;
    this.announce({ type: 'engines', engines: names, ...facts });
  }

  private begin(index: number): ScheduledGame {
    const pairing = this.options.schedule.at(index);
    const opening = this.openingOf(pairing.opening);
    this.announce({ type: 'begin', index, pairing, ...this.namesOf(pairing), opening });
    return { index, white: pairing.white, black: pairing.black, opening };
  }

  private store(index: number, game: PlayedGame): EndedGame {
    const { seconds } = this.run;
    this.journal?.append({ index, seconds, game }, this.head);
    if (game.offender !== undefined) this.warnOfFailure(index, game);
    this.announce({ type: 'end', index, result: game.result, reason: game.reason });
    return { game, seconds };
  }

  // The reason names the side, as in PGN; here the engine's name is more useful
  private warnOfFailure(index: number, { offender, reason }: PlayedGame): void {
    const name = this.namesOf(this.options.schedule.at(index))[offender === 0 ? 'white' : 'black'];
    this.options.hooks.onWarning?.(`game ${index + 1}: ${reason.replace(/^(White|Black)/, `${name} ($1)`)}`);
  }

  private count({ game, seconds }: EndedGame, index: number): boolean {
    const { schedule, hooks, score } = this.options;
    const pairing = schedule.at(index);
    const counted = { index, pairing, ...this.namesOf(pairing), game, seconds };
    this.nodes += game.nodes[0] + game.nodes[1];
    schedule.count?.(game.result, pairing, index);
    this.incidents.count(counted);
    this.announce({ type: 'game', ...counted });
    const first = this.firstOfPair;
    this.firstOfPair = first === null ? counted : null;
    if (first === null) return false;
    const pair: [CountedGame, CountedGame] = [first, counted];
    if (this.incidents.countPair(pair)) hooks.onWarning?.(repetition(index));
    const isDecided = score.count(pair);
    this.pairedGames += 2;
    this.announce({ type: 'pair', games: pair, figures: () => this.figures() });
    return isDecided;
  }

  private announce(event: SeriesEvent): void {
    this.files.take(event);
    this.options.hooks.onEvent?.(event);
  }

  private namesOf({ white, black }: Pairing): { white: string; black: string } {
    return { white: this.head.names[white], black: this.head.names[black] };
  }

  private figures(): Figures {
    return this.options.score.figures(this.head.names);
  }

  private result(): SeriesSummary & Figures {
    const { failures, endings, remarks, repeatedPairs } = this.incidents;
    return {
      ...this.figures(),
      engines: this.head.names,
      failures,
      endings,
      remarks,
      repeatedPairs,
      finished: this.run.isFinished,
      seconds: Math.round(100 * this.run.seconds) / 100,
      nodes: this.nodes,
    };
  }
}
