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
