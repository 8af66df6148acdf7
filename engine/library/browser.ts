// The library for browsers.

import { useBoardFunctions } from '../board/kernel.js';
import { BOARD_REFERENCE } from '../board/reference.js';
import { startBrowserThread } from '../browser-thread.js';
import type { Batch } from '../uci/output.js';
import { createEngineOn } from './engine.js';
import type { Engine, EngineOptions } from './types.js';

export { createPosition } from './position.js';
export type * from './types.js';

// Positions are set up one at a time here; games run in the worker
useBoardFunctions(BOARD_REFERENCE);

/** Returns an engine in a worker of its own. */
export function createEngine(options: EngineOptions = {}): Promise<Engine> {
  return createEngineOn(() => {
    const worker = startBrowserThread();
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
