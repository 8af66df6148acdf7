// The search's thread: the UCI protocol behind postMessage, in a Node worker or in a browser's. The first message brings the
// shared flags that stop a search; every further one is a line of input. Answers go back as lines.

import { control, WAKE } from './engine.js';
import { createUci } from './uci/uci.js';

interface MessagePort {
  postMessage: (line: string) => void;
  onMessage: (receive: (message: unknown) => void) => void;
  readFile: (name: string) => string;
}

/** The part of a browser worker's global scope that is used here. */
interface BrowserScope {
  postMessage: (line: string) => void;
  addEventListener: (type: 'message', listener: (event: { data: unknown }) => void) => void;
}

async function openPort(): Promise<MessagePort> {
  if (typeof process === 'undefined' || process.versions?.node === undefined) {
    const scope = globalThis as unknown as BrowserScope;
    return {
      postMessage: (line) => scope.postMessage(line),
      onMessage: (receive) => scope.addEventListener('message', (event) => receive(event.data)),
      readFile: () => {
        throw new Error('a browser has no files');
      },
    };
  }
  const { parentPort } = await import('node:worker_threads');
  const { readFileSync } = await import('node:fs');
  if (parentPort === null) throw new Error('engine/worker.js runs as a worker only');
  return {
    postMessage: (line) => parentPort.postMessage(line),
    onMessage: (receive) => parentPort.on('message', receive),
    readFile: (name) => readFileSync(name, 'utf8'),
  };
}

const port = await openPort();
control.now = () => performance.now();
const execute = createUci({
  write: port.postMessage,
  readFile: port.readFile,
  sleep: (seen) => Atomics.wait(control.flags, WAKE, seen),
});
port.onMessage((message) => {
  if (message instanceof SharedArrayBuffer) control.flags = new Int32Array(message);
  else execute(String(message));
});
