// The compiled kernel, for tests that switch between it and the reference, and the reset of the engine to the state of a new process.

import { readFileSync } from 'node:fs';
import '../../engine/kernel-node.js';
import { control, setHashSize } from '../../engine/engine.js';
import { kernelMemory } from '../../engine/kernel/memory.js';
import { type KernelModules, useCompiled, useTracing } from '../../engine/search/kernel.js';
import { shareRecord } from '../../engine/search/root/deepest-line.js';
import { DEFAULT_HASH } from '../../engine/search/root/flags.js';
import { forgetLag } from '../../engine/search/root/lag.js';

/** Returns a module of the build. */
export const compiled = (name: string): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(new URL(`../../dist/engine/kernel/${name}.wasm`, import.meta.url)));

/** The module that counts the terms of the evaluation. */
export const TRACING = compiled('trace');

/** The modules that play. */
export const MODULES: KernelModules = { search: compiled('search'), table: compiled('table'), trace: () => TRACING };

// Position, weights, parameters, histories and caches are all in kernel memory
const memoryAtStart = new Uint8Array(kernelMemory.buffer).slice();
const controlAtStart = { ...control };

/** Restores the engine's initial state, with the compiled and the tracing kernel. */
export function resetEngine(): void {
  new Uint8Array(kernelMemory.buffer).set(memoryAtStart);
  Object.assign(control, controlAtStart);
  control.flags.fill(0);
  control.threadNodes.fill(0);
  shareRecord(null);
  useCompiled(MODULES);
  useTracing(TRACING);
  // A new table is empty; clearing it as newGame() does would touch all its pages
  setHashSize(DEFAULT_HASH);
  forgetLag();
}
