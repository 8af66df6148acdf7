// A series of scheduled games (a match or a tournament): games are played in parallel, stored in the journal, and counted in the schedule's
// order. The result depends only on the games, not on the number of workers or on interruptions.

import { basename, join } from 'node:path';
import { writeSummary } from '../common/files.js';
import { type Identity, refuseOtherRun } from '../common/run-files.js';
import { TrafficLog } from '../engines/transcript.js';
import { openingSource } from '../games/book.js';
import { pgnDate } from '../records/pgn.js';
import type { SeriesStatistics } from '../statistics/types.js';
import type { CountedGame, OptionsSet, Pairing, SeriesEvent } from './events.js';
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

/** Result of a whole series. */
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

/** Statistics of a series. */
export interface SeriesScore<Figures extends SeriesStatistics> {
  /** Counts the next pair in order. Returns true if the series is decided, so later games do not count. */
  count(pair: readonly [CountedGame, CountedGame]): boolean;
  /** Returns the result of the counted games; slow with many engines. */
  figures(names: string[]): Figures;
}

const repetition = (index: number): string =>
  `games ${index} and ${index + 1} repeat earlier games move for move, so the error is understated; use a larger book, or without one a larger --plies`;

const idsOf = (ids: readonly string[]): Identity =>
  Object.fromEntries(ids.map((id, engine) => [`engine ${engine + 1}`, { id }]));

type EndedGame = Pick<CountedGame, 'game' | 'seconds'>;

/** Plays the series, or the rest of the one in its folder. Returns its result. Throws a UserError for invalid settings or engines. */
export async function runSeries<Figures extends SeriesStatistics>(
  options: SeriesOptions<Figures>,
): Promise<SeriesSummary & Figures> {
  const { settings, schedule, identity, hooks, score } = options;
  const { engines, out } = settings;
  const openingOf = await openingSource(settings);
  const processors = settings.affinity === true && { processors: processorsOf(settings) };
  const files = new SeriesFiles(settings, schedule.games);
  const log =
    settings.log === undefined ? undefined : new TrafficLog(settings.log, (message) => hooks.onWarning?.(message));
  const journal = out === undefined ? null : new Journal(out, { ...seriesIdentity(settings), ...identity });
  const incidents = new Incidents();
  let date = pgnDate(new Date());
  let names = uniqueNames(engines.map(({ spec }) => spec.name ?? basename(spec.command)));
  let ids: string[] = [];
  let applied: OptionsSet[] = [];
  let nodes = 0;
  let games = 0;
  let firstOfPair: CountedGame | null = null;
  const run = new PooledRun<EndedGame>({
    ...processors,
    log,
    settings,
    engines,
    out,
    hooks,
    games: schedule.games,
    settled: schedule.settled,
    begin,
    store: ({ index }, game) => store(index, game),
    count,
    onGame: () => hooks.onProgress?.(result, games),
    onEngine: (index, { name }) => announce({ type: 'engine', index, name }),
    onReady: (started) => {
      names = uniqueNames(started.map((engine) => engine.name));
      const before = ids;
      ids = started.map(({ id }) => id);
      // A wrapper script may start another engine than at the beginning of the run
      if (out !== undefined && before.length > 0) refuseOtherRun(out, 'match', idsOf(before), idsOf(ids));
      applied = started.map((engine) => engine.applied);
      announceEngines();
    },
    onPace: (pace) => announce({ type: 'pace', ...pace }),
    ...((hooks.wantsMoves === true || files.wantsMoves) && {
      onMove: ({ index }: ScheduledGame, move: LiveMove) => announce({ type: 'move', index, ...move }),
    }),
  });

  try {
    try {
      journal?.resume(recallHead, ({ index, seconds, game }) => {
        run.secondsBefore = seconds;
        run.add(index, { game, seconds });
      });
      await run.play();
    } finally {
      const { finished, seconds } = result();
      announce({ type: 'done', finished, seconds, figures: score.figures(names) });
      files.close();
      log?.close();
    }
    const whole = result();
    if (out !== undefined && whole.finished) writeSummary(join(out, 'result.json'), whole);
    return whole;
  } finally {
    journal?.close();
  }

  function result(): SeriesSummary & Figures {
    const { failures, endings, remarks, repeatedPairs } = incidents;
    const seconds = Math.round(100 * run.seconds) / 100;
    const figures = score.figures(names);
    return {
      ...figures,
      engines: names,
      failures,
      endings,
      remarks,
      repeatedPairs,
      finished: run.isFinished,
      seconds,
      nodes,
    };
  }

  function begin(index: number): ScheduledGame {
    const pairing = schedule.at(index);
    const opening = openingOf(pairing.opening);
    announce({ type: 'begin', index, pairing, ...namesOf(pairing), opening });
    return { index, white: pairing.white, black: pairing.black, opening };
  }

  function store(index: number, game: PlayedGame): EndedGame {
    const { seconds } = run;
    journal?.append({ index, seconds, game }, { names, ids, options: applied, date });
    warn(index, game);
    announce({ type: 'end', index, result: game.result, reason: game.reason });
    return { game, seconds };
  }

  // The reason names the side, as in PGN; here the engine's name is more useful
  function warn(index: number, { offender, reason }: PlayedGame): void {
    if (offender === undefined) return;
    const { white, black } = namesOf(schedule.at(index));
    const name = offender === 0 ? white : black;
    hooks.onWarning?.(`game ${index + 1}: ${reason.replace(/^(White|Black)/, `${name} ($1)`)}`);
  }

  function recallHead(head: RunHead): void {
    names = head.names;
    ids = head.ids;
    applied = head.options ?? engines.map(({ spec }) => spec.options);
    date = head.date;
    announceEngines();
  }

  function count({ game, seconds }: EndedGame, index: number): boolean {
    const pairing = schedule.at(index);
    nodes += game.nodes[0] + game.nodes[1];
    schedule.count?.(game.result, pairing, index);
    const counted = { index, pairing, ...namesOf(pairing), game, seconds };
    incidents.count(counted);
    announce({ type: 'game', ...counted });
    const first = firstOfPair;
    firstOfPair = first === null ? counted : null;
    if (first === null) return false;
    if (incidents.countPair([first, counted])) hooks.onWarning?.(repetition(index));
    const isDecided = score.count([first, counted]);
    games += 2;
    announce({ type: 'pair', games: [first, counted], figures: () => score.figures(names) });
    return isDecided;
  }

  function announceEngines(): void {
    announce({ type: 'engines', engines: names, ids, options: applied, date });
  }

  function announce(event: SeriesEvent): void {
    files.take(event);
    hooks.onEvent?.(event);
  }

  function namesOf({ white, black }: Pairing): { white: string; black: string } {
    return { white: names[white], black: names[black] };
  }
}
