// A worker thread of the objective: takes blocks of rows as long as there are any and runs the pass asked for over each,
// with the loops compiled to JavaScript or to WebAssembly.

import { parentPort, workerData } from 'node:worker_threads';
import * as javascript from '../loops/pass.js';
import * as tables from '../loops/tables.js';
import { pairSquares } from '../matrix/normal-matrix.js';
import { moveColumn, tryColumn } from './column-pass.js';
import type { PassRequest, WorkerShare } from './objective.js';
import { layOutRows } from './signed-rows.js';

const SHARE = workerData as WorkerShare;
const ARRAYS = SHARE.arrays;
const LOOPS = SHARE.wasm === undefined ? javascript : webAssembly(SHARE.wasm);

/** Returns the same loops of the module, its tables at the addresses of ours. */
function webAssembly({ module, memory }: NonNullable<WorkerShare['wasm']>): typeof javascript {
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, 'numbers.js': { log: Math.log } });
  for (const [name, table] of Object.entries(tables)) {
    (exports[name] as WebAssembly.Global).value = typeof table === 'number' ? table : table.byteOffset;
  }
  return exports as typeof javascript;
}

let blocks = 1;
const blockStart = (length: number, block: number): number => Math.floor((length * block) / blocks);

function runBlock(block: number, request: PassRequest): void {
  const { pass, scale } = request;
  const squared = request.loss === 'mse' ? 1 : 0;
  const slot = 4 * block;
  const length = rowsOf(request);
  const from = blockStart(length, block);
  const to = blockStart(length, block + 1);
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
  }
  LOOPS.clearGradient();
  switch (pass.kind) {
    case 'gradient':
      LOOPS.passRows(from, to, scale, squared, 1, slot);
      break;
    case 'batch':
      LOOPS.batchRows(from, to, scale, squared);
      break;
    case 'linearise':
      LOOPS.lineariseRows(from, to, pass.stride, scale, squared, slot);
      break;
    case 'squares':
      LOOPS.lineariseRows(from, to, pass.stride, scale, squared, slot);
      return squareRows(pass.stride, pass.parts[block], from, to);
    case 'product':
      LOOPS.productRows(from, to, pass.stride);
      break;
  }
  LOOPS.storeGradient(block, pass.kind === 'linearise' ? 1 : -1);
}

/** Fills in the matrix of rows from · stride to before to · stride. */
function squareRows(stride: number, part: Float64Array, from: number, to: number): void {
  const { phase, bends, curvature } = ARRAYS;
  const { terms, rows } = SHARE;
  const selection = {
    ...{ length: to - from, rowAt: (index: number) => (from + index) * stride, groupAt: (index: number) => index },
    factorAt: (index: number) => Math.sqrt(curvature[from + index]),
  };
  const { values, width } = pairSquares({ ...rows, phase, bends }, selection, terms);
  for (let i = 0; i < 2 * terms; i++) part.set(values.subarray(i * width, i * width + 2 * terms), i * 2 * terms);
}

/** How many rows the pass goes over. */
function rowsOf({ pass }: PassRequest): number {
  const all = ARRAYS.phase.length;
  switch (pass.kind) {
    case 'batch':
      return pass.rows;
    case 'linearise':
    case 'product':
    case 'squares':
      return Math.ceil(all / pass.stride);
    case 'try':
    case 'move':
      return pass.column.rows.length;
    default:
      return all;
  }
}

parentPort?.on('message', (request: PassRequest) => {
  blocks = request.blocks;
  for (let block = Atomics.add(SHARE.nextBlock, 0, 1); block < blocks; block = Atomics.add(SHARE.nextBlock, 0, 1)) {
    runBlock(block, request);
  }
  parentPort?.postMessage('done');
});
