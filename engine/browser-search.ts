// The search thread in a browser's worker. Without COOP and COEP headers, a page cannot share memory, and the search uses one thread.

import { useCompiled } from './search/kernel.js';
import { formatLoss, markGone } from './search/root/flags.js';
import { createSearchThread } from './search-thread.js';
import type { ScriptWorker } from './uci/lines.js';
import { BROWSER_MEMORY } from './uci/options.js';

/** The part of the worker's global scope that is used here. */
type BrowserScope = ScriptWorker & {
  Worker: new (url: string, options: { type: 'module' | 'classic'; name: string }) => ScriptWorker;
  location: { href: string };
  name: string;
  importScripts: () => void;
};
const scope = globalThis as unknown as BrowserScope;

async function loadKernel(load: () => Promise<readonly ArrayBuffer[]>): Promise<void> {
  const [search, table, trace] = await load();
  useCompiled({
    search: new WebAssembly.Module(search),
    table: new WebAssembly.Module(table),
    trace: () => new WebAssembly.Module(trace),
  });
}

// In a module worker, calling importScripts() throws
function isModule(): boolean {
  try {
    scope.importScripts();
    return false;
  } catch {
    return true;
  }
}

/** Helpers that are still starting. A browser cannot start them while this thread blocks. */
const starting: Promise<unknown>[] = [];

const receive = createSearchThread({
  post: (batch) => scope.postMessage(batch),
  later: (work) => void setTimeout(work),
  readFile: () => {
    throw new Error('no file access in browsers');
  },
  spawn: (memory) => {
    const fail = (reason = 'its script did not load'): void => {
      scope.postMessage([formatLoss(1, reason)]);
      markGone(memory);
    };
    try {
      const type = isModule() ? 'module' : 'classic';
      const worker = new scope.Worker(scope.location.href, { type, name: scope.name });
      const started = new Promise<void>((resolve) => {
        worker.addEventListener('message', () => resolve());
        worker.addEventListener('error', (event) => {
          // Otherwise it would reach the page as an error of this thread
          event.preventDefault();
          fail(event.message);
          resolve();
        });
      });
      starting.push(started);
      worker.postMessage(memory);
      return { post: (message) => worker.postMessage(message), terminate: () => worker.terminate() };
    } catch (error) {
      fail((error as Error).message);
      return { post: () => {}, terminate: () => {} };
    }
  },
  collect: () => {},
  memory: BROWSER_MEMORY,
  tunes: false,
});

/** Searches in this worker; `load` returns the kernel's modules: search, table, trace. */
export function searchInBrowser(load: () => Promise<readonly ArrayBuffer[]>): void {
  // The worker listens at once, because messages sent during loading would otherwise be lost
  let idle = loadKernel(load);
  let isUp = false;
  scope.addEventListener('message', ({ data }) => {
    idle = idle
      .then(async () => {
        receive(data);
        // The empty batch reports to a leader that this helper has started, so the leader may block
        if (!isUp) scope.postMessage([]);
        isUp = true;
        await Promise.all(starting.splice(0));
      })
      .catch((error) => {
        // An exception within the promise would not reach the page
        setTimeout(() => {
          throw error;
        });
      });
  });
}

/**
 * Searches in this worker with the kernel's modules, deflated and in base64. They are not fetched from a data URL, because the page's
 * policy may forbid connections.
 */
export function searchInflated(modules: readonly string[]): void {
  const inflated = (base64: string): Promise<ArrayBuffer> => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).arrayBuffer();
  };
  searchInBrowser(() => Promise.all(modules.map(inflated)));
}
