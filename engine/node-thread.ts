// Starts a thread that searches, under Node.

import { Worker } from 'node:worker_threads';
import { embedded } from './embedded.js';

/** Returns a new thread of worker.ts; with `tunes` the search parameters are options too. */
export function startNodeThread(tunes: boolean): Worker {
  const workerData = { tunes, embedded };
  return embedded === null
    ? new Worker(new URL('./worker.js', import.meta.url), { workerData })
    : new Worker(embedded.worker, { eval: true, workerData });
}

/** Returns a new thread as a session of the library speaks with it. */
export function startThread() {
  const worker = startNodeThread(false);
  return {
    post: (message: unknown) => worker.postMessage(message),
    listen: (onBatch: (batch: (string | null)[]) => void, onError: (error: Error) => void) => {
      worker.on('message', onBatch);
      worker.on('error', onError);
    },
    terminate: () => void worker.terminate(),
  };
}
