// shareOf(): the arrays of the passes over a part of the rows, in one shared WebAssembly memory.

import { readFileSync } from 'node:fs';
import { UserError } from '../../selfplay/common/errors.js';
import { workerFile } from '../../selfplay/common/program.js';
import { type Dataset, positionCount, SLOPES_PER_ROW } from '../dataset/dataset.js';
import type { LossKind } from './loss.js';
import { checkSize, wordsAtMost } from './signed-rows.js';
import type { Targets } from './targets.js';

/** Number of blocks of rows; fixed so that sums do not depend on the number of workers. */
export const BLOCKS = 64;
/** Rows per strip. It is faster to compute first the scores, then the slopes and then the gradients of a strip than to go row by row. */
const STRIP = 256;

const PAGE = 65_536;
const PAGES_MAX = 65_535;
export const BYTES_MAX = PAGE * PAGES_MAX;
/** Addresses are multiples of this, the length of a cache line. */
const ALIGNMENT = 64;

export interface ObjectiveOptions {
  terms: number;
  workers: number;
  loss?: LossKind;
  /** The targets; by default the results, each counted once. */
  targets?: Targets;
}

/** The arrays of the loops, as views of shared memory. */
export interface LoopArrays {
  /** Start of each row in `stream`, in 32-bit words; signed-rows.ts describes the layout. */
  starts: Uint32Array;
  stream: Uint16Array;
  phase: Float32Array;
  /** Half points for White. */
  result: Uint8Array;
  /** 1 for rows of the held-out loss. */
  heldOut: Uint8Array;
  /** Empty when targets are the results and all weights are 1. */
  target: Float32Array;
  weight: Float32Array;
  /** Centipawns outside the terms, and factors of the endgame score; empty if no row has them. */
  rest: Float32Array;
  scale: Float32Array;
  /** mg and eg of each term, a pair of zeros, then all of these negated. */
  weights: Float64Array;
  /** Rows of a mini-batch. */
  batch: Uint32Array;
  /** Derivatives of the rows at the last scored weights, see Linearised. */
  partSlopes: Float64Array;
  /** Second derivatives of the sampled rows' losses. */
  curvature: Float64Array;
  /** exp(−scale · score) of each row. */
  odds: Float64Array;
  /** Endgame value of each row in centipawns before scaling, and the factors for White and Black. */
  endgames: Float64Array;
  /** Four sums by block. A pass for losses uses two of them: train, held-out. */
  sums: Float64Array;
  /** Sums by block, mg and eg of each term. */
  gradients: Float64Array;
  /** Scratch per worker: a gradient in the layout of `weights`, the parts of a row, and the rows of a strip. */
  scratch: Float64Array;
}

/** Data of each gradient worker. */
export interface WorkerShare {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  arrays: LoopArrays;
  terms: number;
  /** 1 when targets are the results and all weights are 1. */
  plain: number;
  /** 1 when rows have a rest or a scale. */
  fixed: number;
  /** Index of this worker, and number of workers. */
  worker: number;
  workers: number;
  /** The rows before re-encoding for the loops. */
  rows: Pick<Dataset, 'offsets' | 'packed'>;
  nextBlock: Int32Array;
}

interface ArrayType {
  new (buffer: SharedArrayBuffer, byteOffset: number, length: number): LoopArrays[keyof LoopArrays];
  readonly BYTES_PER_ELEMENT: number;
}

/** Type and length of each array. */
type Plan = { [Name in keyof LoopArrays]: [type: ArrayType, length: number] };

/** Returns the arrays with rows and targets, and the other data of a worker. */
export function shareOf(dataset: Dataset, heldOut: Uint8Array, options: ObjectiveOptions): Omit<WorkerShare, 'worker'> {
  const { terms, workers, targets } = options;
  checkSize(dataset, terms);
  const { arrays, module, memory } = allocate(planOf(dataset, options));
  const isFixed = arrays.rest.length > 0;
  arrays.phase.set(dataset.phase);
  arrays.result.set(dataset.result);
  arrays.heldOut.set(heldOut);
  if (isFixed) arrays.rest.set(dataset.rest ?? []);
  if (isFixed) arrays.scale.set(dataset.scale ?? new Float32Array(positionCount(dataset)).fill(1));
  copyLabels(arrays, targets);
  return {
    arrays,
    module,
    memory,
    terms,
    plain: targets === undefined ? 1 : 0,
    fixed: isFixed ? 1 : 0,
    workers,
    rows: { offsets: dataset.offsets, packed: dataset.packed },
    nextBlock: new Int32Array(new SharedArrayBuffer(4)),
  };
}

/** Copies targets and weights, if there are any, to the arrays. */
export function copyLabels(arrays: LoopArrays, targets: Targets | undefined): void {
  if (targets === undefined) return;
  arrays.target.set(targets.target);
  arrays.weight.set(targets.weight);
}

/** Returns the memory required for the rows, in bytes. */
export const bytesOf = (dataset: Dataset, options: ObjectiveOptions): number => bytesIn(planOf(dataset, options));

function planOf(dataset: Dataset, { terms, workers, targets }: ObjectiveOptions): Plan {
  const rows = positionCount(dataset);
  const labelled = targets === undefined ? 0 : rows;
  const fixed = dataset.rest !== undefined || dataset.scale !== undefined ? rows : 0;
  // A worker's part is padded to a cache line
  const scratch = 8 * Math.ceil((4 * (terms + 1) + 8 + STRIP) / 8);
  return {
    starts: [Uint32Array, rows],
    stream: [Uint16Array, 2 * wordsAtMost(rows, dataset.packed.length)],
    phase: [Float32Array, rows],
    result: [Uint8Array, rows],
    heldOut: [Uint8Array, rows],
    target: [Float32Array, labelled],
    weight: [Float32Array, labelled],
    rest: [Float32Array, fixed],
    scale: [Float32Array, fixed],
    weights: [Float64Array, 4 * (terms + 1)],
    batch: [Uint32Array, rows],
    partSlopes: [Float64Array, SLOPES_PER_ROW * rows],
    curvature: [Float64Array, rows],
    odds: [Float64Array, rows],
    endgames: [Float64Array, 3 * rows],
    sums: [Float64Array, 4 * BLOCKS],
    gradients: [Float64Array, 2 * terms * BLOCKS],
    scratch: [Float64Array, scratch * workers],
  };
}

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

// The first page is unused, because an address of 0 means that a table has not been placed
const bytesIn = (plan: Plan): number =>
  Object.values(plan).reduce((sum, [type, length]) => sum + aligned(length * type.BYTES_PER_ELEMENT), PAGE);

/** Returns the arrays, filled with zeros. Untouched pages take only address space. */
function allocate(plan: Plan): Pick<WorkerShare, 'arrays' | 'module' | 'memory'> {
  const code = readFileSync(new URL('pass.wasm', workerFile('tuner/passes/pass')));
  const memory = memoryOf(bytesIn(plan));
  let next = PAGE;
  const arrays = Object.entries(plan).map(([name, [type, length]]) => {
    const array = new type(memory.buffer as SharedArrayBuffer, next, length);
    next += aligned(length * type.BYTES_PER_ELEMENT);
    return [name, array];
  });
  return { arrays: Object.fromEntries(arrays) as LoopArrays, module: new WebAssembly.Module(code), memory };
}

function memoryOf(bytes: number): WebAssembly.Memory {
  const pages = Math.ceil(bytes / PAGE);
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch {
    const size = (bytes / 2 ** 30).toFixed(1);
    throw new UserError(
      `not enough memory: the positions need ${size} GiB; use fewer positions, for example with --per-game`,
      1,
    );
  }
}
