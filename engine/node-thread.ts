// Starts the search thread in Node, and also its helpers, because a sleeping search thread could not receive their errors.

import type { MessagePort, Worker } from 'node:worker_threads';
import { newThread } from './parts.js';
import { formatLoss, markGone } from './search/root/flags.js';
import { failureReason } from './start-failure.js';
import type { Batch, Thread } from './uci/lines.js';
import type { ThreadMemory } from './uci/threads.js';

/** A helper thread that the search thread requests. The table is not included, because this thread would keep old tables alive. */
export interface NewHelper extends Pick<ThreadMemory, 'flags' | 'thread'> {
  port: MessagePort;
}

/** Messages from a thread of worker.ts: lines, a helper to start, the number of a helper to end, or the reason why one was not started. */
export type WorkerMessage = Batch | NewHelper | number | string;

/** Data of a thread of worker.ts. */
export interface EngineThreadData {
  tunes: boolean;
  /** Text of the weights given by `--weights`. */
  weights?: string | undefined;
  /** Absent for the thread that answers the GUI. */
  helper?: NewHelper;
}

function startWorker(workerData: EngineThreadData): Worker {
  // Node flags of the program, such as --input-type, do not apply to this thread
  const transferList = workerData.helper === undefined ? [] : [workerData.helper.port];
  return newThread('worker', { workerData, transferList, execArgv: [] });
}

/** Calls `end` once when the worker has ended, with its error or a default one. */
function onEnd(worker: Worker, end: (error: Error) => void): void {
  let error = new Error('the thread ended');
  worker.on('error', (thrown: Error) => {
    error = thrown;
  });
  worker.on('exit', () => end(error));
}

/** Returns a new thread of worker.ts; `tunes` adds the search parameters as options, and an empty EvalFile restores the weights. */
export function startThread(tunes = false, weights?: string): Thread {
  const worker = startWorker({ tunes, weights });
  const helpers = new Map<number, Worker>();
  /** Reasons for helper failures since the last output. */
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
