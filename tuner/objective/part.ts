// The sums of the error over rows that fit into one WebAssembly memory, computed by worker threads. Rows are summed in a fixed number of
// blocks, and blocks in order, so the result does not depend on the number of workers.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerFile } from '../../selfplay/common/program.js';
import type { Dataset } from '../dataset/dataset.js';
import { pairNumbers } from '../matrix/normal-matrix.js';
import { type Column, type Columns, columnsOf } from './columns.js';
import type { Losses, LossKind } from './loss.js';
import {
  BLOCKS,
  copyLabels,
  type LoopArrays,
  type ObjectiveOptions,
  shareOf,
  type WorkerShare,
} from './pass-memory.js';

/** Number of partial matrices, and of workers that compute them. It is small, because each takes the memory of a full matrix. */
const MATRIX_PARTS = 2;
/** Rows per block of a mini-batch. With fewer, adding up the blocks would take most of the time. */
const BATCH_BLOCK = 1024;

/** A requested pass over the data; p = 1 / (1 + exp(−scale · score)). */
export interface PassRequest {
  scale: number;
  loss: LossKind;
  blocks: number;
  pass: Pass;
}

export type Pass =
  /** The re-encoding of the rows; their losses; the losses with the gradient; or exp(−scale · score) of each row. */
  | { kind: 'prepare' | 'losses' | 'gradient' | 'odds' }
  /** The gradient of the first `rows` of the rows in `batch`. */
  | { kind: 'batch'; rows: number }
  /**
   * From every `stride`-th row, except held-out ones: `linearise` gives the second derivative of each loss with respect to its score, and
   * the diagonal of the Gauss–Newton matrix; `product` gives the matrix times `weights`.
   */
  | { kind: 'linearise' | 'product'; stride: number }
  /** The second derivatives, and the matrix itself, one partial matrix per block. */
  | { kind: 'squares'; stride: number; parts: Float64Array[] }
  /** The effect of one coordinate's move by ±step on the losses; or the move itself, in `odds` and `endgames`. */
  | { kind: 'try' | 'move'; column: Column; step: number };

/** The sums over the rows of one part. A weight vector contains all middlegame values, then all endgame values. */
export class Part {
  private readonly arrays: LoopArrays;
  private readonly nextBlock: Int32Array;
  private readonly threads: readonly Worker[];
  private readonly prepared: Promise<void>;
  private columns: Columns | undefined;
  private matrixParts: Float64Array[] | undefined;

  /** Starts the workers; `heldOut` is 1 for rows of the held-out loss. */
  constructor(
    private readonly dataset: Dataset,
    heldOut: Uint8Array,
    private readonly options: ObjectiveOptions,
  ) {
    const share = shareOf(dataset, heldOut, options);
    this.arrays = share.arrays;
    this.nextBlock = share.nextBlock;
    this.threads = Array.from({ length: options.workers }, (_, worker) => {
      return new Worker(workerFile('tuner/objective/gradient-worker'), {
        workerData: { ...share, worker } satisfies WorkerShare,
      });
    });
    this.prepared = this.post(0, { kind: 'prepare' });
    // A failure is thrown by the first run(), which may be much later
    this.prepared.catch(() => {});
  }

  /** Returns the sums of the losses at the weights and, if `gradient` is given, adds the gradient of the training sum to it. */
  async evaluate(weights: Float64Array, k: number, gradient?: Float64Array): Promise<Losses> {
    this.place(weights);
    await this.run(k, { kind: gradient === undefined ? 'losses' : 'gradient' });
    if (gradient !== undefined) addBlocks(this.arrays.gradients, gradient);
    return this.lossesIn(0);
  }

  /** Adds the gradient of the summed losses of the given rows to `gradient`. */
  async batchGradient(weights: Float64Array, k: number, rows: Uint32Array, gradient: Float64Array): Promise<void> {
    this.place(weights);
    this.arrays.batch.set(rows);
    const blocks = Math.min(BLOCKS, Math.ceil(rows.length / BATCH_BLOCK));
    await this.run(k, { kind: 'batch', rows: rows.length }, blocks);
    addBlocks(this.arrays.gradients, gradient, blocks);
  }

  /**
   * Scores every `stride`-th row, except held-out rows, for product(), and adds the diagonal of their Gauss–Newton matrix to `diagonal`.
   * Returns the sum of the rows' weights.
   */
  async linearise(weights: Float64Array, k: number, stride: number, diagonal: Float64Array): Promise<number> {
    this.place(weights);
    await this.run(k, { kind: 'linearise', stride });
    addBlocks(this.arrays.gradients, diagonal);
    return this.sum(0);
  }

  /** Adds the product of that matrix and the vector to `out`. */
  async product(vector: Float64Array, k: number, stride: number, out: Float64Array): Promise<void> {
    this.place(vector);
    await this.run(k, { kind: 'product', stride });
    addBlocks(this.arrays.gradients, out);
  }

  /** Returns the Gauss–Newton matrix of the same rows in the layout of pairSquares(), and the sum of the rows' weights. */
  async matrix(weights: Float64Array, k: number, stride: number): Promise<{ values: Float64Array; weight: number }> {
    this.place(weights);
    this.matrixParts ??= Array.from({ length: MATRIX_PARTS }, () => {
      return new Float64Array(new SharedArrayBuffer(8 * pairNumbers(this.options.terms)));
    });
    await this.run(k, { kind: 'squares', stride, parts: this.matrixParts }, MATRIX_PARTS);
    const [values, ...others] = this.matrixParts;
    for (const part of others) for (let i = 0; i < values.length; i++) values[i] += part[i];
    return { values, weight: this.sum(0, MATRIX_PARTS) };
  }

  /**
   * Begins a coordinate-wise search at the weights. The time of a move is proportional to the number of positions with its term, but a
   * move of a danger or scale term takes whole passes.
   */
  async search(weights: Float64Array, k: number): Promise<PartSearch> {
    this.columns ??= columnsOf(this.dataset, this.options.terms);
    const { of, isNonlinear } = this.columns;
    const { terms } = this.options;
    const columnOf = (coordinate: number): Column => ({ ...of(coordinate % terms), endgame: coordinate >= terms });
    const point = weights.slice();
    const lossesAt = (coordinate: number, step: number): Promise<Losses> =>
      this.evaluate(point.with(coordinate, point[coordinate] + step), k);
    this.place(point);
    await this.run(k, { kind: 'odds' });
    return {
      try: async (coordinate, step) => {
        if (isNonlinear[coordinate % terms] === 1) {
          const here = await lossesAt(coordinate, 0);
          const up = await lossesAt(coordinate, step);
          return { here, up, down: await lossesAt(coordinate, -step) };
        }
        await this.run(k, { kind: 'try', step, column: columnOf(coordinate) });
        return { here: { train: 0, heldOut: 0 }, up: this.lossesIn(0), down: this.lossesIn(2) };
      },
      move: async (coordinate, by) => {
        point[coordinate] += by;
        this.place(point);
        if (isNonlinear[coordinate % terms] === 1) await this.run(k, { kind: 'odds' });
        else await this.run(k, { kind: 'move', step: by, column: columnOf(coordinate) });
      },
    };
  }

  /** Copies changed targets. */
  takeTargets(): void {
    copyLabels(this.arrays, this.options.targets);
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.terminate()));
  }

  private async run(k: number, pass: Pass, blocks = BLOCKS): Promise<void> {
    await this.prepared;
    await this.post(k, pass, blocks);
  }

  private async post(k: number, pass: Pass, blocks = BLOCKS): Promise<void> {
    this.nextBlock[0] = 0;
    const request: PassRequest = { scale: k / 400, loss: this.options.loss ?? 'mse', blocks, pass };
    const answers = this.threads.map((thread) => once(thread, 'message'));
    for (const thread of this.threads) thread.postMessage(request);
    await Promise.all(answers);
  }

  private place(weights: Float64Array): void {
    const { terms } = this.options;
    const to = this.arrays.weights;
    const negative = 2 * (terms + 1);
    for (let term = 0; term < terms; term++) {
      to[2 * term] = weights[term];
      to[2 * term + 1] = weights[terms + term];
      to[negative + 2 * term] = -weights[term];
      to[negative + 2 * term + 1] = -weights[terms + term];
    }
  }

  private sum(slot: number, blocks = BLOCKS): number {
    let total = 0;
    for (let block = 0; block < blocks; block++) total += this.arrays.sums[4 * block + slot];
    return total;
  }

  private lossesIn(slot: number): Losses {
    return { train: this.sum(slot), heldOut: this.sum(slot + 1) };
  }
}

/** A coordinate-wise search over one part. */
export interface PartSearch {
  /** Returns the sums of the losses when the coordinate moves by +step and by −step, and the sums `here` to subtract from them. */
  try: (coordinate: number, step: number) => Promise<{ here: Losses; up: Losses; down: Losses }>;
  /** Commits the move of the coordinate. */
  move: (coordinate: number, by: number) => Promise<void>;
}

/** Adds the blocks' gradients in order, converting interleaved pairs to all mg, then all eg. */
function addBlocks(sums: Float64Array, gradient: Float64Array, blocks = BLOCKS): void {
  const terms = gradient.length / 2;
  for (let block = 0; block < blocks; block++) {
    const from = block * gradient.length;
    for (let term = 0; term < terms; term++) {
      gradient[term] += sums[from + 2 * term];
      gradient[terms + term] += sums[from + 2 * term + 1];
    }
  }
}
