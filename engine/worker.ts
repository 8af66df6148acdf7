// The search's thread as a Node worker.

import './kernel-node.js';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { machineMemory, readText } from './machine.js';
import { startNodeThread } from './node-thread.js';
import { createSearchThread } from './search-thread.js';

if (parentPort === null) throw new Error('engine/worker.js runs as a worker only');
const port = parentPort;
const tunes = workerData?.tunes === true;

port.on(
  'message',
  createSearchThread({
    post: (batch) => port.postMessage(batch),
    later: setImmediate,
    readFile: readText,
    spawn: () => {
      const worker = startNodeThread(tunes);
      return { post: (message) => worker.postMessage(message), terminate: () => void worker.terminate() };
    },
    // A context made after the flag is set has the collector as a function
    collect: () => {
      setFlagsFromString('--expose-gc');
      runInNewContext('gc')();
    },
    memory: machineMemory(),
    tunes,
  }),
);
