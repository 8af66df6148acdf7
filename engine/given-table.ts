// Import this before engine.ts in a worker: a helper thread uses the leader's transposition table from its start. A table of its own, soon
// dropped, would double the address space that each thread needs.

import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { WorkerData } from './node-thread.js';
import { type TableMemory, useTable } from './search/tt/tt-memory.js';
import type { ThreadMemory } from './uci/threads.js';

const { helper } = workerData as WorkerData;

function given(): ThreadMemory | undefined {
  if (helper === undefined) return undefined;
  const first = receiveMessageOnPort(helper.port) as { message: [ThreadMemory, TableMemory] };
  const [memory, table] = first.message;
  useTable(table);
  return memory;
}

/** What the leader shares with this thread; undefined in the leader's own. */
export const threadMemory = given();
