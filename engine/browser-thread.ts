// Starts a thread that searches, in a browser.

/** The part of a browser's workers that is used here. */
export interface BrowserWorker {
  postMessage: (message: unknown) => void;
  addEventListener: (type: string, listener: (event: { data: unknown; message?: string }) => void) => void;
  terminate: () => void;
}
declare const Worker: new (url: string | URL, options?: { type: 'module' }) => BrowserWorker;

/** The code of worker-browser.ts, where the bundler puts it into the program. */
declare const HEFT_WORKER: string | undefined;

const REMEDY = "import 'heft-chess/inline', which has the worker inside, or pass createEngine({ worker: url })";

let embeddedUrl: string | null = null;

function startedAt(url: string): BrowserWorker {
  try {
    return new Worker(url, { type: 'module' });
  } catch (cause) {
    throw loadError(url, (cause as Error).message);
  }
}

/** Returns the error of a worker whose file could not be loaded. */
export const loadError = (url: string, reason = 'no such script'): Error =>
  new Error(`the engine's worker did not load from ${url}: ${reason}; ${REMEDY}`);

// As text: bundlers would take a URL for another file to emit
const besideUrl = (): string => import.meta.url.replace(/[^/]*$/, 'worker-browser.js');

/** Returns a new thread of worker-browser.ts: from the URL, with the code in the program, or from the file beside this one. */
export function startBrowserThread(url?: string): { worker: BrowserWorker; url: string } {
  if (url !== undefined) return { worker: startedAt(url), url };
  if (typeof HEFT_WORKER === 'undefined') {
    const beside = besideUrl();
    try {
      return { worker: new Worker(new URL('./worker-browser.js', import.meta.url), { type: 'module' }), url: beside };
    } catch (cause) {
      throw loadError(beside, (cause as Error).message);
    }
  }
  embeddedUrl ??= URL.createObjectURL(new Blob([HEFT_WORKER], { type: 'text/javascript' }));
  // Pages opened from the disk may start scripts as workers, not modules
  return { worker: new Worker(embeddedUrl), url: embeddedUrl };
}
