// The search's functions for code outside the kernel, and loading the compiled modules.

// Every module with tables of the kernel is loaded here; the compiled kernel imports nothing
import '../board/bitboards/tables.js';
import '../board/position.js';
import '../board/workspace.js';
import '../eval/workspace.js';
import '../eval/pawn-cache.js';
import '../eval/masks.js';
import '../eval/weights-in-use.js';
import './audit-counts.js';
import './history-tables.js';
import './params.js';
import './plies.js';
import { useBoardFunctions } from '../board/kernel.js';
import { traceWhenAsked, useEvaluation } from '../eval/kernel.js';
import { checkTables, kernelMemory } from '../kernel/memory.js';
import { isStopRaised, onRootMove, poll } from '../kernel/primitives.js';
import type * as playing from './module.js';
import { findEntry, storeEntry } from './tt/tt-entries.js';
import { clearInts, table } from './tt/tt-memory.js';

/** The compiled modules: the search; the entries of the transposition table, whose memory threads share; the counts of terms, when needed. */
export interface KernelModules {
  search: WebAssembly.Module;
  table: WebAssembly.Module;
  trace: () => WebAssembly.Module;
}

type SearchFunctions = Pick<typeof playing, 'alphaBeta' | 'qsearch' | 'startAtRoot' | 'fillTables'>;

/** The functions in use; none before a kernel is loaded. */
export let kernel = {} as SearchFunctions;

/** Installs the functions; `onTable` is called whenever another transposition table comes into use. */
export function useSearch(functions: SearchFunctions, onTable = (): void => {}): void {
  kernel = functions;
  table.onChange = onTable;
}

/** Installs the compiled modules. */
export function useCompiled(modules: KernelModules): void {
  checkTables();
  // Each table gets new instances; all state lies in memory
  const link = (): void => {
    const entries = tableFunctions(modules.table);
    const { exports } = new WebAssembly.Instance(modules.search, {
      env: { memory: kernelMemory },
      host: { poll, onRootMove, isStopRaised },
      'tt-entries': entries,
    });
    useSearch(exports as unknown as SearchFunctions, link);
    useBoardFunctions(exports as Parameters<typeof useBoardFunctions>[0]);
    useEvaluation(exports);
  };
  link();
  kernel.fillTables();
  traceWhenAsked(() => tracingFunctions(modules.trace()));
}

/** Installs the tuner's tracing module. */
export function useTracing(module: WebAssembly.Module): void {
  useEvaluation(tracingFunctions(module));
}

const tracingFunctions = (module: WebAssembly.Module): WebAssembly.Instance['exports'] =>
  new WebAssembly.Instance(module, { env: { memory: kernelMemory } }).exports;

// JavaScript accesses tables beyond the 4 GiB that WebAssembly can address
function tableFunctions(module: WebAssembly.Module): WebAssembly.Instance['exports'] {
  const { memory } = table;
  table.clear = clearInts;
  if (!('buffer' in memory)) return { findEntry, storeEntry };
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  table.clear = exports['clearEntries'] as typeof table.clear;
  return exports;
}
