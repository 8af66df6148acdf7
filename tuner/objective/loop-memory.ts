// allocate(): the arrays of the passes, in one shared WebAssembly memory, or, for loops in JavaScript, each in a buffer of its
// own where the machine refuses the memory or the data exceed its 4 GiB.

import { readFileSync } from 'node:fs';
import { workerFile } from '../../selfplay/common/paths.js';
import type { LoopArrays, LoopShare } from '../loops/share.js';

const PAGE = 65_536;
const PAGES_MAX = 65_535;
/** Addresses are multiples of this, a line of the cache. */
const ALIGNMENT = 64;

interface ArrayType {
  new (buffer: SharedArrayBuffer, byteOffset?: number, length?: number): LoopArrays[keyof LoopArrays];
  readonly BYTES_PER_ELEMENT: number;
}

/** Type and length of each array. */
export type Plan = { [Name in keyof LoopArrays]: [type: ArrayType, length: number] };

/** Returns the arrays, filled with zeros. What is never written takes no memory, only addresses. */
export function allocate(plan: Plan): Pick<LoopShare, 'arrays' | 'wasm'> {
  const bytes = Object.values(plan).reduce(
    (sum, [type, length]) => sum + aligned(length * type.BYTES_PER_ELEMENT),
    PAGE,
  );
  const wasm = memoryOf(bytes);
  // Address 0 stays free, so that a table nobody placed is noticed
  let next = PAGE;
  const arrays = Object.entries(plan).map(([name, [type, length]]) => {
    const size = length * type.BYTES_PER_ELEMENT;
    const array =
      wasm === undefined
        ? new type(new SharedArrayBuffer(size))
        : new type(wasm.memory.buffer as SharedArrayBuffer, next, length);
    next += aligned(size);
    return [name, array];
  });
  return { arrays: Object.fromEntries(arrays) as LoopArrays, ...(wasm && { wasm }) };
}

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

function memoryOf(bytes: number): LoopShare['wasm'] {
  const pages = Math.ceil(bytes / PAGE);
  if (typeof WebAssembly === 'undefined' || pages > PAGES_MAX) return undefined;
  const code = readFileSync(new URL('pass.wasm', workerFile('tuner/loops/pass')));
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    return { module: new WebAssembly.Module(code), memory };
  } catch {
    return undefined; // no address space for it, or an old processor without vectors
  }
}
