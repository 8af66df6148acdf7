// Scaling of the soft time limit: less when the best move has been stable for many depths and took most of
// the nodes, more when its score falls. (Ideas: stability and falling evaluation, Stockfish; node share, Koivisto.)

import { P } from '../params.js';

/** Figures of the search so far. */
export interface Progress {
  /** Depths in a row with the same best move. */
  stability: number;
  /** Centipawns that the score has fallen since the depth before last. */
  scoreDrop: number;
  /** Share of this thread's nodes spent on the best move, 0 to 1. */
  nodeShare: number;
}

/** Returns the factor of the soft limit; around 1. */
export function timeFactor({ stability, scoreDrop, nodeShare }: Progress): number {
  const settled = (P.TM_STABILITY_BASE - P.TM_STABILITY_STEP * Math.min(stability, 8)) / 100;
  const falling = Math.max(80, Math.min(P.TM_SCORE_MOST, 100 + (P.TM_SCORE_DROP * scoreDrop) / 100)) / 100;
  const effort = (P.TM_NODES_BASE - P.TM_NODES_SHARE * nodeShare) / 100;
  return settled * falling * effort;
}
