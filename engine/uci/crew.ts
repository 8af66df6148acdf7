// Lazy SMP: helper threads search the same position at the same time, each by itself, and share the transposition table, where what
// one finds is met by the others, and the deepest line. The search thread leads the crew and alone answers.

import { control, STOP } from '../search/control.js';
import { clearRecord, RECORD_BYTES, shareRecord } from '../search/overtaking.js';
import { type TableMemory, tableAge } from '../search/tt-memory.js';

/** What the leader tells a helper: the table to use, a line of input to follow silently, a new game, or a `go` to join. */
export type CrewMessage =
  | { kind: 'table'; memory: TableMemory }
  | { kind: 'line'; line: string }
  | { kind: 'newGame' }
  | { kind: 'go'; words: readonly string[]; age: number };

/** What a helper shares with its leader; the first message it gets. */
export interface CrewMemory {
  /** The flags of search/control, and BUSY after them. */
  flags: SharedArrayBuffer;
  /** Nodes of each thread's search as doubles. */
  nodes: SharedArrayBuffer;
  /** The deepest line: see search/overtaking. */
  record: SharedArrayBuffer;
  /** Which of `nodes` is the helper's own. */
  thread: number;
}

/** A helper's thread. */
export interface Helper {
  post: (message: CrewMemory | CrewMessage) => void;
  terminate: () => void;
}

/** Index in the crew's flags: messages that helpers have yet to carry out. */
export const BUSY = 3;
const FLAG_COUNT = 4;

/** Most threads that can be asked for. */
export const MAX_THREADS = 128;

export interface Crew {
  /** Sets the number of threads, the leader's included; a new helper is told what the others know. */
  resize: (threads: number) => void;
  /** Tells all helpers; a helper that joins later hears the last message of each topic. */
  tell: (topic: string, message: CrewMessage) => void;
  /** Lets all helpers join the search. */
  start: (words: readonly string[]) => void;
  /** Begins a search that the leader does alone. */
  rest: () => void;
  /** Ends the helpers' searches without waiting for them. */
  stop: () => void;
  /** Waits until all helpers have carried out everything they were told. */
  settle: () => void;
}

/** Returns a crew of one thread, the caller's. */
export function createCrew(spawn: () => Helper): Crew {
  const flags = new Int32Array(new SharedArrayBuffer(4 * FLAG_COUNT));
  const nodes = new SharedArrayBuffer(8 * MAX_THREADS);
  const record = new SharedArrayBuffer(RECORD_BYTES);
  const helpers: Helper[] = [];
  const known = new Map<string, CrewMessage>();

  const post = (helper: Helper, message: CrewMessage): void => {
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
