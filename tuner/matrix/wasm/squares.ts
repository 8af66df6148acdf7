// Sums of the squares v·vᵀ of sparse vectors, whose entries are pairs (middlegame, endgame) of a term: two rows of the matrix and two columns
// for each term, lower triangle.

/** Terms whose rows are updated at a time, so that they stay in the cache. */
const BAND: i32 = 32;

/**
 * Adds the squares of `count` vectors: vector i has the entries from ends[i] to before ends[i + 1], in ascending order of terms. `next`
 * holds one number per vector.
 */
export function addSquares(
  matrix: usize,
  width: i32,
  terms: usize,
  values: usize,
  ends: usize,
  next: usize,
  count: i32,
): void {
  const line = (<usize>width) << 3;
  memory.copy(next, ends, (<usize>count) << 2);
  for (let band = 0; 2 * band < width; band += BAND) {
    for (let i = 0; i < count; i++) {
      const start = <usize>load<u32>(ends + ((<usize>i) << 2));
      const end = <usize>load<u32>(ends + ((<usize>i) << 2), 4);
      let a = <usize>load<u32>(next + ((<usize>i) << 2));
      for (; a < end; a++) {
        const term = load<i32>(terms + (a << 2));
        if (term >= band + BAND) break;
        const row = matrix + 2 * <usize>term * line;
        const mg = v128.load64_splat(values + (a << 4));
        const eg = v128.load64_splat(values + (a << 4), 8);
        for (let b = start; b <= a; b++) {
          const place = row + ((<usize>load<u32>(terms + (b << 2))) << 4);
          const value = v128.load(values + (b << 4));
          v128.store(place, f64x2.add(v128.load(place), f64x2.mul(mg, value)));
          v128.store(place + line, f64x2.add(v128.load(place + line), f64x2.mul(eg, value)));
        }
      }
      store<u32>(next + ((<usize>i) << 2), <u32>a);
    }
  }
}
