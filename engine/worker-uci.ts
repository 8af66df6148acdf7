// The drop-in worker: one classic script, started by new Worker('uci.js'), that exchanges UCI lines with the page as plain strings.
// Searches run in further workers that are started from the script's own code. The first worker therefore stays responsive, and no other
// file is loaded.

import { replacedThread } from './library/script-thread.js';
import { UciThread } from './library/uci-thread.js';
import type { ScriptWorker } from './uci/lines.js';
import { BROWSER_MEMORY, declareOptions, identify } from './uci/options.js';

/** Name of search workers, also used by the library for browsers. */
const SEARCH = 'heft-search';

interface ScriptScope {
  name: string;
  location: { href: string };
  Worker?: new (url: string, options: { name: string }) => ScriptWorker;
  postMessage: (line: string) => void;
  addEventListener: (type: 'message', listener: (event: { data: unknown }) => void) => void;
  close: () => void;
}
const scope = globalThis as unknown as ScriptScope;

/** The kernel's modules (search, table, trace), deflated and base64-encoded, inserted by the bundler. */
declare const HEFT_KERNEL: readonly string[];

/** The function that contains this script; see scripts/bundle.mjs. Bundlers may rename it. */
declare const heft: () => void;

function speak(): void {
  const { Worker } = scope;
  if (Worker === undefined) return scope.postMessage('info string error: this browser does not support nested workers');
  let own = '';
  const startAt = (url: string): ScriptWorker => new Worker(url, { name: SEARCH });
  const uci = new UciThread({
    start: () =>
      replacedThread([
        () => {
          own ||= URL.createObjectURL(new Blob([`(${heft})()`], { type: 'text/javascript' }));
          return startAt(own);
        },
        // For policies that forbid blobs. The URL is this file's only if no other script has loaded it
        () => startAt(scope.location.href),
      ]),
    write: (line) => scope.postMessage(line),
    exit: () => scope.close(),
    identity: identify(declareOptions(BROWSER_MEMORY)),
    fail: ({ message }) => scope.postMessage(`info string error: ${message.split('\n')[0]}`),
  });
  scope.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') return scope.postMessage('info string error: expected UCI strings as messages');
    for (const line of data.split('\n')) uci.send(line);
  });
}

// Only a search thread allocates its memory
if (scope.name === SEARCH) void import('./browser-search.js').then(({ searchInflated }) => searchInflated(HEFT_KERNEL));
else speak();
