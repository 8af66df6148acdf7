// Import this first in every Node process or worker that searches. It loads the kernel's WebAssembly modules, or prepares V8 for the
// JavaScript of the same source.

import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { embedded } from './embedded.js';
import { type Target, wantedTarget } from './kernel-choice.js';
import { type KernelModules, useWasm } from './search/kernel.js';

const compiled = (name: keyof KernelModules): WebAssembly.Module =>
  new WebAssembly.Module(
    embedded === null
      ? readFileSync(new URL(`./kernel/${name}.wasm`, import.meta.url))
      : Buffer.from(embedded.kernel[name], 'base64'),
  );

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

// As flags.ts does, which is for processes that search nothing
if (target() === 'js') setFlagsFromString('--no-use-osr');
else useWasm(kernelModules());
