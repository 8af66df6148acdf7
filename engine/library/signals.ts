// Abort signals of searches. A signal has one listener for all searches that use it, because Node reports a leak if there are more than ten
// listeners.

import type { SearchOptions, StopSignal } from './types.js';

/** Functions to call when a signal is aborted, and the listener that calls them. */
interface Waiting {
  calls: Set<() => void>;
  listener: () => void;
}

const waitingFor = new WeakMap<StopSignal, Waiting>();

/** Calls the function when the signal is aborted, unless the returned function is called first. */
export function onAbort(signal: StopSignal, call: () => void): () => void {
  const calls = waitingFor.get(signal)?.calls ?? new Set();
  calls.add(call);
  if (!waitingFor.has(signal)) {
    const listener = (): void => {
      for (const each of calls) each();
    };
    waitingFor.set(signal, { calls, listener });
    signal.addEventListener('abort', listener, { once: true });
  }
  return () => {
    const waiting = waitingFor.get(signal);
    if (waiting === undefined || !waiting.calls.delete(call) || waiting.calls.size > 0) return;
    // A signal may outlive the engine
    signal.removeEventListener('abort', waiting.listener);
    waitingFor.delete(signal);
  };
}

// Browsers from 2021 lack the AbortSignal method of this name
/** Throws the signal's reason if it has been aborted. */
export function throwIfAborted(signal: SearchOptions['signal']): void {
  if (signal?.aborted === true) throw signal.reason;
}

/** Returns the result, or rejects with the signal's reason as soon as the signal is aborted, even while another request is executing. */
export function orAborted<Result>(result: Promise<Result>, signal: StopSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    const cancel = onAbort(signal, abort);
    result.then(resolve, reject).finally(cancel);
  });
}
