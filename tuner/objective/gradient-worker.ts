// Worker thread of the objective: takes blocks of rows until none is left and runs the requested pass on each.

import { parentPort, workerData } from 'node:worker_threads';
import { pairSquares } from '../matrix/normal-matrix.js';
import { moveColumn, tryColumn } from './columns.js';
import type { PassRequest } from './part.js';
import type { WorkerShare } from './pass-memory.js';
import { layOutRows } from './signed-rows.js';

/** The loops of ../passes/wasm/pass.ts over the rows from `from` to `to` (exclusive). */
interface Loops {
  passRows(from: number, to: number, scale: number, squared: number, withGradient: number, slot: number): void;
  batchRows(from: number, to: number, scale: number, squared: number): void;
  lineariseRows(from: number, to: number, stride: number, scale: number, squared: number, slot: number): void;
  productRows(from: number, to: number, stride: number): void;
  oddsRows(from: number, to: number, scale: number): void;
  clearGradient(): void;
  storeGradient(block: number, sign: number): void;
}

const SHARE = workerData as WorkerShare;
const ARRAYS = SHARE.arrays;
const LOOPS = loopsOf(SHARE);

/** Returns the loops of a new instance of the module, with the addresses of this worker's arrays. */
function loopsOf({ module, memory, arrays, terms, plain, fixed, worker, workers }: WorkerShare): Loops {
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, 'numbers.js': { log: Math.log } });
  const set = (name: string, value: number): void => {
    (exports[name] as WebAssembly.Global).value = value;
  };
  for (const [name, table] of Object.entries(arrays)) {
    if (name !== 'scratch') set(name.replace(/[A-Z]/g, '_$&').toUpperCase(), table.byteOffset);
  }
  set('TERMS', terms);
  set('PLAIN', plain);
  set('FIXED', fixed);
  // Scratch of this worker: a block's gradient in the layout of the weights, the sums of a row's parts, and one value per row of a strip
  const size = arrays.scratch.length / workers;
  const gradient = arrays.scratch.byteOffset + 8 * size * worker;
  const values = arrays.weights.length;
  set('GRADIENT', gradient);
  set('ROW_SUMS', gradient + 8 * values);
  set('STRIP_VALUES', gradient + 8 * (values + 8));
  set('STRIP', size - values - 8);
  return exports as unknown as Loops;
}

function runBlock(block: number, request: PassRequest): void {
  const { pass, scale, blocks } = request;
  const squared = request.loss === 'mse' ? 1 : 0;
  const slot = 4 * block;
  const length = rowsOf(request);
  const from = Math.floor((length * block) / blocks);
  const to = Math.floor((length * (block + 1)) / blocks);
  switch (pass.kind) {
    case 'prepare':
      return layOutRows(SHARE.rows, SHARE.terms, [ARRAYS.starts, ARRAYS.stream], from, to);
    case 'losses':
      return LOOPS.passRows(from, to, scale, squared, 0, slot);
    case 'odds':
      return LOOPS.oddsRows(from, to, scale);
    case 'try':
      return ARRAYS.sums.set(tryColumn(ARRAYS, request, pass, from, to), slot);
    case 'move':
      return moveColumn(ARRAYS, scale, pass, from, to);
    case 'gradient':
      return withGradient(block, -1, () => LOOPS.passRows(from, to, scale, squared, 1, slot));
    case 'batch':
      return withGradient(block, -1, () => LOOPS.batchRows(from, to, scale, squared));
    case 'linearise':
      return withGradient(block, 1, () => LOOPS.lineariseRows(from, to, pass.stride, scale, squared, slot));
    case 'product':
      return withGradient(block, -1, () => LOOPS.productRows(from, to, pass.stride));
    case 'squares':
      LOOPS.lineariseRows(from, to, pass.stride, scale, squared, slot);
      return squareRows(pass.stride, pass.parts[block], from, to);
    default:
      pass satisfies never;
  }
}

/**
 * Runs loops that add to this worker's gradient, and stores the result as the gradient of the block. `sign` multiplies the sums for
 * coefficients of −1: −1 for a gradient, 1 for sums of squares.
 */
function withGradient(block: number, sign: number, loops: () => void): void {
  LOOPS.clearGradient();
  loops();
  LOOPS.storeGradient(block, sign);
}

/** Computes the partial matrix of every `stride`-th row; `from` and `to` (exclusive) count these rows. */
function squareRows(stride: number, part: Float64Array, from: number, to: number): void {
  const { phase, partSlopes, curvature } = ARRAYS;
  const { terms, rows } = SHARE;
  const selection = {
    length: to - from,
    rowAt: (index: number) => (from + index) * stride,
    groupAt: (index: number) => index,
    factorAt: (index: number) => Math.sqrt(curvature[from + index]),
  };
  part.set(pairSquares({ ...rows, phase, partSlopes }, selection, terms));
}

function rowsOf({ pass }: PassRequest): number {
  switch (pass.kind) {
    case 'linearise':
    case 'product':
    case 'squares':
      return Math.ceil(ARRAYS.phase.length / pass.stride);
    case 'try':
    case 'move':
      return pass.column.rows.length;
    case 'batch':
      return pass.rows;
    default:
      return ARRAYS.phase.length;
  }
}

parentPort?.on('message', (request: PassRequest) => {
  const next = (): number => Atomics.add(SHARE.nextBlock, 0, 1);
  for (let block = next(); block < request.blocks; block = next()) runBlock(block, request);
  parentPort?.postMessage('done');
});
