// eigen(): eigenvalues and eigenvectors of small symmetric matrices by Jacobi's method, which is short and exact to rounding.

import type { SymmetricMatrix } from './cholesky.js';

const MAX_SWEEPS = 30;
/** Off-diagonal entries below this share of the trace are zero. */
const TOLERANCE = 1e-12;

export interface Eigen {
  values: Float64Array;
  /** Column i belongs to value i; row by row. */
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

/** Rotates the axes p and q so that their off-diagonal entry becomes zero. */
function rotate(a: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const theta = (a[q * size + q] - a[p * size + p]) / (2 * a[p * size + q]);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < size; k++) {
    const x = a[p * size + k];
    const y = a[q * size + k];
    a[p * size + k] = c * x - s * y;
    a[q * size + k] = s * x + c * y;
  }
  for (let k = 0; k < size; k++) {
    const x = a[k * size + p];
    const y = a[k * size + q];
    a[k * size + p] = c * x - s * y;
    a[k * size + q] = s * x + c * y;
    const v = vectors[k * size + p];
    const w = vectors[k * size + q];
    vectors[k * size + p] = c * v - s * w;
    vectors[k * size + q] = s * v + c * w;
  }
}
