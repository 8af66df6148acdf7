// Games of random moves as records, reproducible by their seed.

import { parseFen, STARTPOS } from '../../engine/board/fen.js';
import { makeMove } from '../../engine/board/kernel.js';
import { NO_MOVE, PLAIN } from '../../engine/board/move.js';
import { legalMoves } from '../../engine/board/rules.js';
import { KNIGHT } from '../../engine/board/types.js';
import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { type GameRecord, startFromPosition } from '../../selfplay/records/record.js';

/** Plays up to `plies` random moves from the FEN. */
export function randomGame(seed: number, plies: number, fen = STARTPOS): GameRecord {
  const random = createRandom(seed);
  parseFen(fen);
  const start = startFromPosition();
  const moves: Move[] = [];
  for (let ply = 0; ply < plies; ply++) {
    const legal = legalMoves();
    const move = legal.length > 0 ? legal[randomBelow(random, legal.length)] : NO_MOVE;
    if (move === NO_MOVE) break;
    makeMove(move);
    moves.push(move);
  }
  return {
    start,
    result: (seed % 3) as 0 | 1 | 2,
    moves: Uint16Array.from(moves),
    scores: Int16Array.from(moves, () => randomBelow(random, 4000) - 2000),
  };
}

/** Returns the concatenated bytes. */
export function concat(parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Returns a packed move. */
export function makeMoveCode(from: Square, to: Square, kind: number = PLAIN, promotion: PieceType = KNIGHT): Move {
  return from | (to << 6) | ((promotion - KNIGHT) << 12) | (kind << 14);
}
