// The library for browsers, with an embedded worker.

import { CODE } from '../embedded/code.js';
import type { ScriptWorker } from '../uci/lines.js';
import { createBrowserEngine } from './browser-engine.js';
import type { Engine, EngineOptions } from './types.js';

export { createPosition } from './position.js';
export type * from './types.js';
export { EngineError } from './types.js';

declare const Worker: new (url: string) => ScriptWorker;

let url: string | undefined;

function ownUrl(): string {
  const { worker, kernel } = CODE;
  const modules = JSON.stringify([kernel.search, kernel.table, kernel.trace]);
  url ??= URL.createObjectURL(new Blob([`const HEFT_KERNEL=${modules};\n${worker}`], { type: 'text/javascript' }));
  return url;
}

/** Returns an engine in its own worker. */
export function createEngine(options: EngineOptions = {}): Promise<Engine> {
  // Pages opened from disk can start classic workers, but not module workers
  return createBrowserEngine(options, ownUrl, () => new Worker(ownUrl()));
}
