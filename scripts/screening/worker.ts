// Entry point of a searching thread of a screening: tinypool calls the default export with a search to do.

import '../../engine/kernel-node.js';
import { workerData } from 'node:worker_threads';
import { parseFen } from '../../engine/board/fen.js';
import { control, newGame, search, setHashSize } from '../../engine/engine.js';
import { applyLevels, type Factor, levelsOf } from './design.js';

/** Data that the pool passes to each thread. */
export interface ScreeningWorkerData {
  factors: readonly Factor[];
  seed: number;
  /** Nodes of a reference search. */
  referenceNodes: number;
  hash: number;
}

/** A search: the index of its position, and its round, which is negative for a reference. */
export interface ScreeningTask {
  fen: string;
  position: number;
  round: number;
}

/** Best move, as its code, and score in centipawns for the side to move. */
export type ScreeningAnswer = readonly [move: number, score: number];

// Tinypool prepends its own data
const { factors, seed, referenceNodes, hash } = (workerData as [unknown, ScreeningWorkerData])[1];
control.now = () => performance.now();
setHashSize(hash);

/** Searches a position with the parameters of its round. */
export default function screeningTask({ fen, position, round }: ScreeningTask): ScreeningAnswer {
  const isReference = round < 0;
  const nodes = applyLevels(factors, levelsOf(factors, seed, position, round), isReference);
  newGame();
  parseFen(fen);
  const { bestMove, score } = search({ nodes: isReference ? referenceNodes : nodes });
  return [bestMove, score];
}
