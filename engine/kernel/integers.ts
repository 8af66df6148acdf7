// Integer operations that are single instructions in WebAssembly (wasm/integers.ts).

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

/** Returns the absolute value. */
export function abs(a: i32): i32 {
  return a < 0 ? 0 - a : a;
}
