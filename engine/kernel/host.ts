// What the kernel asks of the program around it. In WebAssembly these are imported functions (wasm/host.ts).

/** The program's answers; search/root/control.ts gives those of a search. */
export const host = {
  /** Looks at clock, node limit and stop flag; sets STOPPED among the signals when the search must end. */
  poll: (): void => {},
  /** Tells that the search turns to the root move, the `number`-th from 1. */
  onRootMove: (_move: number, _number: number): void => {},
  /** Whether a count of moves must end. */
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
