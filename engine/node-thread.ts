// Starts a thread that searches, under Node, and its helper threads on its behalf: it sleeps while it waits for them, and could not
// receive their errors.

import type { MessagePort, Worker } from 'node:worker_threads';
import { newThread } from './parts.js';
import { formatLoss, markGone } from './search/root/flags.js';
import { failureReason } from './start-failure.js';
import type { Batch } from './uci/lines.js';
import type { ThreadMemory } from './uci/threads.js';

/** A helper thread that the search thread asks for, and the port through which it directs it. The table is not here: this thread is idle, and
 * would keep the memory of an old one for long. */
export interface NewHelper extends Pick<ThreadMemory, 'flags' | 'thread'> {
  port: MessagePort;
}

/** What a thread of worker.ts sends: lines, a helper to start, the number of one to end, or why one was not tried. */
export type WorkerMessage = Batch | NewHelper | number | string;

/** What a thread of worker.ts is given. */
export interface WorkerData {
  tunes: boolean;
  /** Absent for the thread that answers the GUI. */
  helper?: NewHelper;
}

export interface NodeThread {
  post: (message: unknown) => void;
  listen: (onBatch: (batch: Batch) => void, onError: (error: Error) => void) => void;
  terminate: () => void;
}

function startWorker(workerData: WorkerData): Worker {
  // Flags of the program, such as --input-type, are not for this thread
  const transferList = workerData.helper === undefined ? [] : [workerData.helper.port];
  return newThread('worker', { workerData, transferList, execArgv: [] });
}

/** Calls back once when the worker ends, with its error if there was one. */
function onEnd(worker: Worker, end: (error: Error) => void): void {
  let error = new Error('the thread ended');
  worker.on('error', (thrown: Error) => {
    error = thrown;
  });
  worker.on('exit', () => end(error));
}

/** Returns a new thread of worker.ts; with `tunes` the search parameters are options too. */
export function startThread(tunes = false): NodeThread {
  const worker = startWorker({ tunes });
  const helpers = new Map<number, Worker>();
  /** Why helpers failed since the last lines. */
  let losses: string[] = [];

  const lose = (helper: NewHelper, reason: string): void => {
    helpers.delete(helper.thread);
    helper.port.close();
    losses.push(reason);
    markGone(helper);
  };

  const startHelper = (helper: NewHelper): void => {
    try {
      const worker = startWorker({ tunes, helper });
      helpers.set(helper.thread, worker);
      onEnd(worker, (error) => {
        if (helpers.get(helper.thread) === worker) lose(helper, failureReason(error));
      });
    } catch (error) {
      lose(helper, failureReason(error as Error));
    }
  };

  const endHelper = (number: number): void => {
    const thread = helpers.get(number);
    helpers.delete(number);
    void thread?.terminate();
  };

  return {
    post: (message) => worker.postMessage(message),
    listen: (onBatch, onError) => {
      worker.on('message', (message: WorkerMessage) => {
        if (typeof message === 'number') return endHelper(message);
        if (typeof message === 'string') return void losses.push(message);
        if (!Array.isArray(message)) return startHelper(message);
        const lost = losses;
        losses = [];
        onBatch(lost.length === 0 ? message : [formatLoss(lost.length, lost[0]), ...message]);
      });
      onEnd(worker, onError);
    },
    terminate: () => {
      for (const number of [...helpers.keys()]) endHelper(number);
      void worker.terminate();
    },
  };
}
