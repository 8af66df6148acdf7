// Control flags and search defaults for all threads. This file imports nothing, because the main thread has no kernel memory.

/** Stop flag: any thread sets it to a value other than 0 to end the search. */
export const STOP = 0;
/** Set on ponderhit. */
export const PONDER_HIT = 1;
/** Counts changes to the other flags; a finished search that must not answer yet waits on it. */
export const WAKE = 2;

/** Default size of the transposition table in MiB. */
export const DEFAULT_HASH = 16;
/** Default overhead for communication with the GUI in ms; a busy machine pauses Node processes longer than native ones. */
export const DEFAULT_MOVE_OVERHEAD = 30;
/** Maximum number of threads. */
export const MAX_THREADS = 128;

/** DONE + n is the flag of helper thread n: the number of messages that it has executed, or GONE. */
export const DONE = 3;
export const GONE = -1;
export const FLAG_COUNT = DONE + MAX_THREADS;

/** The flags of the search threads, and the number of one of them. */
interface ThreadFlags {
  flags: SharedArrayBuffer;
  thread: number;
}

/** Counts an executed message of the thread. */
export function countDone({ flags, thread }: ThreadFlags): void {
  const counts = new Int32Array(flags);
  Atomics.add(counts, DONE + thread, 1);
  Atomics.notify(counts, DONE + thread);
}

/** Marks a thread that has ended or could not start, so the leader does not wait for it. */
export function markGone({ flags, thread }: ThreadFlags): void {
  const counts = new Int32Array(flags);
  Atomics.store(counts, DONE + thread, GONE);
  Atomics.notify(counts, DONE + thread);
}

/** Returns whether a thread has not executed any message yet. */
export const isStarting = ({ flags, thread }: ThreadFlags): boolean =>
  Atomics.load(new Int32Array(flags), DONE + thread) === 0;

/** Returns the line that reports helpers marked as gone. */
export const formatLoss = (count: number, reason: string): string =>
  `info string error: ${count} helper thread${count === 1 ? '' : 's'} failed: ${reason}; the search continues on the other threads`;

/** Returns whether the line is such a report. */
export const isLoss = (line: string): boolean => /^info string error: \d+ helper threads? failed: /.test(line);
