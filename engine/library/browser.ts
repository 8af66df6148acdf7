// The library for browsers.

import { useBoardFunctions } from '../board/kernel.js';
import { BOARD_REFERENCE } from '../board/reference.js';
import { loadError, startBrowserThread } from '../browser-thread.js';
import type { Batch } from '../uci/lines.js';
import { createEngineOn } from './engine.js';
import type { Engine, EngineOptions } from './types.js';

export { createPosition } from './position.js';
export { EngineError, type EngineFailure } from './session.js';
export type * from './types.js';

// Positions are set up one at a time here; games run in the worker
useBoardFunctions(BOARD_REFERENCE);

/** Returns an engine in a worker of its own. */
export function createEngine(options: EngineOptions = {}): Promise<Engine> {
  return createEngineOn(() => {
    const address = options.worker;
    const { worker, url } = startBrowserThread(typeof address === 'object' ? address.href : address);
    return {
      post: (message) => worker.postMessage(message),
      listen: (onBatch, onError) => {
        worker.addEventListener('message', ({ data }) => onBatch(data as Batch));
        // A file that could not be loaded gives an event without a message
        worker.addEventListener('error', ({ message }) =>
          onError(message === undefined ? loadError(url) : new Error(message)),
        );
      },
      terminate: () => worker.terminate(),
    };
  }, options);
}
