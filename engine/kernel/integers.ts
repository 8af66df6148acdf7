// Integer arithmetic as JavaScript does it fastest; WebAssembly has instructions for most of it (wasm/integers.ts).

/** Returns the number of set bits in the two halves: SWAR (Wilkes, Wheeler and Gill) with both halves merged half-way. */
export function popcount(lo: i32, hi: i32): i32 {
  lo -= (lo >>> 1) & 0x55555555;
  hi -= (hi >>> 1) & 0x55555555;
  lo = (lo & 0x33333333) + ((lo >>> 2) & 0x33333333);
  hi = (hi & 0x33333333) + ((hi >>> 2) & 0x33333333);
  const sum = (lo & 0x0f0f0f0f) + ((lo >>> 4) & 0x0f0f0f0f) + (hi & 0x0f0f0f0f) + ((hi >>> 4) & 0x0f0f0f0f);
  return Math.imul(sum, 0x01010101) >>> 24;
}

/** Returns the index of the lowest set bit of one half, which must not be zero. */
export function lsb(half: i32): i32 {
  return 31 - Math.clz32(half & -half);
}

/** Returns the product, cut to 32 bits. */
export function imul(a: i32, b: i32): i32 {
  return Math.imul(a, b);
}

/** Returns the smaller of two integers. */
export function min(a: i32, b: i32): i32 {
  return a < b ? a : b;
}

/** Returns the greater of two integers. */
export function max(a: i32, b: i32): i32 {
  return a > b ? a : b;
}

/** Returns the integer without its sign. */
export function abs(a: i32): i32 {
  return a < 0 ? 0 - a : a;
}
