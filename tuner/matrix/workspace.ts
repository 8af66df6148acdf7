// workspace(): matrices in the memory of the WebAssembly module (wasm/*.ts), whose functions receive them by address.

import { readFileSync } from 'node:fs';
import { workerFile } from '../../selfplay/common/program.js';

interface Loops {
  factorize(matrix: number, size: number, width: number): number;
  invertFactor(factor: number, columns: number, size: number, width: number): void;
  subtractProducts(matrix: number, a: number, b: number, size: number, width: number, isLower: number): void;
  addSquares(
    ...[matrix, size, terms, values, ends, next, count]: [number, number, number, number, number, number, number]
  ): void;
  addSigned(...[sums, terms, values, ends, signs, count]: [number, number, number, number, number, number]): void;
}

const PAGE = 65_536;
const PAGES_MAX = 65_535;
/** Rows of a tile of the loops. The width of a matrix is a multiple of it. */
const TILE = 4;

const memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES_MAX });
const code = readFileSync(new URL('matrix.wasm', workerFile('tuner/matrix/workspace')));
/** The functions of the module. */
export const loops = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } })
  .exports as unknown as Loops;

/** Returns `matrices` zero matrices of `size` rows, followed by `more` bytes. Invalidates the results of earlier calls. */
export function workspace(size: number, matrices: number, more = 0) {
  // Rows and columns of zeros pad the last tiles
  const width = TILE * Math.ceil(size / TILE);
  const bytes = 8 * width * width;
  const end = PAGE + matrices * bytes;
  const missing = end + more - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  const addresses = Array.from({ length: matrices }, (_, index) => PAGE + index * bytes);
  /** Returns a view of a matrix, with rows of `width` numbers. */
  const rows = (index: number): Float64Array => new Float64Array(memory.buffer, addresses[index], width * width);
  for (const index of addresses.keys()) rows(index).fill(0);
  return {
    width,
    addresses,
    /** Address of the additional bytes, and the memory that contains everything. */
    end,
    buffer: memory.buffer,
    put(index: number, values: Float64Array): void {
      const all = rows(index);
      for (let i = 0; i < size; i++) all.set(values.subarray(i * size, (i + 1) * size), i * width);
    },
    take(index: number, values: Float64Array): void {
      const all = rows(index);
      for (let i = 0; i < size; i++) values.set(all.subarray(i * width, i * width + size), i * size);
    },
  };
}
