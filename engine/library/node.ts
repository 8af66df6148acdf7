// The library for Node.

import '../kernel-node.js';
import { startThread } from '../node-thread.js';
import { createEngineOn } from './engine.js';
import type { Engine, EngineOptions } from './types.js';

export { createPosition } from './position.js';
export type * from './types.js';
export { EngineError } from './types.js';

/** Returns an engine on its own thread, which keeps the program running until the engine is closed. */
export function createEngine(options: EngineOptions = {}): Promise<Engine> {
  return createEngineOn(() => startThread(), options);
}
