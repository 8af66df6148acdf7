// The kernel: one source, compiled to WebAssembly, which plays, or run as it is, which is the slow and exact reference. Both work on the same
// tables, so that one may go on where the other stopped.

import { useBoardFunctions } from '../board/kernel.js';
import { perft } from '../board/perft.js';
import { useEvaluation } from '../eval/kernel.js';
import { isStopRaised, onRootMove, poll } from '../kernel/host.js';
import { kernelMemory } from '../kernel/memory.js';
import { qsearch } from './qsearch.js';
import { alphaBeta } from './search.js';
import { startAtRoot } from './step.js';
import { findEntry, storeEntry } from './tt/tt-entries.js';
import { clearInts, table } from './tt/tt-memory.js';

/** The compiled modules: the search, and the entries of the transposition table, whose memory threads share. */
export interface KernelModules {
  search: WebAssembly.Module;
  table: WebAssembly.Module;
}

const REFERENCE = { alphaBeta, qsearch, perft, startAtRoot };

/** The search's functions in use: see search.ts, qsearch.ts, step.ts and board/perft.ts. */
export let kernel: typeof REFERENCE = REFERENCE;

/** Runs the reference from now on. */
export function useReference(): void {
  table.onChange = () => {};
  table.clear = clearInts;
  kernel = REFERENCE;
  useBoardFunctions();
  useEvaluation();
}

/** Runs the compiled modules from now on. */
export function useCompiled(modules: KernelModules): void {
  // Instances are made anew for each table; what they remember lies in memory
  const link = (): void => {
    const entries = tableFunctions(modules.table);
    const { exports } = new WebAssembly.Instance(modules.search, {
      env: { memory: kernelMemory },
      host: { poll, onRootMove, isStopRaised },
      'tt-entries': entries,
    });
    kernel = exports as typeof REFERENCE;
    useBoardFunctions(exports as Parameters<typeof useBoardFunctions>[0]);
    useEvaluation({ evaluate: exports['evaluate'] as () => number });
  };
  table.onChange = link;
  link();
}

/** Traces with the tuner's module from now on. */
export function useTracing(module: WebAssembly.Module): void {
  const { exports } = new WebAssembly.Instance(module, { env: { memory: kernelMemory } });
  useEvaluation(exports);
}

// Beyond what WebAssembly can address, JavaScript reads and writes the table
function tableFunctions(module: WebAssembly.Module): WebAssembly.Instance['exports'] {
  const { memory } = table;
  table.clear = clearInts;
  if (!('buffer' in memory)) return { findEntry, storeEntry };
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  table.clear = exports['clearEntries'] as typeof table.clear;
  return exports;
}
