// A helper thread of Lazy SMP. It follows the main search thread's game without output, and joins each full-strength search until the
// search is stopped.

import { clearHistories, control, search } from '../engine.js';
import { shareRecord } from '../search/root/deepest-line.js';
import { countDone } from '../search/root/flags.js';
import { tableState, useTable } from '../search/tt/memory.js';
import { parseGo } from './go.js';
import type { ThreadMemory, ThreadMessage } from './threads.js';

/** Host functions that a helper calls. */
export interface HelperPort {
  /** Executes an input line without output. */
  follow: (line: string) => void;
  /** Frees unused memory immediately. */
  collect: () => void;
}

/** Returns a helper's handler for the leader's messages. */
export function createHelper(memory: ThreadMemory, port: HelperPort): (message: ThreadMessage) => void {
  control.flags = new Int32Array(memory.flags);
  control.threadNodes = new Float64Array(memory.nodes);
  control.thread = memory.thread;
  shareRecord(memory.record);

  const join = (words: readonly string[], age: number): void => {
    const go = parseGo(words);
    if (go.kind !== 'search') return;
    const { searchMoves = [], depth } = go.limits;
    tableState.age = age;
    search({ infinite: true, searchMoves, ...(depth === undefined ? {} : { depth }) });
  };

  const carryOut = (message: ThreadMessage): void => {
    if (message.kind === 'table') {
      useTable(message.memory);
      port.collect();
    } else if (message.kind === 'newGame') clearHistories();
    else if (message.kind === 'line') port.follow(message.line);
    else join(message.words, message.age);
  };

  return (message) => {
    try {
      carryOut(message);
    } finally {
      // The leader must not wait forever, even after an error
      countDone(memory);
    }
  };
}
