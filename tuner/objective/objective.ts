// startObjective(): the error to be minimised, computed by worker threads over shared memory, namely the mean of (σ(K·score) − target)² as
// in Texel's method, or the cross-entropy. Positions are summed in a fixed number of blocks, and the blocks in their order, so that one
// worker and many give the same bits.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerFile } from '../../selfplay/common/paths.js';
import { BENDS, type Dataset, positionCount } from '../dataset/dataset.js';
import type { LoopArrays, LoopShare } from '../loops/share.js';
import type { SymmetricMatrix } from '../matrix/cholesky.js';
import { atCoordinates } from '../matrix/normal-matrix.js';
import { type Columns, columnsOf } from './columns.js';
import { allocate } from './loop-memory.js';
import type { LossKind } from './loss.js';
import { checkSize, wordsAtMost } from './signed-rows.js';
import type { Targets } from './targets.js';

const BLOCKS = 64;
/** Parts of a matrix: few, because each is a matrix of its own until they are added up. */
const MATRIX_PARTS = 4;
/** Rows worked on together: the scores of all, their slopes, then their gradients keep the processor busier than row by row. */
const STRIP = 256;
/** Rows of a mini-batch that make a block: fewer would be outweighed by adding up the blocks. */
const BATCH_BLOCK = 1024;

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
  /** Lays out the rows; their losses; with the gradient; or exp(−scale · score) of each. */
  | { kind: 'prepare' | 'losses' | 'gradient' | 'odds' }
  /** The gradient of the first `rows` of the rows in `batch`. */
  | { kind: 'batch'; rows: number }
  /** Of every `stride`-th row: the second derivative by its score, its diagonal, or the matrix times `weights`. */
  | { kind: 'linearise' | 'product'; stride: number }
  /** The same, and the matrix itself, a part a block. */
  | { kind: 'squares'; stride: number; parts: Float64Array[] }
  /** What one coordinate's move by ±step does to the losses; or the move itself, in `odds`. */
  | { kind: 'try' | 'move'; column: Column; step: number };

/** The rows of one term, and which of its two values is meant. */
export interface Column {
  rows: Uint32Array;
  coefficients: Int16Array;
  endgame: boolean;
}

/** What each gradient worker is given. */
export interface WorkerShare extends LoopShare {
  /** The rows as they come, to be laid out for the loops. */
  rows: Pick<Dataset, 'offsets' | 'packed'>;
  nextBlock: Int32Array;
}

/** The objective over one dataset. A weight vector holds all middlegame values, then all endgame values. */
export type Objective = ReturnType<typeof startObjective>;

export interface ObjectiveOptions {
  terms: number;
  workers: number;
  loss?: LossKind;
  /** Results, each counted once, when left out. */
  targets?: Targets;
}

/** Starts the workers; `heldOut` marks with 1 the positions that only count for the held-out loss. */
export function startObjective(dataset: Dataset, heldOut: Uint8Array, options: ObjectiveOptions) {
  const { terms, workers, loss = 'mse', targets } = options;
  const share = shareOf(dataset, heldOut, options);
  const { arrays } = share;
  const heldOutPositions = heldOut.reduce((sum, flag) => sum + flag, 0);
  const trainPositions = positionCount(dataset) - heldOutPositions;
  const weightOf = (side: number, positions: number): number =>
    targets?.weight.reduce((sum, value, row) => (heldOut[row] === side ? sum + value : sum), 0) ?? positions;
  const [trainWeight, heldOutWeight] = [weightOf(0, trainPositions), weightOf(1, heldOutPositions)];
  const threads = Array.from({ length: workers }, (_, worker) => {
    return new Worker(workerFile('tuner/objective/gradient-worker'), {
      workerData: { ...share, worker } satisfies WorkerShare,
    });
  });

  const runOnce = async (k: number, pass: Pass, blocks = BLOCKS): Promise<void> => {
    share.nextBlock[0] = 0;
    const request: PassRequest = { scale: k / 400, loss, blocks, pass };
    await Promise.all(threads.map((thread) => ask(thread, request)));
  };
  const prepared = runOnce(0, { kind: 'prepare' });
  const run: typeof runOnce = async (...request) => {
    await prepared;
    await runOnce(...request);
  };
  const place = (weights: Float64Array): void => {
    const negative = 2 * (terms + 1);
    for (let term = 0; term < terms; term++) {
      arrays.weights[2 * term] = weights[term];
      arrays.weights[2 * term + 1] = weights[terms + term];
      arrays.weights[negative + 2 * term] = -weights[term];
      arrays.weights[negative + 2 * term + 1] = -weights[terms + term];
    }
  };
  const sum = (slot: number, blocks = BLOCKS): number => {
    let total = 0;
    for (let block = 0; block < blocks; block++) total += arrays.sums[4 * block + slot];
    return total;
  };
  const meanLosses = (slot: number): Losses => ({
    train: sum(slot) / trainWeight,
    heldOut: sum(slot + 1) / heldOutWeight,
  });

  const evaluate = async (weights: Float64Array, k: number, gradient?: Float64Array): Promise<Losses> => {
    place(weights);
    await run(k, { kind: gradient === undefined ? 'losses' : 'gradient' });
    if (gradient !== undefined) reduceGradient(arrays.gradients, gradient, trainWeight);
    return meanLosses(0);
  };

  let columns: Columns | undefined;
  let matrixParts: Float64Array[] | undefined;

  return {
    trainPositions,
    heldOutPositions,
    heldOut,
    /** Returns the losses at the weights and fills `gradient` (of the train loss, same layout) when it is given. */
    evaluate,
    /** Fills the gradient of the mean loss of the given rows. */
    async batchGradient(weights: Float64Array, k: number, rows: Uint32Array, gradient: Float64Array): Promise<void> {
      place(weights);
      arrays.batch.set(rows);
      const blocks = Math.min(BLOCKS, Math.ceil(rows.length / BATCH_BLOCK));
      await run(k, { kind: 'batch', rows: rows.length }, blocks);
      reduceGradient(arrays.gradients, gradient, rows.length, blocks);
    },
    /** Returns the Gauss–Newton matrix of every `stride`-th row at the weights, valid until rows are scored elsewhere: never written out. */
    async curvature(weights: Float64Array, k: number, stride: number) {
      place(weights);
      await run(k, { kind: 'linearise', stride });
      const weight = sum(0);
      const diagonal = new Float64Array(2 * terms);
      reduceGradient(arrays.gradients, diagonal, weight);
      /** Fills `out` with the matrix times the vector. */
      const product = async (vector: Float64Array, out: Float64Array): Promise<void> => {
        place(vector);
        await run(k, { kind: 'product', stride });
        reduceGradient(arrays.gradients, out, weight);
      };
      return { diagonal, product };
    },
    /** Returns the Gauss–Newton matrix of every `stride`-th row at the weights, for some coordinates. */
    async matrix(weights: Float64Array, k: number, stride: number, coordinates: Uint32Array): Promise<SymmetricMatrix> {
      place(weights);
      matrixParts ??= Array.from({ length: MATRIX_PARTS }, () => {
        return new Float64Array(new SharedArrayBuffer(8 * (2 * terms) ** 2));
      });
      const parts = matrixParts;
      await run(k, { kind: 'squares', stride, parts }, MATRIX_PARTS);
      const weight = sum(0, MATRIX_PARTS);
      const [values, ...others] = parts;
      for (const part of others) for (let i = 0; i < values.length; i++) values[i] += part[i];
      return atCoordinates({ values, width: 2 * terms }, coordinates, terms, 1 / weight);
    },
    /** Begins a search by single coordinates at the weights; a move costs as much as its term has positions, one of danger or scale whole passes. */
    async search(weights: Float64Array, k: number) {
      columns ??= columnsOf(dataset, terms);
      const { of, isBent } = columns;
      const columnOf = (coordinate: number): Column => ({ ...of(coordinate % terms), endgame: coordinate >= terms });
      const point = weights.slice();
      const lossesAt = (coordinate: number, step: number): Promise<Losses> =>
        evaluate(point.with(coordinate, point[coordinate] + step), k);
      place(point);
      await run(k, { kind: 'odds' });
      return {
        /** Returns the changes of the losses when the coordinate moves by +step and by −step. */
        async try(coordinate: number, step: number): Promise<{ up: Losses; down: Losses }> {
          if (isBent[coordinate % terms] === 1) {
            const [here, up, down] = [
              await lossesAt(coordinate, 0),
              await lossesAt(coordinate, step),
              await lossesAt(coordinate, -step),
            ];
            return { up: differenceOf(up, here), down: differenceOf(down, here) };
          }
          await run(k, { kind: 'try', step, column: columnOf(coordinate) });
          return { up: meanLosses(0), down: meanLosses(2) };
        },
        /** Moves the coordinate for good. */
        async move(coordinate: number, by: number): Promise<void> {
          point[coordinate] += by;
          place(point);
          if (isBent[coordinate % terms] === 1) await run(k, { kind: 'odds' });
          else await run(k, { kind: 'move', step: by, column: columnOf(coordinate) });
        },
      };
    },
    /** Takes over what has changed in the targets since the start. */
    takeTargets: () => copyLabels(arrays, targets),
    async close(): Promise<void> {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

function differenceOf(losses: Losses, others: Losses): Losses {
  return { train: losses.train - others.train, heldOut: losses.heldOut - others.heldOut };
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

function shareOf(
  dataset: Dataset,
  heldOut: Uint8Array,
  { terms, workers, targets }: ObjectiveOptions,
): Omit<WorkerShare, 'worker'> {
  checkSize(dataset, terms);
  const rows = positionCount(dataset);
  const labelled = targets === undefined ? 0 : rows;
  const isFixed = dataset.rest !== undefined || dataset.scale !== undefined;
  const fixed = isFixed ? rows : 0;
  const words = wordsAtMost(rows, dataset.packed.length);
  // A worker's own part ends with a cache line
  const scratch = 8 * Math.ceil((4 * (terms + 1) + 8 + STRIP) / 8);
  const { arrays, wasm } = allocate({
    starts: [Uint32Array, rows],
    stream: [Uint16Array, 2 * words],
    phase: [Float32Array, rows],
    result: [Uint8Array, rows],
    heldOut: [Uint8Array, rows],
    target: [Float32Array, labelled],
    weight: [Float32Array, labelled],
    rest: [Float32Array, fixed],
    scale: [Float32Array, fixed],
    weights: [Float64Array, 4 * (terms + 1)],
    batch: [Uint32Array, rows],
    bends: [Float64Array, BENDS * rows],
    curvature: [Float64Array, rows],
    odds: [Float64Array, rows],
    endgames: [Float64Array, 3 * rows],
    sums: [Float64Array, 4 * BLOCKS],
    gradients: [Float64Array, 2 * terms * BLOCKS],
    scratch: [Float64Array, scratch * workers],
  });
  arrays.phase.set(dataset.phase);
  arrays.result.set(dataset.result);
  arrays.heldOut.set(heldOut);
  if (isFixed) arrays.rest.set(dataset.rest ?? []);
  if (isFixed) arrays.scale.set(dataset.scale ?? new Float32Array(rows).fill(1));
  copyLabels(arrays, targets);
  return {
    arrays,
    terms,
    plain: targets === undefined ? 1 : 0,
    fixed: isFixed ? 1 : 0,
    workers,
    ...(wasm && { wasm }),
    rows: { offsets: dataset.offsets, packed: dataset.packed },
    nextBlock: new Int32Array(new SharedArrayBuffer(4)),
  };
}

function copyLabels(arrays: LoopArrays, targets: Targets | undefined): void {
  if (targets === undefined) return;
  arrays.target.set(targets.target);
  arrays.weight.set(targets.weight);
}
