// The error to be minimised, computed by worker threads over shared memory: the mean of (σ(K·score) − target)² as in
// Texel's method, or the cross-entropy. Positions are summed in a fixed number of blocks, and the blocks in their
// order, so that one worker and many give the same bits.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerFile } from '../../selfplay/common/paths.js';
import { type Dataset, positionCount } from '../dataset/dataset.js';
import { type Columns, columnsOf } from './columns.js';
import type { Targets } from './targets.js';

const BLOCKS = 64;
/** Rows of a mini-batch that make a block: fewer would be outweighed by adding up the blocks. */
const BATCH_BLOCK = 1024;

export type LossKind = 'mse' | 'cross-entropy';

/** Mean losses; NaN where there are no positions. */
export interface Losses {
  train: number;
  heldOut: number;
}

/** One pass over the data as workers are asked for it; p = 1 / (1 + exp(−scale · score)). */
export interface PassRequest {
  scale: number;
  loss: LossKind;
  /** Number of blocks that the rows are divided into. */
  blocks: number;
  pass: Pass;
}

export type Pass =
  | { kind: 'losses' | 'gradient' }
  | { kind: 'batch'; rows: Uint32Array }
  /** Of every `stride`-th row: the second derivative by its score, its diagonal, or the matrix times `weights`. */
  | { kind: 'linearise' | 'product'; stride: number; curvature: Float64Array }
  /** exp(−scale · score) of each row. */
  | { kind: 'odds'; odds: Float64Array }
  /** What one coordinate's move by ±step does to the losses; or the move itself, in `odds`. */
  | { kind: 'try' | 'move'; odds: Float64Array; column: Column; step: number };

/** The rows of one term, and which of its two values is meant. */
export interface Column {
  rows: Uint32Array;
  coefficients: Int16Array;
  endgame: boolean;
}

/** The shared memory that each gradient worker sees. */
export interface WorkerShare {
  offsets: Uint32Array;
  packed: Int32Array;
  phase: Uint8Array;
  result: Uint8Array;
  heldOut: Uint8Array;
  /** Empty when targets are the results and all weights are 1. */
  target: Float32Array;
  weight: Float32Array;
  /** mg and eg interleaved: both values of a term lie in one cache line. */
  weights: Float64Array;
  nextBlock: Int32Array;
  /** Up to four sums by block; losses: train, held-out. */
  sums: Float64Array;
  /** Sums by block, each laid out as `weights`. */
  gradients: Float64Array;
}

/** The objective over one dataset. A weight vector holds all middlegame values, then all endgame values. */
export interface Objective {
  readonly terms: number;
  readonly trainPositions: number;
  readonly heldOutPositions: number;
  readonly heldOut: Uint8Array;
  /** Returns the losses at the weights and fills `gradient` (of the train loss, same layout) when it is given. */
  evaluate(weights: Float64Array, k: number, gradient?: Float64Array): Promise<Losses>;
  /** Fills the gradient of the mean loss of the given rows. */
  batchGradient(weights: Float64Array, k: number, rows: Uint32Array, gradient: Float64Array): Promise<void>;
  /** Takes the Gauss–Newton matrix of every `stride`-th row at the weights, and fills its diagonal. */
  linearise(weights: Float64Array, k: number, stride: number, diagonal: Float64Array): Promise<void>;
  /** Fills `out` with the matrix of the last linearise() times the vector. */
  product(vector: Float64Array, out: Float64Array): Promise<void>;
  /** Begins a search by single coordinates at the weights. */
  beginSearch(weights: Float64Array, k: number): Promise<void>;
  /** Changes of the losses when the coordinate moves by +step and by −step from where the search is. */
  tryMove(coordinate: number, step: number): Promise<{ up: Losses; down: Losses }>;
  move(coordinate: number, by: number): Promise<void>;
  close(): Promise<void>;
}

export interface ObjectiveOptions {
  terms: number;
  workers: number;
  loss?: LossKind;
  /** Results, each counted once, when left out. */
  targets?: Targets;
}

/** Starts the workers; `heldOut` marks with 1 the positions that only count for the held-out loss. */
export function startObjective(dataset: Dataset, heldOut: Uint8Array, options: ObjectiveOptions): Objective {
  const { terms, workers, loss = 'mse', targets } = options;
  const share = shareOf(dataset, heldOut, terms, targets);
  const heldOutPositions = heldOut.reduce((sum, flag) => sum + flag, 0);
  const trainPositions = positionCount(dataset) - heldOutPositions;
  const [trainWeight, heldOutWeight] = targets?.sums(heldOut) ?? [trainPositions, heldOutPositions];
  const threads = Array.from({ length: workers }, () => {
    return new Worker(workerFile('tuner/objective/gradient-worker'), { workerData: share });
  });

  const run = async (k: number, pass: Pass, blocks = BLOCKS): Promise<void> => {
    share.nextBlock[0] = 0;
    const request: PassRequest = { scale: k / 400, loss, blocks, pass };
    await Promise.all(threads.map((thread) => ask(thread, request)));
  };
  const place = (weights: Float64Array): void => {
    for (let term = 0; term < terms; term++) {
      share.weights[2 * term] = weights[term];
      share.weights[2 * term + 1] = weights[terms + term];
    }
  };
  const sum = (slot: number): number => {
    let total = 0;
    for (let block = 0; block < BLOCKS; block++) total += share.sums[4 * block + slot];
    return total;
  };
  const meanLosses = (slot: number): Losses => ({
    train: sum(slot) / trainWeight,
    heldOut: sum(slot + 1) / heldOutWeight,
  });

  let matrix = { k: 0, stride: 1, curvature: floats(0), weight: 1 };
  let search: { k: number; odds: Float64Array; columns: Columns } | null = null;
  const column = (coordinate: number): { k: number; odds: Float64Array; column: Column } => {
    if (search === null) throw new Error('no search has begun');
    const { k, odds, columns } = search;
    return { k, odds, column: { ...columns.of(coordinate % terms), endgame: coordinate >= terms } };
  };

  return {
    terms,
    trainPositions,
    heldOutPositions,
    heldOut,
    async evaluate(weights, k, gradient) {
      place(weights);
      await run(k, { kind: gradient === undefined ? 'losses' : 'gradient' });
      if (gradient !== undefined) reduceGradient(share.gradients, gradient, trainWeight);
      return meanLosses(0);
    },
    async batchGradient(weights, k, rows, gradient) {
      place(weights);
      const sharedRows = new Uint32Array(new SharedArrayBuffer(4 * rows.length));
      sharedRows.set(rows);
      const blocks = Math.min(BLOCKS, Math.ceil(rows.length / BATCH_BLOCK));
      await run(k, { kind: 'batch', rows: sharedRows }, blocks);
      reduceGradient(share.gradients, gradient, rows.length, blocks);
    },
    async linearise(weights, k, stride, diagonal) {
      const length = Math.ceil(positionCount(dataset) / stride);
      const curvature = matrix.curvature.length === length ? matrix.curvature : floats(length);
      place(weights);
      await run(k, { kind: 'linearise', stride, curvature });
      matrix = { k, stride, curvature, weight: sum(0) };
      reduceGradient(share.gradients, diagonal, matrix.weight);
    },
    async product(vector, out) {
      const { k, stride, curvature, weight } = matrix;
      place(vector);
      await run(k, { kind: 'product', stride, curvature });
      reduceGradient(share.gradients, out, weight);
    },
    async beginSearch(weights, k) {
      const odds = search?.odds ?? floats(positionCount(dataset));
      const columns = search?.columns ?? columnsOf(dataset, terms);
      search = { k, odds, columns };
      place(weights);
      await run(k, { kind: 'odds', odds });
    },
    async tryMove(coordinate, step) {
      const { k, ...rest } = column(coordinate);
      await run(k, { kind: 'try', step, ...rest });
      return { up: meanLosses(0), down: meanLosses(2) };
    },
    async move(coordinate, by) {
      const { k, ...rest } = column(coordinate);
      await run(k, { kind: 'move', step: by, ...rest });
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

/** Adds up the blocks' gradients in order and turns interleaved pairs back into all mg, then all eg. */
function reduceGradient(sums: Float64Array, gradient: Float64Array, weight: number, blocks = BLOCKS): void {
  const terms = gradient.length / 2;
  gradient.fill(0);
  for (let block = 0; block < blocks; block++) {
    const from = block * gradient.length;
    for (let term = 0; term < terms; term++) {
      gradient[term] += sums[from + 2 * term];
      gradient[terms + term] += sums[from + 2 * term + 1];
    }
  }
  for (let i = 0; i < gradient.length; i++) gradient[i] /= weight;
}

async function ask(thread: Worker, request: PassRequest): Promise<void> {
  const answer = once(thread, 'message');
  thread.postMessage(request);
  await answer;
}

function shareOf(dataset: Dataset, heldOut: Uint8Array, terms: number, targets?: Targets): WorkerShare {
  const { offsets, packed, phase, result } = dataset;
  const flags = new Uint8Array(new SharedArrayBuffer(heldOut.length));
  flags.set(heldOut);
  return {
    offsets,
    packed,
    phase,
    result,
    heldOut: flags,
    target: targets?.target ?? new Float32Array(0),
    weight: targets?.weight ?? new Float32Array(0),
    weights: floats(2 * terms),
    nextBlock: new Int32Array(new SharedArrayBuffer(4)),
    sums: floats(4 * BLOCKS),
    gradients: floats(2 * terms * BLOCKS),
  };
}

const floats = (length: number): Float64Array => new Float64Array(new SharedArrayBuffer(8 * length));
