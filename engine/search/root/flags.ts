// What threads that do not search share with those that do: the flags they raise, and defaults of the search. Imports nothing: the program's own
// thread has no memory of the kernel.

/** Stop flag: any thread sets it to a value other than 0 to end the search. */
export const STOP = 0;
/** Set once the opponent has played the move pondered on. */
export const PONDER_HIT = 1;
/** Counts changes of the other flags; a finished search that must not answer yet sleeps on it. */
export const WAKE = 2;

/** Mebibytes of the transposition table. */
export const DEFAULT_HASH = 16;
/** Default time in ms kept back for the communication with the GUI: a busy machine pauses a Node process longer than a native one. */
export const DEFAULT_MOVE_OVERHEAD = 30;
/** Maximum number of threads. */
export const MAX_THREADS = 128;

/** Index in the helper threads' flags, the thread's number added: messages that it has carried out, or GONE. */
export const DONE = 3;
export const GONE = -1;
export const FLAG_COUNT = DONE + MAX_THREADS;

/** The flags of the threads that search together, and which of them is meant. */
export interface ThreadFlags {
  flags: SharedArrayBuffer;
  thread: number;
}

/** Counts a message that the thread has carried out. */
export function countDone({ flags, thread }: ThreadFlags): void {
  const counts = new Int32Array(flags);
  Atomics.add(counts, DONE + thread, 1);
  Atomics.notify(counts, DONE + thread);
}

/** Marks a thread that has ended or could not start: the leader waits for it no longer. */
export function markGone({ flags, thread }: ThreadFlags): void {
  const counts = new Int32Array(flags);
  Atomics.store(counts, DONE + thread, GONE);
  Atomics.notify(counts, DONE + thread);
}

/** Returns whether a thread has carried out nothing yet. */
export const isStarting = ({ flags, thread }: ThreadFlags): boolean =>
  Atomics.load(new Int32Array(flags), DONE + thread) === 0;

/** Returns the line that reports helpers that were marked as gone. */
export const formatLoss = (count: number, reason: string): string =>
  `info string error: ${count} helper thread${count === 1 ? '' : 's'} failed: ${reason}; the search continues without`;

/** Returns whether the line reports such helpers. */
export const isLoss = (line: string): boolean => /^info string error: \d+ helper threads? failed: /.test(line);
