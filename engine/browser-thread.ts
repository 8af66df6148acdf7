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

let embeddedUrl: string | null = null;

/** Returns a new thread of worker-browser.ts, whose file lies beside this one, or whose code is in the program. */
export function startBrowserThread(): BrowserWorker {
  if (typeof HEFT_WORKER === 'undefined')
    return new Worker(new URL('./worker-browser.js', import.meta.url), { type: 'module' });
  embeddedUrl ??= URL.createObjectURL(new Blob([HEFT_WORKER], { type: 'text/javascript' }));
  // Pages opened from the disk may start scripts as workers, not modules
  return new Worker(embeddedUrl);
}
