// Loads the kernel's WebAssembly modules. Import this file first in every Node process or worker that searches, evaluates or replays games.

import { setFlagsFromString } from 'node:v8';
import { moduleBytes } from './parts.js';
import { type KernelModules, useCompiled } from './search/kernel.js';

/** Returns a compiled module of the kernel. */
export const compiled = (name: keyof KernelModules): WebAssembly.Module => new WebAssembly.Module(moduleBytes(name));

/** Returns the compiled modules of the kernel. */
export const kernelModules = (): KernelModules => ({
  search: compiled('search'),
  table: compiled('table'),
  trace: () => compiled('trace'),
});

// V8 12 and later compile WebAssembly lazily by default
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--wasm-lazy-compilation');
useCompiled(kernelModules());
