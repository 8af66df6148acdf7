// The search's thread as a browser's worker. Where the page lacks the headers that let memory be shared, it searches alone.

import { useCompiled } from './search/kernel.js';
import { createSearchThread } from './search-thread.js';
import { formatLoss, markGone } from './uci/threads.js';

/** Memory limit of a page in browsers that do not report the machine's memory. */
const BROWSER_MEMORY = 1024;

/** The part of a browser worker's global scope that is used here. */
interface BrowserWorker {
  postMessage: (message: unknown) => void;
  addEventListener: (type: 'message' | 'error', listener: (event: { data: unknown; message?: string }) => void) => void;
  terminate: () => void;
}
type BrowserScope = BrowserWorker & {
  Worker: new (url: string, options: { type: 'module' | 'classic'; name: string }) => BrowserWorker;
  location: { href: string };
  name: string;
};
const scope = globalThis as unknown as BrowserScope;

/** The kernel's modules (search, table, trace), deflated and in base64, where the bundler puts them into the code. */
declare const HEFT_KERNEL: readonly string[] | undefined;

async function loadKernel(): Promise<void> {
  if (typeof WebAssembly === 'undefined') return;
  // Named once, or the bundler would put the modules into the code again for each use; and addresses in full, for bundlers to find the files
  const [search, table, trace] = await Promise.all(
    typeof HEFT_KERNEL === 'undefined'
      ? [
          fetched(new URL('./kernel/search.wasm', import.meta.url)),
          fetched(new URL('./kernel/table.wasm', import.meta.url)),
          fetched(new URL('./kernel/trace.wasm', import.meta.url)),
        ]
      : HEFT_KERNEL.map(inflated),
  );
  useCompiled({
    search: new WebAssembly.Module(search),
    table: new WebAssembly.Module(table),
    trace: () => new WebAssembly.Module(trace),
  });
}

// Not fetched from a data URL: a policy of the page may allow no connection
function inflated(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).arrayBuffer();
}

async function fetched(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(`${url.href}: HTTP status ${response.status}; copy the package's dist/kernel there`);
  return response.arrayBuffer();
}

/** Helpers that are not up yet. A browser cannot start them while this thread waits for them asleep. */
const starting: Promise<unknown>[] = [];

const receive = createSearchThread({
  post: (batch) => scope.postMessage(batch),
  later: (work) => void setTimeout(work),
  readFile: () => {
    throw new Error('a browser has no files');
  },
  spawn: (memory) => {
    const fail = (reason = 'its file did not load'): void => {
      scope.postMessage([formatLoss(1, reason)]);
      markGone(memory);
    };
    try {
      // The code inside a page is a script, as the page starts it
      const type = typeof HEFT_KERNEL === 'undefined' ? 'module' : 'classic';
      const worker = new scope.Worker(scope.location.href, { type, name: scope.name });
      const started = new Promise<void>((resolve) => {
        worker.addEventListener('message', () => resolve());
        worker.addEventListener('error', ({ message }) => {
          fail(message);
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
// Messages are listened for at once, or those sent while the kernel loads would be lost
let idle = loadKernel();
let isUp = false;
scope.addEventListener('message', ({ data }) => {
  idle = idle
    .then(async () => {
      receive(data);
      // A leader may sleep from now on: what it posted before this thread was up has arrived
      if (!isUp) scope.postMessage([]);
      isUp = true;
      await Promise.all(starting.splice(0));
    })
    .catch((error) => {
      // Thrown here, it would not reach the page
      setTimeout(() => {
        throw error;
      });
    });
});
