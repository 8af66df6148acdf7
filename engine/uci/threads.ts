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

interface Member extends Helper {
  /** Number of the thread; the leader is 0. */
  thread: number;
  /** Number of messages sent to it. */
  sent: number;
}

/** The threads of a search, initially only the caller's. */
export class SearchThreads {
  private readonly flags = new Int32Array(sharedMemory(4 * FLAG_COUNT));
  private readonly nodes = sharedMemory(8 * MAX_THREADS);
  private readonly record = sharedMemory(RECORD_BYTES);
  /** The last message of each topic. */
  private readonly known = new Map<string, ThreadMessage>();
  private helpers: Member[] = [];

  /** `spawn` may return before the helper has started, and must mark a helper that fails as gone. */
  constructor(private readonly spawn: (memory: ThreadMemory, table: TableMemory) => Helper) {}

  /** Sets the number of threads, including the leader; a new helper receives the state of the others. */
  resize(threads: number): void {
    this.settle();
    while (this.helpers.length > threads - 1) this.helpers.pop()?.terminate();
    while (this.helpers.length < threads - 1) this.join();
    this.useHelpers();
  }

  /** Sends a message to all helpers; a later helper receives the last message of each topic. */
  tell(topic: string, message: ThreadMessage): void {
    this.known.set(topic, message);
    for (const helper of this.helpers) post(helper, message);
  }

  /** Starts the search on all helpers. */
  start(words: readonly string[]): void {
    this.rest();
    Atomics.store(this.flags, STOP, 0);
    for (const helper of this.helpers) post(helper, { kind: 'go', words, age: tableState.age });
  }

  /** Prepares a search by the leader alone: clears the node counts and the record. */
  rest(): void {
    this.settle();
    control.threadNodes.fill(0);
    clearRecord();
  }

  /** Ends the helpers' searches without waiting for them. */
  stop(): void {
    Atomics.store(this.flags, STOP, 1);
  }

  /** Waits until all helpers have handled their messages or ended. */
  settle(): void {
    for (const helper of this.helpers) this.await(helper);
    const gone = this.helpers.filter(({ thread }) => this.done(thread) === GONE);
    if (gone.length === 0) return;
    for (const helper of gone) helper.terminate();
    this.helpers = this.helpers.filter((helper) => !gone.includes(helper));
    this.useHelpers();
  }

  /** Returns the number of messages that the thread has handled, or GONE. */
  private done(thread: number): number {
    return Atomics.load(this.flags, DONE + thread);
  }

  private await({ thread, sent }: Member): void {
    for (let done = this.done(thread); done !== GONE && done < sent; done = this.done(thread))
      Atomics.wait(this.flags, DONE + thread, done);
  }

  private join(): void {
    const taken = new Set(this.helpers.map(({ thread }) => thread));
    let thread = 1;
    while (taken.has(thread)) thread++;
    Atomics.store(this.flags, DONE + thread, 0);
    const memory = { flags: this.flags.buffer, nodes: this.nodes, record: this.record, thread };
    const helper = { ...this.spawn(memory, table.memory), thread, sent: 0 };
    for (const message of this.known.values()) post(helper, message);
    this.helpers.push(helper);
  }

  private useHelpers(): void {
    const threads = 1 + Math.max(0, ...this.helpers.map(({ thread }) => thread));
    control.threadNodes = new Float64Array(this.nodes, 0, threads);
    shareRecord(threads > 1 ? this.record : null);
  }
}

function post(helper: Member, message: ThreadMessage): void {
  helper.sent++;
  helper.post(message);
}
