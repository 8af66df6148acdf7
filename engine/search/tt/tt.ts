// Probing and storing the current position in the transposition table.

import { highBits, lowBits } from '../../board/bitboards/bitboard.js';
import { EMPTY } from '../../board/bitboards/tables.js';
import { NO_MOVE } from '../../board/move-fields.js';
import { keys } from '../../board/position.js';
import { hasBareKing } from '../../eval/endgame/endgame.js';
import { min } from '../../kernel/primitives.js';
import { DRAW, MATE_BOUND } from '../score.js';
import { findEntry, storeEntry } from './entries.js';
import { BOUND_NONE, hit, tableState } from './memory.js';

/** Maximum depth of an entry. */
const MAX_DEPTH = 127;

/** Looks the position up and fills `hit`; without an entry, returns false and resets only move, bound and PV flag. */
export function probe(ply: i32): boolean {
  const entry = findEntry(keys.position, tableState.bucketMask);
  if (entry === EMPTY) {
    hit.move = NO_MOVE;
    hit.bound = BOUND_NONE;
    hit.isPv = 0;
    return false;
  }
  const data = lowBits(entry);
  const scores = highBits(entry);
  hit.move = data & 0xffff;
  hit.depth = (data >>> 16) & 0x7f;
  hit.isPv = (data >>> 23) & 1;
  hit.bound = (data >>> 24) & 3;
  hit.score = shiftedMate((scores << 16) >> 16, 0 - ply);
  hit.staticEval = scores >> 16;
  return true;
}

/** Stores the result of a search; score and static evaluation in centipawns for the side to move. */
export function store(move: Move, depth: i32, bound: i32, score: i32, staticEval: i32, ply: i32, isPv: boolean): void {
  // Against a bare king, a draw score not reported by the evaluation comes from a repetition on the path
  if (score === DRAW && staticEval !== DRAW && hasBareKing()) return;
  const result = move | (min(depth, MAX_DEPTH) << 16) | ((isPv ? 1 : 0) << 23) | (bound << 24);
  const scores = (shiftedMate(score, ply) & 0xffff) | (staticEval << 16);
  storeEntry(keys.position, tableState.bucketMask, tableState.age, result, scores);
}

// The table stores mate distances from the position, not from the root
function shiftedMate(score: i32, plies: i32): i32 {
  return score >= MATE_BOUND ? score + plies : score <= -MATE_BOUND ? score - plies : score;
}
