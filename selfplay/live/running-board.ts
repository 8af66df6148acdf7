// The page's view of a running game: position, moves in SAN, scores, clocks. Moves are stored and replayed only on request, because a fast
// match plays more moves than a page can show.

import { formatFen, parseFen } from '../../engine/board/fen.js';
import { makeMove } from '../../engine/board/kernel.js';
import { moveFrom, moveTo, NO_MOVE } from '../../engine/board/move.js';
import { setChess960 } from '../../engine/board/position.js';
import { formatSan, parseUciMove } from '../../engine/board/rules.js';
import { type GameResult, resultText } from '../common/game-result.js';
import { needsChess960 } from '../games/board.js';
import type { SeriesEvent } from '../series/events.js';
import type { LiveMove } from '../series/game.js';

/** Displayed moves of an expected line. */
const LINE_MOVES = 6;

type Begin = Extract<SeriesEvent, { type: 'begin' }>;

/** Displayed state of a game. Sides are [White, Black]. */
export interface BoardView {
  /** Number of the game, from 1. */
  game: number;
  round: number;
  players: [string, string];
  fen: string;
  /** From and to squares of the last move, a1 = 0; empty at the start. */
  last: number[];
  /** Moves in SAN; `firstPly` is the number of half moves before them, 0 at the standard start. */
  moves: string[];
  firstPly: number;
  /** The last mover's expected line after its move, in SAN. */
  line: string[];
  /** White-relative centipawns of the moves played, or null. */
  scores: (number | null)[];
  depth: [number, number];
  /** Nodes per second of each side's last search. */
  speed: [number, number];
  /** Milliseconds left after the last move, or null without a clock. */
  clocks: [number | null, number | null];
  /** Milliseconds since the last move. */
  waiting: number;
  /** The result, such as `1-0`, and the reason; null while the game runs. */
  end: { result: string; reason: string } | null;
}

export class LiveBoard {
  readonly index: number;
  private readonly played: Move[] = [];
  private readonly sans: string[] = [];
  private waitingMoves: string[] = [];
  private readonly scores: (number | null)[] = [];
  private readonly depth: [number, number] = [0, 0];
  private readonly speed: [number, number] = [0, 0];
  private clocks: BoardView['clocks'] = [null, null];
  private line: string[] = [];
  private end: BoardView['end'] = null;
  private movedAt = performance.now();

  constructor(
    private readonly begin: Begin,
    private readonly chess960: boolean,
  ) {
    this.index = begin.index;
  }

  get isOver(): boolean {
    return this.end !== null;
  }

  add({ move, side, score, depth, nodes, milliseconds, clocks, line = '' }: LiveMove): void {
    this.line = line.split(/\s+/).slice(1, 1 + LINE_MOVES);
    this.waitingMoves.push(move);
    this.scores.push(score);
    this.depth[side] = depth;
    this.speed[side] = milliseconds > 0 ? Math.round((1000 * nodes) / milliseconds) : 0;
    this.clocks = clocks;
    this.movedAt = performance.now();
  }

  finish(result: GameResult, reason: string): void {
    this.end = { result: resultText(result), reason };
    this.movedAt = performance.now();
  }

  /** Returns the displayed state. Overwrites the engine's position. */
  view(): BoardView {
    const { index, pairing, white, black, opening } = this.begin;
    const fen = this.catchUp();
    const line = this.expected();
    const last = this.played.at(-1);
    return {
      game: index + 1,
      round: pairing.round,
      players: [white, black],
      fen,
      last: last === undefined ? [] : [moveFrom(last), moveTo(last)],
      moves: this.sans,
      firstPly: plyOf(opening.start),
      line,
      scores: this.scores,
      depth: this.depth,
      speed: this.speed,
      clocks: this.clocks,
      end: this.end,
      waiting: Math.round(performance.now() - this.movedAt),
    };
  }

  private catchUp(): string {
    const { start, moves } = this.begin.opening;
    parseFen(start);
    setChess960(this.chess960 || needsChess960());
    if (this.played.length === 0) for (const move of moves) this.play(move);
    else for (const move of this.played) makeMove(move);
    for (const text of this.waitingMoves) {
      const move = parseUciMove(text);
      if (move === NO_MOVE) break;
      this.play(move);
    }
    this.waitingMoves = [];
    return formatFen();
  }

  // Starts from the position that catchUp() leaves on the board
  private expected(): string[] {
    const sans: string[] = [];
    for (const text of this.line) {
      const move = parseUciMove(text);
      if (move === NO_MOVE) break;
      sans.push(formatSan(move));
      makeMove(move);
    }
    return sans;
  }

  private play(move: Move): void {
    this.sans.push(formatSan(move));
    makeMove(move);
    this.played.push(move);
  }
}

export function plyOf(fen: string): number {
  const [, side, , , , move] = fen.split(' ');
  return 2 * (Number(move) - 1) + (side === 'b' ? 1 : 0);
}
