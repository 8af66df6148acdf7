// The state that the live page shows, built from the series' events: the run (statistics, their history, recent games) and the
// boards. Each message holds the whole state, so a page that connects late needs no earlier message.

import { resultText } from '../common/game-result.js';
import type { SeriesEvent } from '../series/series-events.js';
import type { SeriesStatistics } from '../statistics/types.js';
import { LiveBoard } from './live-board.js';
import type { BoardView, FinishedGame, PathPoint, RunDescription, RunView } from './views.js';

const MAX_BOARDS = 16;
const MAX_POINTS = 600;
const RECENT_GAMES = 40;

export class PageState {
  private readonly description: RunDescription;
  private readonly boards: LiveBoard[] = [];
  private readonly path: PathPoint[] = [];
  private readonly recent: FinishedGame[] = [];
  private readonly failures = new Map<string, RunView['failures'][number]>();
  private names: string[] = [];
  private figures: SeriesStatistics | null = null;
  private workers: number;
  private paused = false;
  private gamesPlayed = 0;
  private readonly startedAt = performance.now();
  private gamesHere = 0;
  private end: string | null = null;
  private stride = 1;
  private pairs = 0;

  constructor(description: RunDescription) {
    this.description = description;
    this.workers = description.workers;
  }

  take(event: SeriesEvent): void {
    if (event.type === 'engines') this.names = event.engines;
    else if (event.type === 'begin') this.seat(new LiveBoard(event, this.description.chess960));
    else if (event.type === 'move') this.board(event.index)?.add(event);
    else if (event.type === 'end') this.finishGame(event);
    else if (event.type === 'game') this.count(event);
    else if (event.type === 'pair') this.measure(event.figures);
    else if (event.type === 'pace') [this.workers, this.paused] = [event.workers, event.paused];
  }

  /** Says how the run ended. */
  finish(end: string): void {
    this.end = end;
  }

  /** Returns the boards in their places. Uses the engine's position. */
  boardViews(): BoardView[] {
    return this.boards.map((board) => board.view());
  }

  runView(): RunView {
    const hours = (performance.now() - this.startedAt) / 3_600_000;
    const { names, figures, path, recent, workers, paused, end, gamesPlayed } = this;
    return {
      ...this.description,
      ...{ names, gamesPlayed, gamesPerHour: Math.round(this.gamesHere / hours), figures, path, recent },
      ...{ failures: [...this.failures.values()], workers, paused, end },
    };
  }

  private board(index: number): LiveBoard | undefined {
    return this.boards.find((board) => board.index === index);
  }

  // A new game takes the place of one that is over, so that boards do not wander
  private seat(board: LiveBoard): void {
    const place = this.boards.findIndex(({ isOver }) => isOver);
    if (place >= 0) this.boards[place] = board;
    else if (this.boards.length < MAX_BOARDS) this.boards.push(board);
  }

  private finishGame({ index, result, reason }: Extract<SeriesEvent, { type: 'end' }>): void {
    this.board(index)?.finish(result, reason);
    this.gamesHere++;
  }

  private count({ index, white, black, game }: Extract<SeriesEvent, { type: 'game' }>): void {
    const { reason, moves, result, offender, termination } = game;
    this.gamesPlayed++;
    this.recent.unshift({ game: index + 1, white, black, result: resultText(result), reason, plies: moves.length });
    this.recent.length = Math.min(this.recent.length, RECENT_GAMES);
    if (offender === undefined) return;
    const what = `${offender === 0 ? white : black}: ${termination}`;
    const failure = this.failures.get(what) ?? { what, times: 0, game: 0 };
    this.failures.set(what, { what, times: failure.times + 1, game: index + 1 });
  }

  private measure(figures: SeriesStatistics): void {
    this.figures = figures;
    this.pairs++;
    if (this.pairs % this.stride === 0) this.path.push(pointOf(figures, this.names));
    if (this.path.length <= MAX_POINTS) return;
    this.stride *= 2;
    this.path.splice(0, this.path.length, ...this.path.filter((_, i) => i % 2 === 1));
  }
}

function pointOf(figures: SeriesStatistics, names: readonly string[]): PathPoint {
  const { games } = figures;
  if ('llr' in figures) return { games, llr: figures.llr, elo: [figures.elo], error: [figures.eloError] };
  const standings = names.map((name) => figures.standings.find(({ engine }) => engine === name));
  return {
    ...{ games, llr: null },
    elo: standings.map((standing) => standing?.elo ?? 0),
    error: standings.map((standing) => standing?.eloError ?? 0),
  };
}
