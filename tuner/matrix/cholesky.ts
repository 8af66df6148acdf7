// factorize() and what can be done with its factor: Cholesky's method for matrices of a few thousand rows. Panels of
// columns are eliminated one after the other, what is right of them in tiles of four rows and two columns: that reads memory seldom, and
// the sums do not wait for each other.

/** A symmetric matrix, row by row; only the lower triangle is read. */
export interface SymmetricMatrix {
  size: number;
  values: Float64Array;
}

const BAND = 4;
/** Columns that are eliminated at a time: the tiles that they make fit the caches. */
const PANEL = 64;

/** Replaces the matrix by its Cholesky factor L (lower triangle); returns false, the matrix spoilt, if it is not positive definite. */
export function factorize({ size, values }: SymmetricMatrix): boolean {
  for (let from = 0; from < size; from += PANEL) {
    const to = Math.min(size, from + PANEL);
    for (let i = from; i < size; i++) {
      for (let j = from; j < Math.min(i, to); j++) {
        const sum = dotRows(values, i * size, j * size, from, j);
        values[i * size + j] = (values[i * size + j] - sum) / values[j * size + j];
      }
      if (i >= to) continue;
      const pivot = values[i * size + i] - dotRows(values, i * size, i * size, from, i);
      if (!(pivot > 0)) return false;
      values[i * size + i] = Math.sqrt(pivot);
    }
    for (let i = to; i < size; i += 4) {
      for (let j = to; j < i + 4; j += 2) subtractTile({ values, i, j }, values, values, size, from, to);
    }
  }
  return true;
}

/** Returns the solution x of A x = right, A being what factorize() was given. */
export function solveFactorized({ size, values }: SymmetricMatrix, right: Float64Array): Float64Array {
  const x = right.slice();
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) x[i] -= values[i * size + k] * x[k];
    x[i] /= values[i * size + i];
  }
  for (let i = size - 1; i >= 0; i--) {
    x[i] /= values[i * size + i];
    for (let k = 0; k < i; k++) x[k] -= values[i * size + k] * x[i];
  }
  return x;
}

/** Fills `columns` with the inverse of the factor L that factorize() left: row i is column i, zero before its diagonal. */
export function invertFactor({ size, values }: SymmetricMatrix, columns: Float64Array): void {
  columns.fill(0);
  for (let i = 0; i < size; i++) columns[i * size + i] = 1;
  for (let from = 0; from < size; from += PANEL) {
    const to = Math.min(size, from + PANEL);
    for (let i = 0; i < to; i++) {
      for (let k = Math.max(i, from); k < to; k++) {
        let sum = columns[i * size + k];
        for (let m = Math.max(i, from); m < k; m++) sum -= columns[i * size + m] * values[k * size + m];
        columns[i * size + k] = sum / values[k * size + k];
      }
    }
    for (let i = 0; i < to; i += 4) {
      for (let k = to; k < size; k += 2) subtractTile({ values: columns, i, j: k }, columns, values, size, from, to);
    }
  }
}

/** Replaces what factorize() left by the inverse of the original matrix, both triangles filled. */
export function invertFactorized({ size, values }: SymmetricMatrix): void {
  const columns = new Float64Array(size * size);
  invertFactor({ size, values }, columns);
  values.fill(0);
  for (let from = 0; from < size; from += PANEL) {
    const to = Math.min(size, from + PANEL);
    for (let i = 0; i < to; i += 4) {
      for (let j = 0; j < i + 4; j += 2) subtractTile({ values, i, j }, columns, columns, size, from, to);
    }
  }
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) values[i * size + j] = values[j * size + i] = -values[i * size + j];
  }
}

/** Subtracts from four rows and two columns the products of rows of `a` and of `b`, over columns `from` to before `to`. */
function subtractTile(
  { values, i, j }: { values: Float64Array; i: number; j: number },
  a: Float64Array,
  b: Float64Array,
  size: number,
  from: number,
  to: number,
): void {
  if (i + 4 > size || j + 2 > size) {
    for (let row = i; row < Math.min(size, i + 4); row++) {
      for (let column = j; column < Math.min(size, j + 2); column++) {
        let sum = 0;
        for (let k = from; k < to; k++) sum += a[row * size + k] * b[column * size + k];
        values[row * size + column] -= sum;
      }
    }
    return;
  }
  let [s0, s1, s2, s3, t0, t1, t2, t3] = [0, 0, 0, 0, 0, 0, 0, 0];
  let at = i * size + from;
  let other = j * size + from;
  for (const end = i * size + to; at < end; at++, other++) {
    const b0 = b[other];
    const b1 = b[other + size];
    const a0 = a[at];
    const a1 = a[at + size];
    const a2 = a[at + 2 * size];
    const a3 = a[at + 3 * size];
    s0 += a0 * b0;
    s1 += a1 * b0;
    s2 += a2 * b0;
    s3 += a3 * b0;
    t0 += a0 * b1;
    t1 += a1 * b1;
    t2 += a2 * b1;
    t3 += a3 * b1;
  }
  const first = i * size + j;
  values[first] -= s0;
  values[first + 1] -= t0;
  values[first + size] -= s1;
  values[first + size + 1] -= t1;
  values[first + 2 * size] -= s2;
  values[first + 2 * size + 1] -= t2;
  values[first + 3 * size] -= s3;
  values[first + 3 * size + 1] -= t3;
}

/** Calls `visit` with the product of two symmetric matrices, both triangles filled, a row at a time; rows are used again. */
export function eachProductRow(
  a: SymmetricMatrix,
  b: SymmetricMatrix,
  visit: (index: number, row: Float64Array) => void,
): void {
  const { size } = a;
  const sums = new Float64Array(BAND);
  const lines = Array.from({ length: BAND }, () => new Float64Array(size));
  for (let top = 0; top < size; top += BAND) {
    const rows = Math.min(BAND, size - top);
    for (let j = 0; j < size; j++) {
      bandDots(a.values, { top, rows, size }, { values: b.values, row: j * size, from: 0, to: size }, sums);
      for (let r = 0; r < rows; r++) lines[r][j] = sums[r];
    }
    for (let r = 0; r < rows; r++) visit(top + r, lines[r]);
  }
}

/** Rows `top` to before `top + rows` of a matrix. */
interface Band {
  top: number;
  rows: number;
  size: number;
}

/** Columns `from` to before `to` of the row that begins at `row`. */
interface Stretch {
  values: Float64Array;
  row: number;
  from: number;
  to: number;
}

/** Puts the dot products of each row of the band with the stretch into `sums`. */
function bandDots(a: Float64Array, { top, rows, size }: Band, stretch: Stretch, sums: Float64Array): void {
  const { values: b, row, from, to } = stretch;
  const first = top * size;
  if (rows < BAND) {
    for (let r = 0; r < rows; r++) {
      let sum = 0;
      for (let k = from; k < to; k++) sum += a[first + r * size + k] * b[row + k];
      sums[r] = sum;
    }
    return;
  }
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let k = from; k < to; k++) {
    const value = b[row + k];
    const at = first + k;
    s0 += a[at] * value;
    s1 += a[at + size] * value;
    s2 += a[at + 2 * size] * value;
    s3 += a[at + 3 * size] * value;
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}

function dotRows(values: Float64Array, a: number, b: number, from: number, to: number): number {
  let sum = 0;
  for (let k = from; k < to; k++) sum += values[a + k] * values[b + k];
  return sum;
}
