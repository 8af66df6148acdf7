// A thread that searches, in a Node worker or in a browser's. Its first message says which: shared flags make it the thread that
// answers the GUI, every further message being a line of input, whose end it tells by null; a ThreadMemory makes it a helper of
// that thread. Under Node its answers come in batches, in a browser one by one.

import { control, WAKE } from './engine.js';
import { useWasm } from './search/kernel.js';
import { createHelper } from './uci/helper-thread.js';
import { type Batch, createOutput, type Output } from './uci/output.js';
import type { Helper, ThreadMemory, ThreadMessage } from './uci/threads.js';
import { createUci } from './uci/uci.js';

interface Edge {
  post: (batch: Batch) => void;
  /** Calls back when no message is waiting. */
  later: (work: () => void) => void;
  onMessage: (receive: (message: unknown) => void) => void;
  readFile: (name: string) => string;
  spawn: () => Helper;
  collect: () => void;
  memory: number;
  /** Whether the search parameters are options too. */
  tunes: boolean;
}

/** What browsers let a page have, where they do not say how much the machine has. */
const BROWSER_MEMORY = 1024;

/** The part of a browser worker's global scope that is used here. */
interface BrowserWorker {
  postMessage: (message: unknown) => void;
  addEventListener: (type: 'message', listener: (event: { data: unknown }) => void) => void;
  terminate: () => void;
}
type BrowserScope = BrowserWorker & { Worker: new (url: string, options: { type: 'module' }) => BrowserWorker };

async function browserEdge(): Promise<Edge> {
  const compiled = async (name: string): Promise<WebAssembly.Module> =>
    new WebAssembly.Module(await (await fetch(new URL(`./kernel/${name}.wasm`, import.meta.url))).arrayBuffer());
  if (typeof WebAssembly !== 'undefined') useWasm({ search: await compiled('search'), table: await compiled('table') });
  const scope = globalThis as unknown as BrowserScope;
  return {
    post: (batch) => {
      for (const line of batch) scope.postMessage(line);
    },
    later: (work) => void setTimeout(work),
    onMessage: (receive) => scope.addEventListener('message', (event) => receive(event.data)),
    readFile: () => {
      throw new Error('a browser has no files');
    },
    spawn: () => {
      const worker = new scope.Worker(import.meta.url, { type: 'module' });
      return { post: (message) => worker.postMessage(message), terminate: () => worker.terminate() };
    },
    collect: () => {},
    memory: BROWSER_MEMORY,
    tunes: false,
  };
}

async function nodeEdge(): Promise<Edge> {
  await import('./kernel-node.js');
  const { parentPort, Worker, workerData } = await import('node:worker_threads');
  const { machineMemory, readText } = await import('./machine.js');
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  if (parentPort === null) throw new Error('engine/worker.js runs as a worker only');
  return {
    post: (batch) => parentPort.postMessage(batch),
    later: setImmediate,
    onMessage: (receive) => parentPort.on('message', receive),
    readFile: readText,
    spawn: () => {
      const worker = new Worker(new URL(import.meta.url), { workerData });
      return { post: (message) => worker.postMessage(message), terminate: () => void worker.terminate() };
    },
    // A context made after the flag is set has the collector as a function
    collect: () => {
      setFlagsFromString('--expose-gc');
      runInNewContext('gc')();
    },
    memory: machineMemory(),
    tunes: workerData?.tunes === true,
  };
}

const isNode = typeof process !== 'undefined' && process.versions?.node !== undefined;
const edge = await (isNode ? nodeEdge() : browserEdge());
control.now = () => performance.now();

const follow = ({ write, flush }: Pick<Output, 'write' | 'flush'>): ((line: string) => void) =>
  createUci({
    write,
    flush,
    readFile: edge.readFile,
    sleep: (seen) => Atomics.wait(control.flags, WAKE, seen),
    spawn: edge.spawn,
    collect: edge.collect,
    memory: edge.memory,
    tunes: edge.tunes,
  });
let receive = (first: unknown): void => {
  if (first instanceof SharedArrayBuffer) {
    control.flags = new Int32Array(first);
    const output = createOutput(edge.post, edge.later);
    const execute = follow(output);
    receive = (line) => {
      execute(String(line));
      output.finish();
    };
  } else {
    const silent = follow({ write: () => {}, flush: () => {} });
    const help = createHelper(first as ThreadMemory, { follow: silent, collect: edge.collect });
    receive = (message) => help(message as ThreadMessage);
  }
};
edge.onMessage((message) => receive(message));
