// Functions with one implementation for JavaScript and one for WebAssembly (wasm/primitives.ts): calls to the host, which WebAssembly
// imports, and operations on integers. Also allocates memory that threads share, outside the kernel's memory.

/** The host's functions. search/root/control.ts replaces them for a search. */
export const host = {
  /** Checks clock, node limit and stop flag; sets `signals.stopped` if the search must end. */
  poll: (): void => {},
  /** Reports the root move about to be searched; `number` counts from 1. */
  onRootMove: (_move: number, _number: number): void => {},
  /** Returns whether perft must stop. */
  isStopRaised: (): boolean => false,
};

export function poll(): void {
  host.poll();
}

export function onRootMove(move: Move, number: i32): void {
  host.onRootMove(move, number);
}

export function isStopRaised(): boolean {
  return host.isStopRaised();
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

/** Returns the index of the first maximum of `values[from..end)`, which must be 1 to 512 values within ±2^21. */
export function greatest(values: I32s, from: i32, end: i32): i32 {
  let best = from;
  for (let i = from + 1; i < end; i++) if (values[i] > values[best]) best = i;
  return best;
}

/** Returns memory shared between threads, or memory of this thread if shared memory is not allowed. */
export const sharedMemory = (bytes: number): SharedArrayBuffer =>
  typeof SharedArrayBuffer === 'undefined'
    ? (new ArrayBuffer(bytes) as unknown as SharedArrayBuffer)
    : new SharedArrayBuffer(bytes);
