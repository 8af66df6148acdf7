// factorize(): Cholesky decomposition for matrices of a few thousand rows, and operations on the factor. The cubic loops run in WebAssembly
// (wasm/elimination.ts). Copying the matrices takes 1 % of the time.

import { loops, workspace } from './workspace.js';

/** A symmetric matrix of `size` rows, stored row by row. Unless stated otherwise, only the lower triangle is read. */
export interface SymmetricMatrix {
  size: number;
  values: Float64Array;
}

/**
 * Replaces the lower triangle of the matrix with its Cholesky factor L. Returns false, with the matrix overwritten, if the matrix is not
 * positive definite.
 */
export function factorize({ size, values }: SymmetricMatrix): boolean {
  const { width, addresses, put, take } = workspace(size, 1);
  put(0, values);
  const isDone = loops.factorize(addresses[0], size, width) === 1;
  take(0, values);
  return isDone;
}

/** Returns the solution x of A x = right, given the Cholesky factor of A. */
export function solveFactorized({ size, values }: SymmetricMatrix, right: Float64Array): Float64Array {
  const x = right.slice();
  for (let i = 0; i < size; i++) {
    let rest = x[i];
    for (let k = 0; k < i; k++) rest -= values[i * size + k] * x[k];
    x[i] = rest / values[i * size + i];
  }
  for (let i = size - 1; i >= 0; i--) {
    const value = x[i] / values[i * size + i];
    x[i] = value;
    for (let k = 0; k < i; k++) x[k] -= values[i * size + k] * value;
  }
  return x;
}

/** Fills row i of `columns` with column i of the inverse of the factor L, which is zero before the diagonal. */
export function invertFactor({ size, values }: SymmetricMatrix, columns: Float64Array): void {
  const { width, addresses, put, take } = workspace(size, 2);
  columns.fill(0);
  for (let i = 0; i < size; i++) columns[i * size + i] = 1;
  put(0, values);
  put(1, columns);
  loops.invertFactor(addresses[0], addresses[1], size, width);
  take(1, columns);
}

/** Replaces the Cholesky factor with the inverse of the original matrix, with both triangles filled. */
export function invertFactorized({ size, values }: SymmetricMatrix): void {
  const columns = new Float64Array(size * size);
  invertFactor({ size, values }, columns);
  const { width, addresses, put, take } = workspace(size, 2);
  put(0, columns);
  loops.subtractProducts(addresses[1], addresses[0], addresses[0], size, width, 1);
  take(1, values);
  for (let i = 0; i < values.length; i++) values[i] = -values[i];
  mirror({ size, values });
}

/** Side length of the square blocks that mirror() copies; they fit into the cache. */
const BLOCK = 32;

/** Copies the lower triangle to the upper one. */
export function mirror({ size, values }: SymmetricMatrix): void {
  for (let top = 0; top < size; top += BLOCK) {
    for (let left = 0; left <= top; left += BLOCK) {
      for (let i = top; i < Math.min(size, top + BLOCK); i++) {
        for (let j = left; j < Math.min(i, left + BLOCK); j++) values[j * size + i] = values[i * size + j];
      }
    }
  }
}

/** Returns the product, row by row, of two symmetric matrices with both triangles filled. */
export function productOf({ size, values }: SymmetricMatrix, other: SymmetricMatrix): Float64Array {
  const { width, addresses, put, take } = workspace(size, 3);
  put(0, values);
  put(1, other.values);
  loops.subtractProducts(addresses[2], addresses[0], addresses[1], size, width, 0);
  const product = new Float64Array(size * size);
  take(2, product);
  return product.map((value) => -value);
}

/** Returns the scalar product of two vectors. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
