// The AssemblyScript body of ../integers.ts: instructions of WebAssembly.

export function popcount(lo: i32, hi: i32): i32 {
  return i32.popcnt(lo) + i32.popcnt(hi);
}

export function lsb(half: i32): i32 {
  return i32.ctz(half);
}

export function imul(a: i32, b: i32): i32 {
  return a * b;
}

export function min(a: i32, b: i32): i32 {
  return a < b ? a : b;
}

export function max(a: i32, b: i32): i32 {
  return a > b ? a : b;
}

export function abs(a: i32): i32 {
  return a < 0 ? -a : a;
}
