// The AssemblyScript body of ../integers.ts: instructions of WebAssembly.

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
