// A recorded game in memory: start position, moves in the engine's encoding, a score for each move, and the result.

import { isLegal } from '../../engine/board/kernel.js';
import { moveToUci } from '../../engine/board/move.js';
import { advanceGame } from '../../engine/board/rules.js';
import { describePosition, FenError, setPosition } from '../../engine/board/setup.js';
import { KNIGHT, PAWN, ROOK } from '../../engine/board/types.js';
import type { HalfPoints } from '../common/game-result.js';

/** Scores use the engine's encoding: a mate in one ply is MATE_SCORE - 1, and scores beyond ±MATE_BOUND are mates. */
export { MATE as MATE_SCORE, MATE_BOUND } from '../../engine/search/score.js';

export interface GameRecord {
  start: {
    /** 64 piece codes from a1. */
    board: number[];
    sideToMove: number;
    /** -1 if none. */
    epSquare: number;
    /** Squares of the rooks that may still castle, ascending. */
    castlingRooks: number[];
    halfmove: number;
    fullmove: number;
  };
  /** White's result. */
  result: HalfPoints;
  moves: Uint16Array;
  /** White's centipawns for the position before each move, or UNSCORED. */
  scores: Int16Array;
}

/**
 * Score of a position without a score, for example before a PGN move without a comment. No real score has this value, because scores end at
 * ±MATE_SCORE.
 */
export const UNSCORED = -32768;

export class RecordError extends Error {}

/** Returns the engine's current position as the start of a record. */
export function startFromPosition(): GameRecord['start'] {
  const { board, castlingRooks, ...rest } = describePosition();
  return { ...rest, board: Array.from(board), castlingRooks: castlingRooks.toSorted((a, b) => a - b) };
}

/**
 * Sets the engine's position to the start of the game and plays its moves. Calls `visit` before each move; `visit` must restore the
 * position. The last position remains set. Throws a RecordError, which names game `index` + 1, for an impossible start or an illegal move.
 */
export function replay(
  game: GameRecord,
  visit: (move: Move, scoreWhite: number, ply: number) => void,
  index = 0,
): void {
  try {
    setPosition(game.start);
  } catch (error) {
    if (!(error instanceof FenError)) throw error;
    throw new RecordError(`game ${index + 1}: impossible start position: ${error.message}`);
  }
  const { moves, scores } = game;
  for (let ply = 0; ply < moves.length; ply++) {
    const move = moves[ply];
    if (!isLegal(move)) {
      throw new RecordError(`game ${index + 1}: illegal move ${moveToUci(move, true)} at ply ${ply + 1}`);
    }
    visit(move, scores[ply], ply);
    advanceGame(move);
  }
}

/** Plies that identify the opening of games recorded from the start position. */
const OPENING_PLIES = 8;

/** Returns a 32-bit hash of the first position. If that is an initial array at move one, the hash includes the first eight plies. */
export function openingHash(game: GameRecord): number {
  const { start, moves } = game;
  let hash = 0x811c9dc5;
  const mix = (value: number): void => {
    hash = Math.imul(hash ^ value, 0x01000193);
    hash ^= hash >>> 15;
  };
  for (const piece of start.board) mix(piece);
  mix(start.sideToMove);
  mix(start.epSquare);
  for (const rook of start.castlingRooks) mix(rook);
  if (isUnplayed(game)) for (const move of moves.subarray(0, OPENING_PLIES)) mix(move);
  return hash >>> 0;
}

/** Returns whether the game starts at move one from an initial array of standard chess or Chess960. */
function isUnplayed({ start }: GameRecord): boolean {
  const isHome = (rank: number, color: number): boolean =>
    start.board.slice(8 * rank, 8 * rank + 8).every((piece) => piece === (PAWN | (color << 3)));
  return (
    start.fullmove <= 1 &&
    isHome(1, 0) &&
    isHome(6, 1) &&
    start.board.filter((piece) => (piece & 7) === KNIGHT || (piece & 7) === ROOK).length === 8
  );
}
