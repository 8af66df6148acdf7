// The WebAssembly implementation of ../numbers.ts.

const SHIFT: f64 = 6755399441055744;

/** Returns 2^n. The low bits of SHIFT + n are n, which is shifted into the exponent. */
export function powerOfTwo(n: f64): f64 {
  return reinterpret<f64>((reinterpret<i64>(n + SHIFT) + 1023) << 52);
}

/** Returns the natural logarithm. It is imported, so both implementations use JavaScript's logarithm. */
export declare function log(x: f64): f64;
