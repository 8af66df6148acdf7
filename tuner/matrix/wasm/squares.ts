// Sums over sparse vectors. An entry of a vector is a term with a pair of values (middlegame, endgame). Vector i has the entries from
// ends[i] to ends[i + 1] (exclusive).

/** Number of terms whose rows are updated together, to keep them in the cache. */
const BAND: i32 = 16;

/**
 * Adds v·vᵀ for `count` vectors to the lower triangle of a matrix with four numbers for each pair of `size` terms. The terms of each vector
 * must be in ascending order. `next` is scratch memory with 32 bits per vector, for the index of the first entry after the finished bands.
 */
export function addSquares(
  matrix: usize,
  size: i32,
  terms: usize,
  values: usize,
  ends: usize,
  next: usize,
  count: i32,
): void {
  memory.copy(next, ends, (<usize>count) << 2);
  for (let band = 0; band < size; band += BAND) {
    for (let i = 0; i < count; i++) {
      const start = <usize>load<u32>(ends + ((<usize>i) << 2));
      const end = <usize>load<u32>(ends + ((<usize>i) << 2), 4);
      let a = <usize>load<u32>(next + ((<usize>i) << 2));
      let stop = a;
      while (stop < end && load<i32>(terms + (stop << 2)) < band + BAND) stop++;
      // Two rows at a time, so each value is loaded only once for both
      for (; a + 1 < stop; a += 2) {
        const upper = rowOf(matrix, load<u32>(terms + (a << 2)));
        const lower = rowOf(matrix, load<u32>(terms + (a << 2), 4));
        const mg0 = v128.load64_splat(values + (a << 4));
        const eg0 = v128.load64_splat(values + (a << 4), 8);
        const mg1 = v128.load64_splat(values + (a << 4), 16);
        const eg1 = v128.load64_splat(values + (a << 4), 24);
        for (let b = start; b <= a; b++) {
          const column = (<usize>load<u32>(terms + (b << 2))) << 5;
          const value = v128.load(values + (b << 4));
          addProducts(upper + column, mg0, eg0, value);
          addProducts(lower + column, mg1, eg1, value);
        }
        const own = (<usize>load<u32>(terms + (a << 2), 4)) << 5;
        addProducts(lower + own, mg1, eg1, v128.load(values + (a << 4), 16));
      }
      for (; a < stop; a++) {
        const row = rowOf(matrix, load<u32>(terms + (a << 2)));
        const mg = v128.load64_splat(values + (a << 4));
        const eg = v128.load64_splat(values + (a << 4), 8);
        for (let b = start; b <= a; b++) {
          const column = (<usize>load<u32>(terms + (b << 2))) << 5;
          addProducts(row + column, mg, eg, v128.load(values + (b << 4)));
        }
      }
      store<u32>(next + ((<usize>i) << 2), <u32>a);
    }
  }
}

/** Returns the address of the row of a term in the lower triangle. */
function rowOf(matrix: usize, term: u32): usize {
  return matrix + ((<usize>term * <usize>(term + 1)) << 4);
}

/** Adds the four products of two pairs of values to four adjacent numbers. */
function addProducts(place: usize, mg: v128, eg: v128, value: v128): void {
  v128.store(place, f64x2.add(v128.load(place), f64x2.mul(mg, value)));
  v128.store(place, f64x2.add(v128.load(place, 16), f64x2.mul(eg, value)), 16);
}

/**
 * Adds `count` vectors to 16 sums, with one sign per vector and sum: bit j of signs[i] is set if sum j subtracts vector i. If a bit above
 * bit 15 is set, the vector is left out. For each term, the 16 middlegame sums come first, then the 16 endgame sums.
 */
export function addSigned(sums: usize, terms: usize, values: usize, ends: usize, signs: usize, count: i32): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const bits = load<u32>(signs + (i << 2));
    if (bits >>> 16 !== 0) continue;
    const s0 = signsOf(bits);
    const s1 = signsOf(bits >>> 2);
    const s2 = signsOf(bits >>> 4);
    const s3 = signsOf(bits >>> 6);
    const s4 = signsOf(bits >>> 8);
    const s5 = signsOf(bits >>> 10);
    const s6 = signsOf(bits >>> 12);
    const s7 = signsOf(bits >>> 14);
    const end = <usize>load<u32>(ends + (i << 2), 4);
    for (let at = <usize>load<u32>(ends + (i << 2)); at < end; at++) {
      let place = sums + ((<usize>load<u32>(terms + (at << 2))) << 8);
      for (let phase: usize = 0; phase < 16; phase += 8) {
        const value = v128.load64_splat(values + (at << 4) + phase);
        v128.store(place, f64x2.add(v128.load(place), f64x2.mul(s0, value)));
        v128.store(place, f64x2.add(v128.load(place, 16), f64x2.mul(s1, value)), 16);
        v128.store(place, f64x2.add(v128.load(place, 32), f64x2.mul(s2, value)), 32);
        v128.store(place, f64x2.add(v128.load(place, 48), f64x2.mul(s3, value)), 48);
        v128.store(place, f64x2.add(v128.load(place, 64), f64x2.mul(s4, value)), 64);
        v128.store(place, f64x2.add(v128.load(place, 80), f64x2.mul(s5, value)), 80);
        v128.store(place, f64x2.add(v128.load(place, 96), f64x2.mul(s6, value)), 96);
        v128.store(place, f64x2.add(v128.load(place, 112), f64x2.mul(s7, value)), 112);
        place += 128;
      }
    }
  }
}

/** Returns the signs of the two lowest bits: 1 for a clear bit, −1 for a set one. */
function signsOf(bits: u32): v128 {
  const first = f64x2.splat(1 - 2 * <f64>(bits & 1));
  return f64x2.replace_lane(first, 1, 1 - 2 * <f64>((bits >>> 1) & 1));
}
