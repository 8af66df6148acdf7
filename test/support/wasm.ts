// The engine of the test's own isolate as it plays: with the WebAssembly kernel of the build.

import { readFileSync } from 'node:fs';
import { type KernelModules, useWasm } from '../../engine/search/kernel.js';

const compiled = (name: string): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(new URL(`../../dist/engine/kernel/${name}.wasm`, import.meta.url)));

/** The compiled modules of the kernel. */
export const MODULES: KernelModules = { search: compiled('search'), table: compiled('table') };

/** Makes this isolate's engine search with WebAssembly. */
export function playWithWasm(): void {
  useWasm(MODULES);
}
