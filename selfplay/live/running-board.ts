// LiveBoard: the page's view of a running game, with position, moves in SAN, scores and clocks. Moves are stored on arrival but played on
// the board only on request, because a fast match plays more moves than a page can show.

import { formatFen, parseFen } from '../../engine/board/fen.js';
import { makeMove } from '../../engine/board/kernel.js';
import { moveFrom, moveTo, NO_MOVE } from '../../engine/board/move.js';
import { setChess960 } from '../../engine/board/position.js';
import { formatSan, parseUciMove } from '../../engine/board/rules.js';
import { type GameResult, resultText } from '../common/game-result.js';
import { needsChess960 } from '../games/board.js';
import type { SeriesEvent } from '../series/events.js';
import type { LiveMove } from '../series/game.js';

/** Maximum number of displayed moves of a principal variation. */
const LINE_MOVES = 6;

type Begin = Extract<SeriesEvent, { type: 'begin' }>;

/** The displayed state of a game. `refresh` updates position, moves and line. Pairs are [White, Black]. */
export class LiveBoard {
  fen = '';
  /** Moves in SAN. */
  readonly moves: string[] = [];
  /** The last mover's principal variation after its move, in SAN. */
  line: string[] = [];
  /** White-relative centipawns of the moves played, or null. */
  readonly scores: (number | null)[] = [];
  readonly depth: [number, number] = [0, 0];
  /** Nodes per second of each side's last search. */
  readonly speed: [number, number] = [0, 0];
  /** Milliseconds left after the last move, or null without a clock. */
  clocks: LiveMove['clocks'] = [null, null];
  /** The result, such as `1-0`, and the reason; null while the game runs. */
  end: { result: string; reason: string } | null = null;
  private readonly played: Move[] = [];
  private waitingMoves: string[] = [];
  /** The line in UCI notation. */
  private sentLine: string[] = [];
  private movedAt = performance.now();

  /** `begin` has the players and the opening. */
  constructor(
    readonly begin: Begin,
    private readonly chess960: boolean,
  ) {}

  /** From and to squares of the last move, a1 = 0; empty at the start. */
  get last(): number[] {
    const last = this.played.at(-1);
    return last === undefined ? [] : [moveFrom(last), moveTo(last)];
  }

  /** Milliseconds since the last move. */
  get waiting(): number {
    return performance.now() - this.movedAt;
  }

  add({ move, side, score, depth, nodes, milliseconds, clocks, line = '' }: LiveMove): void {
    this.sentLine = line.split(/\s+/).slice(1, 1 + LINE_MOVES);
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

  /** Plays the moves added since the last call. Overwrites the engine's position. */
  refresh(): void {
    const { start, moves } = this.begin.opening;
    parseFen(start);
    setChess960(this.chess960 || needsChess960());
    if (this.played.length === 0) for (const move of moves) this.play(move);
    else for (const move of this.played) makeMove(move);
    for (const text of this.waitingMoves) this.play(parseUciMove(text));
    this.waitingMoves = [];
    this.fen = formatFen();
    this.line = [];
    for (const text of this.sentLine) {
      const move = parseUciMove(text);
      if (move === NO_MOVE) break;
      this.line.push(formatSan(move));
      makeMove(move);
    }
  }

  private play(move: Move): void {
    this.moves.push(formatSan(move));
    makeMove(move);
    this.played.push(move);
  }
}

/** Returns the number of plies before the position; 0 at the standard start. */
export function plyOf(fen: string): number {
  const [, side, , , , move] = fen.split(' ');
  return 2 * (Number(move) - 1) + (side === 'b' ? 1 : 0);
}
