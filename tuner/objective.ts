// The error to be minimised, computed by worker threads over shared memory: the mean of (σ(K·score) − result)² as in
// Texel's method, or the cross-entropy. Positions are summed in a fixed number of blocks, and the blocks in their
// order, so that one worker and many give the same bits.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerFile } from '../selfplay/places.js';
import { type Dataset, positionCount } from './dataset.js';

const BLOCKS = 64;

export type LossKind = 'mse' | 'cross-entropy';

/** Mean losses; NaN where there are no positions. */
export interface Losses {
  train: number;
  heldOut: number;
}

/** One pass over the data as workers are asked for it; p = 1 / (1 + exp(−k · score / 400)). */
export interface PassRequest {
  k: number;
  loss: LossKind;
  gradient: boolean;
}

/** The shared memory that each gradient worker sees. */
export interface WorkerShare {
  offsets: Uint32Array;
  packed: Int32Array;
  phase: Uint8Array;
  result: Uint8Array;
  heldOut: Uint8Array;
  /** mg and eg interleaved: both values of a term lie in one cache line. */
  weights: Float64Array;
  nextBlock: Int32Array;
  /** Sums by block: train, held-out. */
  losses: Float64Array;
  /** Sums by block, each laid out as `weights`. */
  gradients: Float64Array;
}

/** The objective over one dataset. A weight vector holds all middlegame values, then all endgame values. */
export interface Objective {
  readonly terms: number;
  readonly trainPositions: number;
  readonly heldOutPositions: number;
  /** Returns the losses at the weights and fills `gradient` (of the train loss, same layout) when it is given. */
  evaluate(weights: Float64Array, k: number, gradient?: Float64Array): Promise<Losses>;
  close(): Promise<void>;
}

/** Starts the workers; `heldOut` marks with 1 the positions that only count for the held-out loss. */
export function startObjective(
  dataset: Dataset,
  heldOut: Uint8Array,
  options: { terms: number; workers: number; loss?: LossKind },
): Objective {
  const { terms, workers, loss = 'mse' } = options;
  const share = shareOf(dataset, heldOut, terms);
  const heldOutPositions = heldOut.reduce((sum, flag) => sum + flag, 0);
  const trainPositions = positionCount(dataset) - heldOutPositions;
  const threads = Array.from({ length: workers }, () => {
    return new Worker(workerFile('tuner/gradient-worker'), { workerData: share });
  });

  const evaluate = async (weights: Float64Array, k: number, gradient?: Float64Array): Promise<Losses> => {
    for (let term = 0; term < terms; term++) {
      share.weights[2 * term] = weights[term];
      share.weights[2 * term + 1] = weights[terms + term];
    }
    share.nextBlock[0] = 0;
    const request: PassRequest = { k, loss, gradient: gradient !== undefined };
    await Promise.all(threads.map((thread) => ask(thread, request)));

    if (gradient !== undefined) reduceGradient(share.gradients, gradient, trainPositions);
    const losses = { train: 0, heldOut: 0 };
    for (let block = 0; block < BLOCKS; block++) {
      losses.train += share.losses[2 * block];
      losses.heldOut += share.losses[2 * block + 1];
    }
    return { train: losses.train / trainPositions, heldOut: losses.heldOut / heldOutPositions };
  };

  const close = async (): Promise<void> => {
    await Promise.all(threads.map((thread) => thread.terminate()));
  };
  return { terms, trainPositions, heldOutPositions, evaluate, close };
}

/** Adds up the blocks' gradients in order and turns interleaved pairs back into all mg, then all eg. */
function reduceGradient(blocks: Float64Array, gradient: Float64Array, positions: number): void {
  const terms = gradient.length / 2;
  gradient.fill(0);
  for (let block = 0; block < BLOCKS; block++) {
    const from = block * gradient.length;
    for (let term = 0; term < terms; term++) {
      gradient[term] += blocks[from + 2 * term];
      gradient[terms + term] += blocks[from + 2 * term + 1];
    }
  }
  for (let i = 0; i < gradient.length; i++) gradient[i] /= positions;
}

async function ask(thread: Worker, request: PassRequest): Promise<void> {
  const answer = once(thread, 'message');
  thread.postMessage(request);
  await answer;
}

function shareOf(dataset: Dataset, heldOut: Uint8Array, terms: number): WorkerShare {
  const { offsets, packed, phase, result } = dataset;
  const floats = (length: number): Float64Array => new Float64Array(new SharedArrayBuffer(8 * length));
  const flags = new Uint8Array(new SharedArrayBuffer(heldOut.length));
  flags.set(heldOut);
  return {
    offsets,
    packed,
    phase,
    result,
    heldOut: flags,
    weights: floats(2 * terms),
    nextBlock: new Int32Array(new SharedArrayBuffer(4)),
    losses: floats(2 * BLOCKS),
    gradients: floats(2 * terms * BLOCKS),
  };
}
