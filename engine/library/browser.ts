// The library for browsers, with the worker in a separate file.

import type { ScriptWorker } from '../uci/lines.js';
import { createBrowserEngine } from './browser-engine.js';
import type { Engine, EngineOptions } from './types.js';

export { createPosition } from './position.js';
export type * from './types.js';
export { EngineError } from './types.js';

declare const Worker: new (url: URL, options: { type: 'module'; name: string }) => ScriptWorker;

/** Returns an engine in its own worker. */
export function createEngine(options: EngineOptions = {}): Promise<Engine> {
  return createBrowserEngine(
    options,
    // A string, because bundlers would copy the target of a URL object as another file
    () => import.meta.url.replace(/[^/]*$/, '../worker-browser.js'),
    // Bundlers recognise the file by this expression
    () => new Worker(new URL('../worker-browser.js', import.meta.url), { type: 'module', name: 'heft-search' }),
  );
}
