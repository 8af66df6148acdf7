// The library for browsers, with the worker in a file beside it.

import { type BrowserWorker, createBrowserEngine } from './browser-engine.js';
import type { Engine, EngineOptions } from './types.js';

export { createPosition } from './position.js';
export type * from './types.js';
export { EngineError } from './types.js';

declare const Worker: new (url: URL, options: { type: 'module'; name: string }) => BrowserWorker;

/** Returns an engine in a worker of its own. */
export function createEngine(options: EngineOptions = {}): Promise<Engine> {
  return createBrowserEngine(
    options,
    // As text: bundlers would take a URL for another file to emit
    () => import.meta.url.replace(/[^/]*$/, '../worker-browser.js'),
    // Bundlers find the file by these words
    () => new Worker(new URL('../worker-browser.js', import.meta.url), { type: 'module', name: 'heft-search' }),
  );
}
