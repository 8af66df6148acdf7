// The search thread as a Node worker.

import './kernel-node.js';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessageChannel, parentPort, workerData } from 'node:worker_threads';
import { threadMemory } from './helper-memory.js';
import { machineMemory, readText, roomForThreads } from './machine.js';
import type { EngineThreadData, NewHelper, WorkerMessage } from './node-thread.js';
import { isStarting, markGone } from './search/root/flags.js';
import { createSearchThread } from './search-thread.js';
import { NO_MEMORY } from './start-failure.js';
import type { ThreadMemory } from './uci/threads.js';

if (parentPort === null) throw new Error('engine/worker.js runs only as a worker');
const parent = parentPort;
const { tunes, weights, helper } = workerData as EngineThreadData;
const send = (message: WorkerMessage): void => parent.postMessage(message);
/** Helpers that may still be allocating their address space. */
let starting: ThreadMemory[] = [];

const receive = createSearchThread({
  post: send,
  later: setImmediate,
  readFile: readText,
  spawn: (memory, table) => {
    starting = starting.filter(isStarting);
    // A thread that fails during startup may crash the process, or retain received memory
    if (roomForThreads() < 1 + starting.length) {
      markGone(memory);
      send(NO_MEMORY);
      return { post: () => {}, terminate: () => {} };
    }
    starting.push(memory);
    const { port1, port2 } = new MessageChannel();
    port1.postMessage([memory, table]);
    const { flags, thread } = memory;
    const started: NewHelper = { flags, thread, port: port2 };
    parent.postMessage(started satisfies WorkerMessage, [port2]);
    return {
      post: (message) => port1.postMessage(message),
      terminate: () => {
        port1.close();
        send(memory.thread);
      },
    };
  },
  // A context created after the flag is set exposes the collector, except in Bun
  collect: () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('globalThis.gc')?.();
  },
  memory: machineMemory(),
  tunes,
  weights,
});

if (threadMemory !== undefined) receive(threadMemory);
(helper?.port ?? parent).on('message', receive);
