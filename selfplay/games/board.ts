// The board of one running game. The engine has only one position per process, but several games run at once. Each game therefore stores
// its moves and sets up the position again for each move. The set-up starts from the last capture or pawn move, because earlier positions
// cannot recur.

import { formatFen, parseFen, STARTPOS } from '../../engine/board/fen.js';
import { makeMove } from '../../engine/board/kernel.js';
import { moveToUci, NO_MOVE } from '../../engine/board/move.js';
import { board, castlingRooks, setChess960, state } from '../../engine/board/position.js';
import { type GameEnd, gameEnd, parseUciMove } from '../../engine/board/rules.js';
import { savePosition } from '../../engine/board/setup.js';
import { KING, makePiece, NO_PIECE, PAWN, parseSquare, WHITE } from '../../engine/board/types.js';
import type { Opening } from '../../engine/commands/random-opening.js';
import { MATE_BOUND, MATE_SCORE } from '../records/record.js';

export class GameBoard {
  readonly start: string;
  readonly chess960: boolean;
  /** All moves, including the opening. */
  readonly moves: Move[] = [];
  /** The UCI command `position …` for the position on the board. */
  command: string;
  /** End of the game by the rules, or null. */
  end: GameEnd | null = null;
  /** Whether the last move was a capture or a pawn move. */
  zeroing = false;
  /** Sets up the position after the last capture or pawn move; `since` has the later moves. */
  private setUpBase: () => void;
  private since: Move[] = [];

  /** Plays the opening. The game is Chess960 if requested or required by the castling rights. */
  constructor(opening: Opening, chess960: boolean) {
    this.start = opening.start;
    parseFen(opening.start);
    this.chess960 = chess960 || needsChess960();
    setChess960(this.chess960);
    this.setUpBase = savePosition();
    this.command = opening.start === STARTPOS ? 'position startpos' : `position fen ${opening.start}`;
    for (const move of opening.moves) {
      makeMove(move);
      this.append(move);
    }
    this.end = gameEnd();
  }

  /** Plays an engine's move in UCI notation. Returns false, without changes, if the move is illegal. */
  play(text: string): boolean {
    this.setUp();
    const move = parseUciMove(text);
    if (move === NO_MOVE) return false;
    makeMove(move);
    this.append(move);
    this.end = gameEnd();
    return true;
  }

  /** Returns the UCI command `position …` after a further move, or null if it is illegal or ends the game. */
  commandAfter(text: string): string | null {
    this.setUp();
    const move = parseUciMove(text);
    if (move === NO_MOVE) return null;
    makeMove(move);
    return gameEnd() === null ? this.command + this.word(move) : null;
  }

  /** Checks the mate that a score and a line claim for the side to move. Returns an error message or null. */
  claimProblem(score: number, line: string): string | null {
    this.setUp();
    return mateClaimProblem(score, line);
  }

  private setUp(): void {
    this.setUpBase();
    for (const move of this.since) makeMove(move);
  }

  // Called after makeMove()
  private append(move: Move): void {
    this.command += this.word(move);
    this.moves.push(move);
    this.zeroing = state.rule50 === 0;
    if (!this.zeroing) this.since.push(move);
    else {
      this.setUpBase = savePosition();
      this.since = [];
    }
  }

  private word(move: Move): string {
    return `${this.moves.length === 0 ? ' moves' : ''} ${moveToUci(move, this.chess960)}`;
  }
}

/** Returns whether the current position has a castling right that standard chess does not allow. */
export function needsChess960(): boolean {
  return castlingRooks().some((rook) => {
    const kingSquare = (rook & 56) + 4;
    return (rook & 7) % 7 !== 0 || (board[kingSquare] & 7) !== KING;
  });
}

/**
 * Sets up the position of a FEN and returns a FEN that engines accept: without impossible castling rights and en-passant squares, and with
 * castling rights as rook files, such as `HAha`, only if the position requires Chess960.
 */
export function setUpStart(fen: string): string {
  parseFen(fen);
  const [, , castling, square] = fen.split(' ');
  const isChess960 = needsChess960();
  const rights = castling === '-' ? 0 : castling.length;
  const isAccepted = rights === castlingRooks().length && (isChess960 || !/[A-Ha-h]/.test(castling));
  if (isAccepted && (square === '-' || isPassed(parseSquare(square)))) return fen;
  setChess960(isChess960);
  return formatFen();
}

/** Returns whether a pawn of the opponent may just have passed the square. */
function isPassed(square: Square): boolean {
  const [up, rank] = state.stm === WHITE ? [8, 5] : [-8, 2];
  const isFree = square >> 3 === rank && board[square] === NO_PIECE && board[square + up] === NO_PIECE;
  return isFree && board[square - up] === makePiece(state.stm ^ 1, PAWN);
}

/**
 * Checks a claimed mate by playing its line on the board. Returns an error message, or null if the line delivers the mate or is incomplete,
 * or if the score is not a mate.
 */
export function mateClaimProblem(score: number, line: string): string | null {
  const plies = MATE_SCORE - Math.abs(score);
  const isMate = Math.abs(score) > MATE_BOUND;
  if (!isMate || line === '') return null;
  if (plies === 0) return 'claims to be mated but has a legal move';
  const moves = line.split(/\s+/).slice(0, plies);
  for (const [i, text] of moves.entries()) {
    const move = parseUciMove(text);
    if (move === NO_MOVE) return 'claims a mate with an illegal line';
    makeMove(move);
    const end = gameEnd();
    if (end === null && i < plies - 1) continue;
    // A shorter mate by the same side is accepted
    const isDelivered = end === 'checkmate' && i % 2 === (plies - 1) % 2;
    return isDelivered ? null : 'claims a mate that its line does not deliver';
  }
  return null;
}
