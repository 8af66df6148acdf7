// CANDIDATES: features that the evaluation does not have as terms. They are counted in every position when data are loaded
// (engine/eval/candidates.ts), and the score test (study/score-test.ts) estimates the gain of each as a term. A feature that becomes a term
// is removed from here and from engine/eval/candidates.ts.

import { candidateCount } from '../../engine/eval/kernel.js';

interface Candidate {
  /** Name in the report. */
  name: string;
  /** `count`: White's count minus Black's. `scale`: the evaluation, if the side ahead has the feature. */
  kind: 'count' | 'scale';
}

/**
 * Features in the order of countCandidate(): protection of pieces, overload, control of squares, and leads that the scale terms overrate.
 */
export const CANDIDATES: readonly Candidate[] = [
  { name: 'defended pieces', kind: 'count' },
  { name: 'pieces attacked twice and not defended twice', kind: 'count' },
  { name: 'squares attacked in the other half', kind: 'count' },
  { name: 'squares attacked in the centre', kind: 'count' },
  { name: 'ahead with only rook pawns', kind: 'scale' },
];

/** Appends the features of the last evaluated position, one signed byte each. */
export function countCandidates(counts: number[]): void {
  for (const [feature, { kind }] of CANDIDATES.entries()) {
    const white = candidateCount(feature, 0);
    const black = candidateCount(feature, 1);
    counts.push(kind === 'count' ? white - black : white + 2 * black);
  }
}

/**
 * Returns the value of a packed count. For a scale, it is the evaluation in pawns if the side ahead has the feature, and otherwise 0, so
 * its weight is comparable with others.
 */
export function candidateValue(feature: number, packed: number, evaluation: number): number {
  if (CANDIDATES[feature].kind === 'count') return packed;
  return (packed & (evaluation >= 0 ? 1 : 2)) === 0 ? 0 : evaluation / 100;
}
