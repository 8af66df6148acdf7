// Starts the threads and reads the kernel of a Node program from separate files. For the npm package and single-file programs, the bundler
// uses embedded/parts.ts instead.

import { readFileSync } from 'node:fs';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { KernelModules } from './search/kernel.js';

/** Returns a new thread that runs an entry: the search or a command. */
export const newThread = (entry: 'worker' | 'command-worker', options: WorkerOptions): Worker =>
  new Worker(new URL(`./${entry}.js`, import.meta.url), options);

/** Returns the code of a kernel module. */
export const moduleBytes = (name: keyof KernelModules): Uint8Array<ArrayBuffer> =>
  readFileSync(new URL(`./kernel/${name}.wasm`, import.meta.url));
