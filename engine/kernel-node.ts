// Import this first in every Node process or worker that searches. It loads the kernel's WebAssembly modules, or prepares V8 for the
// JavaScript of the same source.

import { readFileSync } from 'node:fs';
import { wantedTarget } from './kernel-choice.js';
import { type KernelModules, useWasm } from './search/kernel.js';

const compiled = (name: string): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(new URL(`./kernel/${name}.wasm`, import.meta.url)));

/** Returns the compiled modules of the kernel; throws where they or WebAssembly are missing. */
export const kernelModules = (): KernelModules => ({ search: compiled('search'), table: compiled('table') });

if (wantedTarget() === 'js') await import('./flags.js');
else useWasm(kernelModules());
