// The library for browsers. The file of the search's thread lies beside this one, or its code is in the program.

import type { Batch } from '../uci/output.js';
import { createEngineOn } from './engine.js';
import type { Engine, EngineOptions } from './types.js';

export { createPosition } from './position.js';
export type * from './types.js';

/** The code of the search's thread, where the bundler puts it into the program. */
declare const HEFT_WORKER: string | undefined;

/** The part of a browser's workers that is used here. */
interface BrowserWorker {
  postMessage: (message: unknown) => void;
  addEventListener: (type: string, listener: (event: { data: unknown; message?: string }) => void) => void;
  terminate: () => void;
}
declare const Worker: new (url: string | URL, options: { type: 'module' }) => BrowserWorker;

let embeddedUrl: string | null = null;

function startWorker(): BrowserWorker {
  if (typeof HEFT_WORKER === 'undefined')
    return new Worker(new URL('./worker-browser.js', import.meta.url), { type: 'module' });
  embeddedUrl ??= URL.createObjectURL(new Blob([HEFT_WORKER], { type: 'text/javascript' }));
  return new Worker(embeddedUrl, { type: 'module' });
}

/** Returns an engine in a worker of its own. */
export function createEngine(options: EngineOptions = {}): Promise<Engine> {
  return createEngineOn(() => {
    const worker = startWorker();
    return {
      post: (message) => worker.postMessage(message),
      listen: (onBatch, onError) => {
        worker.addEventListener('message', ({ data }) => onBatch(data as Batch));
        worker.addEventListener('error', ({ message }) => onError(new Error(message ?? "the engine's worker failed")));
      },
      terminate: () => worker.terminate(),
    };
  }, options);
}
