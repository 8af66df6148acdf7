// eigen(): eigenvalues and eigenvectors of small symmetric matrices by Jacobi's method, which is simple and accurate to rounding error.

import type { SymmetricMatrix } from './cholesky.js';

const MAX_SWEEPS = 30;
/** Off-diagonal entries below this share of the sum of the absolute diagonal entries count as zero. */
const TOLERANCE = 1e-12;

export interface Eigen {
  values: Float64Array;
  /** Row i is the eigenvector of value i. */
  vectors: Float64Array;
}

/** Returns the eigenvalues and eigenvectors, unordered, of a symmetric matrix with both triangles filled. */
export function eigen({ size, values }: SymmetricMatrix): Eigen {
  const a = values.slice();
  const vectors = new Float64Array(size * size);
  for (let i = 0; i < size; i++) vectors[i * size + i] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let trace = 0;
    let largest = 0;
    for (let i = 0; i < size; i++) {
      trace += Math.abs(a[i * size + i]);
      for (let j = 0; j < i; j++) largest = Math.max(largest, Math.abs(a[i * size + j]));
    }
    if (!(largest > TOLERANCE * trace)) break;
    const least = TOLERANCE * trace;
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) if (Math.abs(a[p * size + q]) > least) rotate(a, vectors, size, p, q);
    }
  }
  return { values: Float64Array.from({ length: size }, (_, i) => a[i * size + i]), vectors };
}

/** Rotates axes p and q so that their off-diagonal entry becomes zero, and rotates the rows of `vectors` likewise. */
function rotate(a: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const [pp, qq, pq] = [p * size + p, q * size + q, p * size + q];
  const theta = (a[qq] - a[pp]) / (2 * a[pq]);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  a[pp] -= t * a[pq];
  a[qq] += t * a[pq];
  a[pq] = a[q * size + p] = 0;
  for (let k = 0, i = p * size, j = q * size; k < size; k++, i++, j++) {
    const v = vectors[i];
    const w = vectors[j];
    vectors[i] = c * v - s * w;
    vectors[j] = s * v + c * w;
    if (k === p || k === q) continue;
    const x = a[i];
    const y = a[j];
    a[i] = a[k * size + p] = c * x - s * y;
    a[j] = a[k * size + q] = s * x + c * y;
  }
}
