// The AssemblyScript body of ../primitives.ts: functions that the module imports from engine/search/kernel.ts, and integer operations.

@external('host', 'poll')
export declare function poll(): void;
@external('host', 'onRootMove')
export declare function onRootMove(move: Move, number: i32): void;
@external('host', 'isStopRaised')
export declare function isStopRaised(): bool;

export function min(a: i32, b: i32): i32 {
  return a < b ? a : b;
}

export function max(a: i32, b: i32): i32 {
  return a > b ? a : b;
}

export function abs(a: i32): i32 {
  return a < 0 ? -a : a;
}
