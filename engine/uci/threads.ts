// Lazy SMP: helper threads search the same position independently and share the transposition table and the deepest finished line. Only the
// leader, the main search thread, reports to the GUI. It sleeps while it waits for the helpers. In Node, the input thread therefore starts
// them and marks those that fail; the search continues without them.

import { sharedMemory } from '../kernel/primitives.js';
import { control } from '../search/root/control.js';
import { clearRecord, RECORD_BYTES, shareRecord } from '../search/root/deepest-line.js';
import { DONE, FLAG_COUNT, GONE, MAX_THREADS, STOP } from '../search/root/flags.js';
import { type TableMemory, table, tableState } from '../search/tt/memory.js';

/** Message from the leader to a helper: the table to use, a line of input to execute silently, a new game, or a `go` to join. */
export type ThreadMessage =
  | { kind: 'table'; memory: TableMemory }
  | { kind: 'line'; line: string }
  | { kind: 'newGame' }
  | { kind: 'go'; words: readonly string[]; age: number };

/** Memory shared by helper and leader. */
export interface ThreadMemory {
  /** The flags of search/root/flags, and one for each thread from DONE on. */
  flags: SharedArrayBuffer;
  /** Nodes of each thread's search as doubles. */
  nodes: SharedArrayBuffer;
  /** The deepest finished line, see search/root/deepest-line. */
  record: SharedArrayBuffer;
  /** Number of the helper: its index in `nodes` and, from DONE on, in `flags`. */
  thread: number;
}

/** A helper's thread. */
export interface Helper {
  post: (message: ThreadMessage) => void;
  terminate: () => void;
}

export interface Threads {
  /** Sets the number of threads, including the leader; a new helper receives the state of the others. */
  resize: (threads: number) => void;
  /** Sends a message to all helpers; a later helper receives the last message of each topic. */
  tell: (topic: string, message: ThreadMessage) => void;
  /** Starts the search on all helpers. */
  start: (words: readonly string[]) => void;
  /** Prepares a search by the leader alone: clears the node counts and the record. */
  rest: () => void;
  /** Ends the helpers' searches without waiting for them. */
  stop: () => void;
  /** Waits until all helpers have handled their messages or ended. */
  settle: () => void;
}

interface Member extends Helper {
  /** Number of the thread; the leader is 0. */
  thread: number;
  /** Number of messages sent to it. */
  sent: number;
}

/**
 * Returns the threads of a search, initially only the caller's. `spawn` may return before the helper has started, and must mark a helper
 * that fails as gone.
 */
export function createThreads(spawn: (memory: ThreadMemory, table: TableMemory) => Helper): Threads {
  const flags = new Int32Array(sharedMemory(4 * FLAG_COUNT));
  const nodes = sharedMemory(8 * MAX_THREADS);
  const record = sharedMemory(RECORD_BYTES);
  const known = new Map<string, ThreadMessage>();
  let helpers: Member[] = [];

  const post = (helper: Member, message: ThreadMessage): void => {
    helper.sent++;
    helper.post(message);
  };

  const isGone = ({ thread }: Member): boolean => Atomics.load(flags, DONE + thread) === GONE;

  const useHelpers = (): void => {
    const threads = 1 + Math.max(0, ...helpers.map(({ thread }) => thread));
    control.threadNodes = new Float64Array(nodes, 0, threads);
    shareRecord(threads > 1 ? record : null);
  };

  const settle = (): void => {
    for (const helper of helpers) {
      const place = DONE + helper.thread;
      for (
        let done = Atomics.load(flags, place);
        done !== GONE && done < helper.sent;
        done = Atomics.load(flags, place)
      )
        Atomics.wait(flags, place, done);
    }
    const gone = helpers.filter(isGone);
    if (gone.length === 0) return;
    for (const helper of gone) helper.terminate();
    helpers = helpers.filter((helper) => !gone.includes(helper));
    useHelpers();
  };

  const rest = (): void => {
    settle();
    control.threadNodes.fill(0);
    clearRecord();
  };

  const join = (): void => {
    const taken = new Set(helpers.map(({ thread }) => thread));
    let thread = 1;
    while (taken.has(thread)) thread++;
    Atomics.store(flags, DONE + thread, 0);
    const helper = { ...spawn({ flags: flags.buffer, nodes, record, thread }, table.memory), thread, sent: 0 };
    for (const message of known.values()) post(helper, message);
    helpers.push(helper);
  };

  return {
    resize(threads) {
      settle();
      while (helpers.length > threads - 1) helpers.pop()?.terminate();
      while (helpers.length < threads - 1) join();
      useHelpers();
    },
    tell(topic, message) {
      known.set(topic, message);
      for (const helper of helpers) post(helper, message);
    },
    start(words) {
      rest();
      Atomics.store(flags, STOP, 0);
      for (const helper of helpers) post(helper, { kind: 'go', words, age: tableState.age });
    },
    rest,
    stop: () => {
      Atomics.store(flags, STOP, 1);
    },
    settle,
  };
}
