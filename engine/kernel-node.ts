// Import this first in every Node process or worker that searches. It loads the kernel's WebAssembly modules, or prepares V8 for the
// JavaScript of the same source.

import { readFileSync } from 'node:fs';
import { wantedTarget } from './kernel-choice.js';
import { useWasm } from './search/kernel.js';

const compiled = (name: string): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(new URL(`./kernel/${name}.wasm`, import.meta.url)));

if (wantedTarget() === 'js') await import('./flags.js');
else useWasm({ search: compiled('search'), table: compiled('table') });
