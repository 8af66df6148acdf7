// Starts the threads and supplies the kernel of a Node program with embedded code (the npm package or a single-file program). This is the
// counterpart of ../parts.ts.

import { Worker, type WorkerOptions, workerData } from 'node:worker_threads';
import { inflateRawSync } from 'node:zlib';
import type { KernelModules } from '../search/kernel.js';
import { CODE, type Code } from './code.js';

/** Only the program's script contains the kernel. It passes the kernel to its threads. */
const kernel: Code['kernel'] = workerData?.kernel ?? CODE.kernel;

/** Returns a new thread that runs an entry of the script. */
export const newThread = (entry: 'worker' | 'command-worker', options: WorkerOptions): Worker =>
  new Worker(`const HEFT_ENTRY='${entry}';\n${CODE.worker}`, {
    ...options,
    eval: true,
    workerData: { ...options.workerData, kernel },
  });

/** Returns a module of the kernel. */
export const moduleBytes = (name: keyof KernelModules): Uint8Array<ArrayBuffer> =>
  inflateRawSync(Buffer.from(kernel[name], 'base64'));
