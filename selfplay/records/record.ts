// A recorded game in memory: start position, moves in the engine's encoding, a score for each, the result.

import { isLegal } from '../../engine/board/kernel.js';
import { moveToUci } from '../../engine/board/move.js';
import { advanceGame } from '../../engine/board/rules.js';
import { describePosition, FenError, setPosition } from '../../engine/board/setup.js';
import type { HalfPoints } from '../common/game-result.js';

/** Scores are those of the engine: mate in one ply is MATE_SCORE - 1, and scores beyond MATE_BOUND are mates. */
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
 * The score of an unscored position, such as that before a PGN move without a comment. Scores never reach it, because mate scores end at
 * ±MATE_SCORE.
 */
export const UNSCORED = -32768;

/** A fault of a record. */
export class RecordError extends Error {}

/** Returns the engine's current position as the start of a record. */
export function startFromPosition(): GameRecord['start'] {
  const { board, castlingRooks, ...rest } = describePosition();
  return { ...rest, board: Array.from(board), castlingRooks: castlingRooks.toSorted((a, b) => a - b) };
}

/**
 * Sets the engine's position to the start of the game and plays its moves; `visit` is called in each position before its move and must
 * restore it. The last position remains set. Throws a RecordError, which names game `index` + 1, for an impossible start or an illegal
 * move.
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
