import { describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { bench, POSITIONS } from '../../../engine/commands/bench.js';
import { currentWeights, newGame, search, setHashSize } from '../../../engine/engine.js';
import { setWeights } from '../../../engine/eval/weights-in-use.js';
import { resolveQuiet } from '../../../engine/resolve.js';
import { kernel, kernelTarget, useJs, useWasm } from '../../../engine/search/kernel.js';
import { PARAMS } from '../../../engine/search/params.js';
import { setParam } from '../../../engine/search/reductions.js';
import { tableMemory, useTable } from '../../../engine/search/tt/tt-memory.js';
import { MODULES } from '../../support/wasm.js';

/** Returns what the work comes to with JavaScript and with WebAssembly. */
function both<Result>(work: () => Result): Result[] {
  useJs();
  const js = work();
  useWasm(MODULES);
  return [js, work()];
}

function searchAll(nodes: number): unknown[] {
  setHashSize(4);
  newGame();
  return POSITIONS.map((fen) => {
    parseFen(fen);
    const infos: unknown[] = [];
    const result = search({ nodes }, ({ time: _, ...info }) => infos.push(info));
    return { result, infos };
  });
}

describe('JavaScript and WebAssembly', () => {
  test('JavaScript and WebAssembly are both the kernel when asked to be', () => {
    expect(both(kernelTarget)).toEqual(['js', 'wasm']);
  });

  test('JavaScript and WebAssembly have the same bench at depth 6', () => {
    const [js, wasm] = both(() => bench(6).nodes);
    expect(js).toBeGreaterThan(20_000);
    expect(wasm).toBe(js);
  });

  test('JavaScript and WebAssembly search the same tree: every line reported is the same, with histories and table carried on', () => {
    const [js, wasm] = both(() => searchAll(2000));
    expect(wasm).toEqual(js);
  });

  test('JavaScript and WebAssembly search on where the other stopped', () => {
    const run = (targets: (() => void)[]): unknown[] => {
      newGame();
      return targets.map((use, i) => {
        use();
        parseFen(POSITIONS[i]);
        return search({ nodes: 3000 });
      });
    };
    const wasm = (): void => useWasm(MODULES);
    const alone = run([useJs, useJs, useJs, useJs]);
    expect(run([useJs, wasm, useJs, wasm])).toEqual(alone);
  });

  test('JavaScript and WebAssembly count the same moves', () => {
    for (const fen of POSITIONS) {
      parseFen(fen);
      const [js, wasm] = both(() => kernel.perft(3, true, 0));
      expect(wasm, fen).toBe(js);
      expect(kernel.perft(3, false, 0), fen).toBe(js);
    }
  });

  test('JavaScript and WebAssembly resolve positions alike', () => {
    for (const fen of POSITIONS) {
      parseFen(fen);
      const [js, wasm] = both(resolveQuiet);
      expect(wasm, fen).toEqual(js);
    }
  });

  test('JavaScript and WebAssembly read the same parameters and weights, changed or not', () => {
    const before = searchAll(1000);
    setParam('rfpMargin', 90);
    const [js, wasm] = both(() => searchAll(1000));
    setParam('rfpMargin', PARAMS['rfpMargin'].value);
    expect(wasm).toEqual(js);
    expect(js).not.toEqual(before);

    const { mg, eg } = currentWeights();
    setWeights(
      mg.map((value) => value >> 1),
      eg,
    );
    const [halvedJs, halvedWasm] = both(() => searchAll(1000));
    setWeights(mg, eg);
    expect(halvedWasm).toEqual(halvedJs);
    expect(halvedJs).not.toEqual(before);
    expect(searchAll(1000)).toEqual(before);
  });

  test('JavaScript and WebAssembly use a table beyond the reach of WebAssembly alike', () => {
    // Shared memory that is not WebAssembly's stands for one that is too large to be
    const run = (): unknown[] => {
      newGame();
      parseFen(POSITIONS[5]);
      return [search({ nodes: 20_000 })];
    };
    setHashSize(1);
    const [js, wasm] = both(run);
    const memory = tableMemory();
    useTable(new SharedArrayBuffer(2 ** 20));
    expect(run()).toEqual(wasm);
    useTable(memory);
    expect(wasm).toEqual(js);
  });
});
