// The AssemblyScript body of ../trace.ts: WebAssembly never traces, and the compiler leaves out what would.

export const tracing: bool = false;

export function count(us: Color, term: i32, times: i32): void {}

export function dropDanger(us: Color): void {}

export function countDanger(us: Color, term: i32, times: i32): void {}

export function countScale(us: Color, term: i32, times: i32): void {}
