// The kernel that searches: the same source as JavaScript, which is here from the start, or as WebAssembly, once its modules are handed over.
// Both work on the same tables, so that one may go on where the other stopped.

import { perft } from '../board/perft.js';
import { isStopRaised, onRootMove, poll } from '../kernel/host.js';
import { kernelMemory } from '../kernel/memory.js';
import { qsearch } from './qsearch.js';
import { alphaBeta } from './search.js';
import { findEntry, foundData, foundScores, storeEntry } from './tt/tt-entries.js';
import { table } from './tt/tt-memory.js';

/** What the rest of the engine calls of the kernel: see search.ts, qsearch.ts and board/perft.ts. */
export interface Kernel {
  alphaBeta: (alpha: number, beta: number, depth: number, ply: number, cutNode: boolean) => number;
  qsearch: (alpha: number, beta: number, ply: number, checkPlies: number) => number;
  perft: (depth: number, bulk: boolean, ply: number) => number;
}

/** What a kernel is made of. */
export type Target = 'js' | 'wasm';

/** The compiled modules: the search, and the entries of the transposition table, whose memory threads share. */
export interface KernelModules {
  search: WebAssembly.Module;
  table: WebAssembly.Module;
}

const JS: Kernel = { alphaBeta, qsearch, perft };

/** The kernel in use. */
export let kernel: Kernel = JS;

/** Returns what the kernel in use is made of. */
export const kernelTarget = (): Target => (kernel === JS ? 'js' : 'wasm');

/** Searches with JavaScript from now on. */
export function useJs(): void {
  table.onChange = () => {};
  kernel = JS;
}

/** Searches with WebAssembly from now on; throws where there is none. */
export function useWasm(modules: KernelModules): void {
  const memory = kernelMemory;
  if (memory === null) throw new Error('there is no WebAssembly here');
  // Instances are made anew for each table; what they remember lies in memory
  const link = (): void => {
    const search = new WebAssembly.Instance(modules.search, {
      env: { memory },
      host: { poll, onRootMove, isStopRaised },
      'tt-entries': tableFunctions(modules.table),
    });
    kernel = search.exports as unknown as Kernel;
  };
  table.onChange = link;
  link();
}

// Beyond what WebAssembly can address, JavaScript reads and writes the table
function tableFunctions(module: WebAssembly.Module): WebAssembly.Instance['exports'] {
  const { memory } = table;
  if (!('buffer' in memory)) return { findEntry, foundData, foundScores, storeEntry };
  return new WebAssembly.Instance(module, { env: { memory } }).exports;
}
