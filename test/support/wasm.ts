// The compiled kernel, for tests that switch between it and the reference. Every test file starts with it (support/kernel.ts).

import { readFileSync } from 'node:fs';
import type { KernelModules } from '../../engine/search/kernel.js';

/** Returns a module of the build. */
export const compiled = (name: string): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(new URL(`../../dist/engine/kernel/${name}.wasm`, import.meta.url)));

/** The module that counts the terms of the evaluation. */
export const TRACING = compiled('trace');

/** The modules that play. */
export const MODULES: KernelModules = { search: compiled('search'), table: compiled('table'), trace: () => TRACING };
