// openingHash(): a hash of a game's opening. Games with equal hashes stay on one side of the split.

import { KNIGHT, PAWN, ROOK } from '../../engine/board/types.js';
import type { GameRecord } from '../../selfplay/records/record.js';

/** Games recorded from move one share their start; there the first plies are the opening. */
const OPENING_PLIES = 8;

/** Returns a 32-bit hash of the position a game starts from, and of its first eight plies if nothing was played before. */
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

/** True for the initial array of standard chess and of Chess960, at move one. */
function isUnplayed({ start }: GameRecord): boolean {
  const isHome = (rank: number, color: number): boolean =>
    start.board.slice(8 * rank, 8 * rank + 8).every((piece) => piece === (PAWN | (color << 3)));
  return (
    start.fullmove <= 1 &&
    isHome(1, 0) &&
    isHome(6, 1) &&
    countOf(start.board, KNIGHT) + countOf(start.board, ROOK) === 8
  );
}

const countOf = (board: readonly number[], type: number): number =>
  board.filter((piece) => (piece & 7) === type).length;
