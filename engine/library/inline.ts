// The library for browsers, with the worker inside.

import { CODE } from '../inside/code.js';
import { type BrowserWorker, createBrowserEngine } from './browser-engine.js';
import type { Engine, EngineOptions } from './types.js';

export { createPosition } from './position.js';
export type * from './types.js';
export { EngineError } from './types.js';

declare const Worker: new (url: string) => BrowserWorker;

let url: string | undefined;

function ownUrl(): string {
  const { worker, kernel } = CODE;
  const modules = JSON.stringify([kernel.search, kernel.table, kernel.trace]);
  url ??= URL.createObjectURL(new Blob([`const HEFT_KERNEL=${modules};\n${worker}`], { type: 'text/javascript' }));
  return url;
}

/** Returns an engine in a worker of its own. */
export function createEngine(options: EngineOptions = {}): Promise<Engine> {
  // Pages opened from the disk may start scripts as workers, not modules
  return createBrowserEngine(options, ownUrl, () => new Worker(ownUrl()));
}
