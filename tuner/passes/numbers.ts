// Functions with two implementations: this one for JavaScript, and wasm/numbers.ts for WebAssembly. Both return the same bits.

/** 2^n, indexed by n + 1023, for normal numbers. */
const POWERS = Float64Array.from({ length: 2047 }, (_, i) => 2 ** (i - 1023));

/** Returns 2^n for a whole n from −1022 to 1023. */
export function powerOfTwo(n: f64): f64 {
  return POWERS[n + 1023];
}

/** Returns the natural logarithm. */
export function log(x: f64): f64 {
  return Math.log(x);
}
