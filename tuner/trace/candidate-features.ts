// CANDIDATES: features that the evaluation does not have as terms. Loading counts them in every position, on the board and the attack maps
// of the engine, and the score test (study/score-test.ts) tells what each would gain as a term. A feature that becomes a term leaves this
// list.

import { popcount } from '../../engine/board/bitboards/bitboard.js';
import { bb, KING_SQUARE, state } from '../../engine/board/position.js';
import { BISHOP, PAWN, QUEEN } from '../../engine/board/types.js';
import { attackMap, BY_ANY, BY_TWO } from '../../engine/eval/attack-map.js';

interface Candidate {
  name: string;
  /** `count`: the value is White's count minus Black's. `scale`: it is the evaluation where the side ahead has the feature. */
  kind: 'count' | 'scale';
  /** Count of a side (0 White, 1 Black) in the position that was evaluated last. */
  of: (color: number) => number;
}

const LIGHT = 0x55aa55aa;

export const CANDIDATES: readonly Candidate[] = [
  { name: 'squares attacked on the king flank', kind: 'count', of: (color) => flankAttacks(color, BY_ANY) },
  { name: 'squares attacked twice on the king flank', kind: 'count', of: (color) => flankAttacks(color, BY_TWO) },
  { name: 'ahead without pawns', kind: 'scale', of: (color) => (piecesOf(color, PAWN) === 0 ? 1 : 0) },
  { name: 'ahead with opposite bishops', kind: 'scale', of: () => (hasOppositeBishops() ? 1 : 0) },
];

/** Appends the features of the position that was evaluated last, packed into a signed byte each. */
export function countCandidates(counts: number[]): void {
  for (const { kind, of } of CANDIDATES) counts.push(kind === 'count' ? of(0) - of(1) : of(0) + 2 * of(1));
}

/** Returns the value of a packed count: centipawns / 100 of the side ahead for a scale, so that its weight reads as others do. */
export function candidateValue(feature: number, packed: number, evaluation: number): number {
  if (CANDIDATES[feature].kind === 'count') return packed;
  return (packed & (evaluation >= 0 ? 1 : 2)) === 0 ? 0 : evaluation / 100;
}

/** Squares that a side attacks on the files around the enemy king and the ranks of the enemy camp. */
function flankAttacks(color: number, by: number): number {
  const file = state[KING_SQUARE + 1 - color] & 7;
  const files = 0x01010101 * (file < 3 ? 0x0f : file > 4 ? 0xf0 : 0x3c);
  return popcount(attackMap[16 * color + by + (color === 0 ? 1 : 0)] & files, 0);
}

const piecesOf = (color: number, type: number): number => {
  const at = 2 * (type | (color << 3));
  return popcount(bb[at], bb[at + 1]);
};

/** Whether each side has one bishop, on squares of different colours, and no other piece but pawns. */
function hasOppositeBishops(): boolean {
  for (const color of [0, 1]) {
    let pieces = 0;
    for (let type = PAWN + 1; type <= QUEEN; type++) pieces += piecesOf(color, type);
    if (pieces !== 1 || piecesOf(color, BISHOP) !== 1) return false;
  }
  const isLight = [0, 1].map((color) => {
    const at = 2 * (BISHOP | (color << 3));
    return popcount(bb[at] & LIGHT, bb[at + 1] & LIGHT) === 1;
  });
  return isLight[0] !== isLight[1];
}
