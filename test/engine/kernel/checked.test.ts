// The kernel with bounds checks on each table access: without them an index out of range would read or change another table unnoticed.

import { afterAll, beforeAll, describe, expect } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { perft } from '../../../engine/board/kernel.js';
import { bench, POSITIONS } from '../../../engine/commands/bench.js';
import { newGame, search, setHashSize } from '../../../engine/engine.js';
import { kernel, useCompiled } from '../../../engine/search/kernel.js';
import { isSlow, slowTest } from '../../support/slow.js';
import { MODULES } from '../../support/wasm.js';
import { randomWalks, seedOf } from '../board/walks.js';

const COMPILER = '../../../scripts/wasm.mjs';

interface Numbers {
  length: number;
  BYTES_PER_ELEMENT: number;
}

/** Returns a class for one table with bounds checks, which trap instead of touching another table. */
function checkedClass(name: string, table: Numbers, { element, stored }: Record<'element' | 'stored', string>): string {
  // Not assert(), whose message would overwrite the first tables
  const at = `changetype<usize>(this) + <usize>index * ${table.BYTES_PER_ELEMENT}`;
  return `@unmanaged export class ${name} extends Table<${element}, ${stored}> {
  @operator('[]') get(index: i32): ${element} {
    if (<u32>index >= ${table.length}) unreachable();
    return load<${stored}>(${at});
  }
  @operator('[]=') set(index: i32, value: ${element}): void {
    if (<u32>index >= ${table.length}) unreachable();
    store<${stored}>(${at}, value);
  }
}`;
}

describe.runIf(isSlow)('the checked kernel', () => {
  let nodes = 0;
  beforeAll(async () => {
    nodes = bench(7).nodes;
    const { compileSearch } = (await import(COMPILER)) as {
      compileSearch: (root: string, dist: string, classOf: typeof checkedClass) => Promise<Uint8Array<ArrayBuffer>>;
    };
    const code = await compileSearch(process.cwd(), `${process.cwd()}/dist`, checkedClass);
    useCompiled({ ...MODULES, search: new WebAssembly.Module(code) });
  });
  afterAll(() => useCompiled(MODULES));

  slowTest('the checked kernel traps on an out-of-range table index', () => {
    expect(() => kernel.alphaBeta(0, 1, 1, 5000, false)).toThrow('unreachable');
  });

  slowTest('the checked kernel runs bench, perft and random games without an out-of-range index', () => {
    expect(bench(7).nodes).toBe(nodes);
    for (const fen of POSITIONS) {
      parseFen(fen);
      expect(perft(3, false), fen).toBeGreaterThan(0);
    }
    setHashSize(1);
    newGame();
    randomWalks(seedOf('checked'), 60, 120, ({ random }) => {
      if (random() % 8 !== 0) return;
      const fen = formatFen();
      search({ nodes: 1 + (random() % 3000) });
      expect(formatFen()).toBe(fen);
    });
  });
});
