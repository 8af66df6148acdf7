// Import this module before engine.ts in a worker. A helper thread then uses its leader's transposition table from the start. Allocating a
// temporary table first would double the address space per thread.

import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { EngineThreadData } from './node-thread.js';
import { type TableMemory, useTable } from './search/tt/memory.js';
import type { ThreadMemory } from './uci/threads.js';

const { helper } = workerData as EngineThreadData;
const first = helper && (receiveMessageOnPort(helper.port) as { message: [ThreadMemory, TableMemory] });
if (first !== undefined) useTable(first.message[1]);

/** The leader's shared memory; undefined in the leader's own thread. */
export const threadMemory = first?.message[0];
