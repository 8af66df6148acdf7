// Cholesky decomposition for matrices of a few thousand rows, with SIMD vectors of two numbers. Columns are eliminated in panels. After
// each panel, the columns to its right are updated in tiles of four rows and two columns, which saves memory reads and keeps the sums
// independent. A matrix is given by its address. Its rows are contiguous, with `width` numbers each, a multiple of four.

/** Columns per panel, chosen so that the tiles fit the cache. Must be even. */
const PANEL: i32 = 48;

function at(matrix: usize, width: i32, row: i32, column: i32): usize {
  return matrix + ((<usize>row * <usize>width + <usize>column) << 3);
}

/**
 * Replaces the lower triangle with the Cholesky factor and returns 1. Returns 0, with the matrix overwritten, if the matrix is not positive
 * definite.
 */
export function factorize(matrix: usize, size: i32, width: i32): i32 {
  for (let from = 0; from < size; from += PANEL) {
    const to = min(size, from + PANEL);
    for (let i = from; i < size; i++) {
      const row = at(matrix, width, i, from);
      for (let j = from; j < min(i, to); j++) eliminate(row, at(matrix, width, j, from), j - from);
      if (i >= to) continue;
      const place = row + ((<usize>(i - from)) << 3);
      const pivot = load<f64>(place) - dot(row, row, i - from);
      if (!(pivot > 0)) return 0;
      store<f64>(place, Math.sqrt(pivot));
    }
    for (let i = to; i < size; i += 4) {
      const row = at(matrix, width, i, from);
      for (let j = to; j < i + 4; j += 2) {
        subtractTile(at(matrix, width, i, j), row, at(matrix, width, j, from), width, to - from);
      }
    }
  }
  return 1;
}

/** Replaces row i of the identity in `columns` with column i of the inverse of the factor L. */
export function invertFactor(factor: usize, columns: usize, size: i32, width: i32): void {
  for (let from = 0; from < size; from += PANEL) {
    const to = min(size, from + PANEL);
    for (let i = 0; i < to; i++) {
      const start = max(i, from);
      const row = at(columns, width, i, start);
      for (let k = start; k < to; k++) eliminate(row, at(factor, width, k, start), k - start);
    }
    for (let i = 0; i < to; i += 4) {
      const row = at(columns, width, i, from);
      for (let k = to; k < size; k += 2) {
        subtractTile(at(columns, width, i, k), row, at(factor, width, k, from), width, to - from);
      }
    }
  }
}

/** Computes entry `index` of a row of the factor, or of its inverse, from the entries before it and row `other` of the factor. */
function eliminate(row: usize, other: usize, index: i32): void {
  const offset = (<usize>index) << 3;
  const rest = load<f64>(row + offset) - dot(row, other, index);
  store<f64>(row + offset, rest / load<f64>(other + offset));
}

/**
 * Subtracts a·bᵀ from the matrix. With `isLower`, `a` and `b` are the same upper triangle, and only the lower triangle of the result is
 * valid.
 */
export function subtractProducts(matrix: usize, a: usize, b: usize, size: i32, width: i32, isLower: i32): void {
  for (let from = 0; from < size; from += PANEL) {
    const to = min(size, from + PANEL);
    const end = isLower !== 0 ? to : size;
    for (let i = 0; i < end; i += 4) {
      const row = at(a, width, i, from);
      const last = isLower !== 0 ? i + 4 : size;
      for (let j = 0; j < last; j += 2) {
        subtractTile(at(matrix, width, i, j), row, at(b, width, j, from), width, to - from);
      }
    }
  }
}

/** Subtracts the products of four rows of `a` with two rows of `b`, over `count` columns, from a tile of four rows and two columns. */
function subtractTile(place: usize, a: usize, b: usize, width: i32, count: i32): void {
  const next = (<usize>width) << 3;
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  let t0 = f64x2.splat(0);
  let t1 = f64x2.splat(0);
  let t2 = f64x2.splat(0);
  let t3 = f64x2.splat(0);
  const a2 = a + 2 * next;
  for (let k: usize = 0, end = (<usize>count) << 3; k < end; k += 16) {
    const b0 = v128.load(b + k);
    const b1 = v128.load(b + next + k);
    let row = v128.load(a + k);
    s0 = f64x2.add(s0, f64x2.mul(row, b0));
    t0 = f64x2.add(t0, f64x2.mul(row, b1));
    row = v128.load(a + next + k);
    s1 = f64x2.add(s1, f64x2.mul(row, b0));
    t1 = f64x2.add(t1, f64x2.mul(row, b1));
    row = v128.load(a2 + k);
    s2 = f64x2.add(s2, f64x2.mul(row, b0));
    t2 = f64x2.add(t2, f64x2.mul(row, b1));
    row = v128.load(a2 + next + k);
    s3 = f64x2.add(s3, f64x2.mul(row, b0));
    t3 = f64x2.add(t3, f64x2.mul(row, b1));
  }
  subtractSums(place, s0, t0);
  subtractSums(place + next, s1, t1);
  subtractSums(place + 2 * next, s2, t2);
  subtractSums(place + 3 * next, s3, t3);
}

/** Subtracts the sums of the lanes of `s` and of `t` from two adjacent numbers. */
function subtractSums(place: usize, s: v128, t: v128): void {
  const sums = f64x2.add(v128.shuffle<f64>(s, t, 0, 2), v128.shuffle<f64>(s, t, 1, 3));
  v128.store(place, f64x2.sub(v128.load(place), sums));
}

/** Returns the scalar product of two rows over `count` columns. */
function dot(a: usize, b: usize, count: i32): f64 {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let k: usize = 0;
  for (const end = (<usize>(count & ~3)) << 3; k < end; k += 32) {
    s0 = f64x2.add(s0, f64x2.mul(v128.load(a + k), v128.load(b + k)));
    s1 = f64x2.add(s1, f64x2.mul(v128.load(a + k, 16), v128.load(b + k, 16)));
  }
  s0 = f64x2.add(s0, s1);
  let sum = f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1);
  for (const end = (<usize>count) << 3; k < end; k += 8) sum += load<f64>(a + k) * load<f64>(b + k);
  return sum;
}
