// solveEach(): the solutions for many right-hand sides, by the inverse C of a Cholesky factor, see invertFactor().

/** Returns Cᵀ C times each vector. */
export function solveEach(columns: Float64Array, vectors: readonly Float64Array[]): Float64Array[] {
  // C is too large for the caches, so four vectors are multiplied at a time
  const solved: Float64Array[] = [];
  for (let from = 0; from < vectors.length; from += 4) {
    const some = vectors.slice(from, from + 4);
    solved.push(...solveFour(columns, some).slice(0, some.length));
  }
  return solved;
}

function solveFour(columns: Float64Array, vectors: readonly Float64Array[]): Float64Array[] {
  const size = Math.sqrt(columns.length);
  const none = new Float64Array(size);
  const [a, b, c, d] = [...vectors, none, none, none];
  const [aHalf, bHalf, cHalf, dHalf] = [a, b, c, d].map(() => new Float64Array(size));
  for (let i = 0; i < size; i++) {
    const [ai, bi, ci, di] = [a[i], b[i], c[i], d[i]];
    for (let k = i, at = i * size + i; k < size; k++, at++) {
      const value = columns[at];
      aHalf[k] += ai * value;
      bHalf[k] += bi * value;
      cHalf[k] += ci * value;
      dHalf[k] += di * value;
    }
  }
  const solved = [a, b, c, d].map(() => new Float64Array(size));
  for (let i = 0; i < size; i++) {
    let [aSum, bSum, cSum, dSum] = [0, 0, 0, 0];
    for (let k = i, at = i * size + i; k < size; k++, at++) {
      const value = columns[at];
      aSum += aHalf[k] * value;
      bSum += bHalf[k] * value;
      cSum += cHalf[k] * value;
      dSum += dHalf[k] * value;
    }
    for (const [v, sum] of [aSum, bSum, cSum, dSum].entries()) solved[v][i] = sum;
  }
  return solved;
}
