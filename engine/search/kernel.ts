// Search functions for code outside the kernel, and the loader of the compiled modules.

// These modules allocate kernel tables. They must be loaded here, because the compiled kernel does not import them
import '../eval/workspace.js';
import '../eval/masks.js';
import '../eval/weights-in-use.js';
import './audit-counts.js';
import './history-tables.js';
import './params.js';
import './plies.js';
import { useBoardFunctions } from '../board/kernel.js';
import type * as counting from '../eval/candidates.js';
import { useEvaluation } from '../eval/kernel.js';
import { checkTables, kernelMemory } from '../kernel/memory.js';
import { isStopRaised, onRootMove, poll } from '../kernel/primitives.js';
import type * as playing from './module.js';
import { findEntry, storeEntry } from './tt/entries.js';
import { clearInts, table } from './tt/memory.js';

/** The compiled modules: search; transposition table entries, with memory shared by threads; term counts, if needed. */
export interface KernelModules {
  search: WebAssembly.Module;
  table: WebAssembly.Module;
  trace: () => WebAssembly.Module;
}

type SearchFunctions = Pick<typeof playing, 'alphaBeta' | 'qsearch' | 'startAtRoot' | 'fillTables'>;

/** The installed functions; empty until a kernel is loaded. */
export let kernel = {} as SearchFunctions;

/** Installs the functions; `onTable` is called for each new transposition table. */
export function useSearch(functions: SearchFunctions, onTable = (): void => {}): void {
  kernel = functions;
  table.onChange = onTable;
}

/** Installs the compiled modules. */
export function useCompiled(modules: KernelModules): void {
  checkTables();
  // Each new table needs new module instances. No state is lost, because all of it is in memory
  const link = (): void => {
    const entries = tableFunctions(modules.table);
    const { exports } = new WebAssembly.Instance(modules.search, {
      env: { memory: kernelMemory },
      host: { poll, onRootMove, isStopRaised },
      tt: entries,
    });
    useSearch(exports as unknown as SearchFunctions, link);
    useBoardFunctions(exports as Parameters<typeof useBoardFunctions>[0]);
    useEvaluation(exports);
  };
  link();
  kernel.fillTables();
  // Loaded on first use, because most programs never need it
  let tracer: typeof counting | undefined;
  const tracedScore = (): number => {
    tracer ??= tracing(modules.trace());
    return tracer.tracedScore();
  };
  useEvaluation({ tracedScore });
}

/** Installs the tuner's tracing module. */
export function useTracing(module: WebAssembly.Module): void {
  useEvaluation(tracing(module));
}

const tracing = (module: WebAssembly.Module) =>
  new WebAssembly.Instance(module, { env: { memory: kernelMemory } }).exports as unknown as typeof counting;

// Tables larger than the 4 GiB that WebAssembly can address are accessed from JavaScript
function tableFunctions(module: WebAssembly.Module): WebAssembly.Instance['exports'] {
  const { memory } = table;
  table.clear = clearInts;
  if (!('buffer' in memory)) return { findEntry, storeEntry };
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  table.clear = exports['clearEntries'] as typeof table.clear;
  return exports;
}
