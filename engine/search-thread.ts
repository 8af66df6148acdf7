// The search thread for Node and browsers. The first message that it receives sets its role. ThreadMemory makes it a Lazy SMP helper.
// Control flags (search/root/control), or null without shared memory, make it the main search thread. Further messages to the main search
// thread are input lines, and it posts null after each. Its output is sent in batches.

import { control, WAKE } from './engine.js';
import { createHelper } from './uci/helper-thread.js';
import { type Batch, createOutput, type Output } from './uci/lines.js';
import type { Port } from './uci/setup.js';
import type { ThreadMemory, ThreadMessage } from './uci/threads.js';
import { UciSession } from './uci/uci.js';

/** Host functions that the search thread calls. */
export interface ThreadEdge extends Omit<Port, 'write' | 'flush' | 'sleep'> {
  post: (batch: Batch) => void;
  /** Calls back when no message is waiting. */
  later: (work: () => void) => void;
}

/** Returns the message handler of the thread. */
export function createSearchThread(edge: ThreadEdge): (message: unknown) => void {
  control.now = () => performance.now();
  const follow = ({ write, flush }: Pick<Output, 'write' | 'flush'>): ((line: string) => void) => {
    const session = new UciSession({ ...edge, write, flush, sleep: (seen) => Atomics.wait(control.flags, WAKE, seen) });
    return (line) => session.execute(line);
  };

  let receive = (first: unknown): void => {
    if (isThreadMemory(first)) {
      const silent = follow({ write: () => {}, flush: () => {} });
      const help = createHelper(first, { follow: silent, collect: edge.collect });
      receive = (message) => help(message as ThreadMessage);
    } else {
      if (first !== null) control.flags = new Int32Array(first as SharedArrayBuffer);
      const output = createOutput(edge.post, edge.later);
      const execute = follow(output);
      receive = (line) => {
        execute(String(line));
        output.finish();
      };
    }
  };
  return (message) => receive(message);
}

const isThreadMemory = (message: unknown): message is ThreadMemory =>
  typeof message === 'object' && message !== null && 'thread' in message;
