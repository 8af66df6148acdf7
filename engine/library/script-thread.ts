// A thread that can be started in several ways, because a page's content security policy may forbid some of them. The browser reports this
// only later, with an error event.

import type { Batch, ScriptWorker, Thread } from '../uci/lines.js';

/** Returns a thread on the first worker that answers. If an attempt fails, the next worker receives the earlier messages again. */
export function replacedThread(ways: readonly (() => ScriptWorker)[]): Thread {
  let sent: unknown[] | null = [];
  let worker: ScriptWorker | null = null;
  let listeners: Parameters<Thread['listen']> | null = null;
  /** A failure before `listen`. */
  let failure: Error | null = null;
  const fail = (error: Error): void => {
    if (listeners === null) failure = error;
    else listeners[1](error);
  };

  const tryWay = (index: number): void => {
    const next = (reason: string): void => {
      if (sent !== null && index + 1 < ways.length) tryWay(index + 1);
      else fail(new Error(`the search thread failed: ${reason}`));
    };
    try {
      const own = ways[index]();
      worker = own;
      own.addEventListener('message', ({ data }) => {
        sent = null;
        listeners?.[0](data as Batch);
      });
      // If a worker is forbidden, the event has no message
      own.addEventListener('error', (event) => {
        // Otherwise the page would receive the error of a replaced attempt
        event.preventDefault();
        // A worker that has failed may report an error for each further message
        if (worker !== own) return;
        worker = null;
        own.terminate();
        next(event.message ?? "the page's content security policy forbids its worker");
      });
      for (const message of sent ?? []) own.postMessage(message);
    } catch (error) {
      next((error as Error).message);
    }
  };

  tryWay(0);
  return {
    post: (message) => {
      sent?.push(message);
      worker?.postMessage(message);
    },
    listen: (...given) => {
      listeners = given;
      if (failure !== null) fail(failure);
    },
    terminate: () => worker?.terminate(),
  };
}
