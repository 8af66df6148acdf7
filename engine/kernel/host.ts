// Host functions that the kernel calls. In WebAssembly they are imports (wasm/host.ts).

/** The host's implementation; search/root/control.ts has the one of a search. */
export const host = {
  /** Checks clock, node limit and stop flag; sets STOPPED among the signals when the search must end. */
  poll: (): void => {},
  /** Reports that the search turns to a root move; `number` counts from 1. */
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
