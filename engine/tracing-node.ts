// Import this first in a worker of the tuner: it loads the kernel's modules, and the one that counts the evaluation's terms.

import './kernel-node.js';
import { readFileSync } from 'node:fs';
import { useTracing } from './search/kernel.js';

useTracing(new WebAssembly.Module(readFileSync(new URL('./kernel/trace.wasm', import.meta.url))));
