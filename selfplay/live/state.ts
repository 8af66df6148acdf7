// The state of the live page, built from the series' events: figures over time, recent games, failures, boards.

import type { CountedGame, SeriesEvent } from '../series/events.js';
import type { SeriesStatistics } from '../statistics/types.js';
import { LiveBoard } from './running-board.js';

const MAX_BOARDS = 16;
/** Maximum points of a chart, but at least MIN_POINTS per line. Drawing a chart delays the reading of the engines' moves. */
const MAX_POINTS = 1200;
const MIN_POINTS = 40;
const RECENT_GAMES = 40;

/** Description of a run before its start. */
export interface RunDescription {
  /** For example `SPRT [0, 5], at most 1000 games`. */
  title: string;
  /** Limits and options of each engine. */
  engines: string[];
  gamesToPlay: number;
  folder: string;
  chess960: boolean;
  /** Number of parallel games. */
  workers: number;
}

/** The figures after a number of games: LLR, and Elo and error of each engine (in a match, of the first engine only). */
export interface PathPoint {
  games: number;
  llr: number | null;
  elo: number[];
  error: number[];
}

export class PageState {
  readonly path: PathPoint[] = [];
  readonly recent: CountedGame[] = [];
  /** Number of failures of each kind, and the last game with one. */
  readonly failures = new Map<string, { times: number; game: number }>();
  names: string[] = [];
  workers: number;
  paused = false;
  gamesPlayed = 0;
  /** End of the run, or null while it runs. */
  end: string | null = null;
  private readonly boards: LiveBoard[] = [];
  private readonly startedAt = performance.now();
  private gamesHere = 0;
  private stride = 1;
  private pairs = 0;
  private latest: (() => SeriesStatistics) | null = null;

  constructor(readonly description: RunDescription) {
    this.workers = description.workers;
  }

  get figures(): SeriesStatistics | null {
    return this.latest?.() ?? null;
  }

  get gamesPerHour(): number {
    return Math.round((3_600_000 * this.gamesHere) / (performance.now() - this.startedAt));
  }

  take(event: SeriesEvent): void {
    if (event.type === 'engines') this.names = event.engines;
    else if (event.type === 'begin') this.show(new LiveBoard(event, this.description.chess960));
    else if (event.type === 'move') this.board(event.index)?.add(event);
    else if (event.type === 'end') this.finishGame(event);
    else if (event.type === 'game') this.count(event);
    else if (event.type === 'pair') this.measure(event.figures);
    else if (event.type === 'pace') [this.workers, this.paused] = [event.workers, event.paused];
  }

  /** Returns the boards in display order, with all moves played. Overwrites the engine's position. */
  currentBoards(): readonly LiveBoard[] {
    for (const board of this.boards) board.refresh();
    return this.boards;
  }

  private board(index: number): LiveBoard | undefined {
    return this.boards.find(({ begin }) => begin.index === index);
  }

  // A new game takes the place of a finished game, or of its own earlier attempt, so the other boards stay in place
  private show(board: LiveBoard): void {
    const own = this.boards.findIndex(({ begin }) => begin.index === board.begin.index);
    const place = own >= 0 ? own : this.boards.findIndex(({ end }) => end !== null);
    if (place >= 0) this.boards[place] = board;
    else if (this.boards.length < MAX_BOARDS) this.boards.push(board);
  }

  private finishGame({ index, result, reason }: Extract<SeriesEvent, { type: 'end' }>): void {
    this.board(index)?.finish(result, reason);
    this.gamesHere++;
  }

  private count(counted: CountedGame): void {
    const { index, white, black, game } = counted;
    const { offender, termination } = game;
    this.gamesPlayed++;
    this.recent.unshift(counted);
    this.recent.length = Math.min(this.recent.length, RECENT_GAMES);
    if (offender === undefined) return;
    const what = `${offender === 0 ? white : black}: ${termination}`;
    this.failures.set(what, { times: (this.failures.get(what)?.times ?? 0) + 1, game: index + 1 });
  }

  // If there are many points, only every second, fourth, … point is kept
  private measure(figures: () => SeriesStatistics): void {
    this.latest = figures;
    this.pairs++;
    if (this.pairs % this.stride === 0) this.path.push(pointOf(figures(), this.names));
    const { length } = this.description.engines;
    if (this.path.length <= Math.max(MIN_POINTS, MAX_POINTS / length)) return;
    this.stride *= 2;
    this.path.splice(0, this.path.length, ...this.path.filter((_, i) => i % 2 === 1));
  }
}

function pointOf(figures: SeriesStatistics, names: readonly string[]): PathPoint {
  const { games } = figures;
  if ('llr' in figures) return { games, llr: figures.llr, elo: [figures.elo], error: [figures.eloError] };
  const standings = names.map((name) => figures.standings.find(({ engine }) => engine === name));
  return {
    games,
    llr: null,
    elo: standings.map((standing) => standing?.elo ?? 0),
    error: standings.map((standing) => standing?.eloError ?? 0),
  };
}
