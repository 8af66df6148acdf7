// Lazy SMP: helper threads search the same position independently and share the transposition table and the deepest finished line. The
// search thread starts and stops them, and alone answers the GUI.

import { sharedMemory } from '../kernel/memory.js';
import { control, STOP } from '../search/root/control.js';
import { clearRecord, RECORD_BYTES, shareRecord } from '../search/root/deepest-line.js';
import { type TableMemory, tableAge } from '../search/tt/tt-memory.js';

/** What the leader tells a helper: the table to use, a line of input to carry out without an answer, a new game, or a `go` to join. */
export type ThreadMessage =
  | { kind: 'table'; memory: TableMemory }
  | { kind: 'line'; line: string }
  | { kind: 'newGame' }
  | { kind: 'go'; words: readonly string[]; age: number };

/** What a helper shares with its leader; the first message it gets. */
export interface ThreadMemory {
  /** The flags of search/root/control, and BUSY after them. */
  flags: SharedArrayBuffer;
  /** Nodes of each thread's search as doubles. */
  nodes: SharedArrayBuffer;
  /** The deepest line: see search/deepest-line. */
  record: SharedArrayBuffer;
  /** Which of `nodes` is the helper's own. */
  thread: number;
}

/** A helper's thread. */
export interface Helper {
  post: (message: ThreadMemory | ThreadMessage) => void;
  terminate: () => void;
}

/** Index in the threads' flags: messages that helpers have yet to carry out. */
export const BUSY = 3;
const FLAG_COUNT = 4;

/** Most threads that can be asked for. */
export const MAX_THREADS = 128;

export interface Threads {
  /** Sets the number of threads, the leader's included; a new helper is told what the others know. */
  resize: (threads: number) => void;
  /** Tells all helpers; a helper that joins later hears the last message of each topic. */
  tell: (topic: string, message: ThreadMessage) => void;
  /** Lets all helpers join the search. */
  start: (words: readonly string[]) => void;
  /** Begins a search that the leader does alone. */
  rest: () => void;
  /** Ends the helpers' searches without waiting for them. */
  stop: () => void;
  /** Waits until all helpers have carried out everything they were told. */
  settle: () => void;
}

/** Returns the threads of a search, at first the caller's alone. */
export function createThreads(spawn: () => Helper): Threads {
  const flags = new Int32Array(sharedMemory(4 * FLAG_COUNT));
  const nodes = sharedMemory(8 * MAX_THREADS);
  const record = sharedMemory(RECORD_BYTES);
  const helpers: Helper[] = [];
  const known = new Map<string, ThreadMessage>();

  const post = (helper: Helper, message: ThreadMessage): void => {
    Atomics.add(flags, BUSY, 1);
    helper.post(message);
  };

  const settle = (): void => {
    for (let busy = Atomics.load(flags, BUSY); busy > 0; busy = Atomics.load(flags, BUSY)) {
      Atomics.wait(flags, BUSY, busy);
    }
  };

  const join = (): void => {
    const helper = spawn();
    helper.post({ flags: flags.buffer, nodes, record, thread: helpers.length + 1 });
    for (const message of known.values()) post(helper, message);
    helpers.push(helper);
  };

  return {
    resize(threads) {
      settle();
      while (helpers.length > threads - 1) helpers.pop()?.terminate();
      while (helpers.length < threads - 1) join();
      control.threadNodes = new Float64Array(nodes, 0, threads);
      shareRecord(threads > 1 ? record : null);
    },
    tell(topic, message) {
      known.set(topic, message);
      for (const helper of helpers) post(helper, message);
    },
    start(words) {
      if (helpers.length === 0) return;
      settle();
      control.threadNodes.fill(0);
      clearRecord();
      Atomics.store(flags, STOP, 0);
      for (const helper of helpers) post(helper, { kind: 'go', words, age: tableAge() });
    },
    rest: () => {
      settle();
      control.threadNodes.fill(0);
      clearRecord();
    },
    stop: () => {
      Atomics.store(flags, STOP, 1);
    },
    settle,
  };
}
