// The parts of a Node program that has them inside, as parts.ts of the folder above has files.

import { Worker, type WorkerOptions, workerData } from 'node:worker_threads';
import { inflateRawSync } from 'node:zlib';
import type { KernelModules } from '../search/kernel.js';
import { CODE, type Code } from './code.js';

/** A thread is given the kernel by its program, whose script alone has it. */
const kernel: Code['kernel'] = workerData?.kernel ?? CODE.kernel;

/** Returns a new thread of an entry: the script has both. */
export const newThread = (entry: 'worker' | 'command-worker', options: WorkerOptions): Worker =>
  new Worker(`const HEFT_ENTRY='${entry}';\n${CODE.worker}`, {
    ...options,
    eval: true,
    workerData: { ...options.workerData, kernel },
  });

/** Returns a module of the kernel. */
export const moduleBytes = (name: keyof KernelModules): Uint8Array<ArrayBuffer> =>
  inflateRawSync(Buffer.from(kernel[name], 'base64'));
