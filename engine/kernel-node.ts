// Import this first in every Node process or worker that searches. It loads the kernel's WebAssembly modules, or prepares V8 for the
// JavaScript of the same source.

import { readFileSync } from 'node:fs';
import { type Target, wantedTarget } from './kernel-choice.js';
import { type KernelModules, useWasm } from './search/kernel.js';

const compiled = (name: string): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(new URL(`./kernel/${name}.wasm`, import.meta.url)));

/** Returns the compiled modules of the kernel; throws where they or WebAssembly are missing. */
export const kernelModules = (): KernelModules => ({ search: compiled('search'), table: compiled('table') });

function target(): Target {
  try {
    return wantedTarget();
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n`);
    process.exit(2);
  }
}

if (target() === 'js') await import('./flags.js');
else useWasm(kernelModules());
