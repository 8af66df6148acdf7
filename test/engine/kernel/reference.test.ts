// Compares the reference, which is the kernel's source run as JavaScript, with the compiled kernel.

import { afterEach, expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { perft as compiledPerft } from '../../../engine/board/kernel.js';
import { perft } from '../../../engine/board/movegen.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { seeAtLeast } from '../../../engine/board/see.js';
import { POSITIONS } from '../../../engine/commands/bench.js';
import { currentWeights, newGame, resolveQuiet, search, setHashSize } from '../../../engine/engine.js';
import { evaluate, rawScore, traceEvaluate } from '../../../engine/eval/kernel.js';
import { evaluationKeys, setWeights } from '../../../engine/eval/weights-in-use.js';
import { traceCounts } from '../../../engine/eval/workspace.js';
import { useCompiled, useTracing } from '../../../engine/search/kernel.js';
import { PARAMS, setParam } from '../../../engine/search/params.js';
import { table, useTable } from '../../../engine/search/tt/memory.js';
import { MODULES, TRACING } from '../../support/wasm.js';
import { randomWalks, seedOf } from '../board/walks.js';
import { useReference } from './reference.js';

const COUNT = 100;

function compile(): void {
  useCompiled(MODULES);
  useTracing(TRACING);
}

afterEach(compile);

/** Returns the results of the work by the reference and by the compiled kernel. */
function both<Result>(work: () => Result): Result[] {
  useReference();
  const reference = work();
  compile();
  return [reference, work()];
}

/** Returns positions of the bench and of random games. */
function somePositions(): string[] {
  const fens: string[] = [];
  randomWalks(seedOf('reference'), 40, 100, ({ random }) => {
    if (random() % 20 === 0) fens.push(formatFen());
  });
  return [...POSITIONS, ...fens].slice(0, COUNT);
}
const FENS = somePositions();

function searchAll(fens: readonly string[], nodes: number): unknown[] {
  setHashSize(1);
  newGame();
  return fens.map((fen) => {
    parseFen(fen);
    const infos: unknown[] = [];
    const result = search({ nodes }, ({ time: _, ...info }) => infos.push(info));
    return { result, infos };
  });
}

test('the reference and the compiled kernel give the same perft counts', () => {
  expect(FENS).toHaveLength(COUNT);
  for (const fen of FENS) {
    parseFen(fen);
    expect(perft(2, true, 0), fen).toBe(compiledPerft(2, true));
    expect(perft(2, false, 0), fen).toBe(compiledPerft(2, false));
  }
});

test('the reference and the compiled kernel give the same evaluations and traces', () => {
  const [reference, compiled] = both(() =>
    FENS.map((fen) => {
      parseFen(fen);
      evaluationKeys.fill(0n);
      return { fen, own: evaluate(), raw: rawScore(), white: traceEvaluate(), counts: traceCounts.join() };
    }),
  );
  expect(compiled).toEqual(reference);
});

test('the reference and the compiled kernel resolve positions to the same quiet lines', () => {
  const [reference, compiled] = both(() =>
    FENS.map((fen) => {
      parseFen(fen);
      return { fen, quiet: resolveQuiet() };
    }),
  );
  expect(compiled).toEqual(reference);
  for (const fen of FENS) {
    parseFen(fen);
    for (const move of legalMoves()) {
      // A search of the compiled kernel calls SEE; here the reference's thresholds must be consistent
      if (seeAtLeast(move, 100)) expect(seeAtLeast(move, 0), fen).toBe(true);
    }
  }
});

test('the reference and the compiled kernel search the same tree, with histories and table carried over', () => {
  const [reference, compiled] = both(() => searchAll(FENS, 250));
  expect(compiled).toEqual(reference);
});

test("the reference and the compiled kernel can each continue from the other's state", () => {
  const run = (kernels: (() => void)[]): unknown[] => {
    newGame();
    return kernels.map((use, i) => {
      use();
      parseFen(POSITIONS[i]);
      return search({ nodes: 1000 });
    });
  };
  const alone = run([compile, compile, compile, compile]);
  expect(run([useReference, compile, useReference, compile])).toEqual(alone);
});

test('the reference and the compiled kernel read the same parameters and weights', () => {
  const fens = POSITIONS.slice(0, 6);
  const before = searchAll(fens, 500);
  setParam('rfpMargin', 90);
  const [reference, compiled] = both(() => searchAll(fens, 500));
  setParam('rfpMargin', PARAMS['rfpMargin'].value);
  expect(compiled).toEqual(reference);
  expect(reference).not.toEqual(before);

  const { mg, eg } = currentWeights();
  setWeights(
    mg.map((value) => value >> 1),
    eg,
  );
  const [halvedReference, halvedCompiled] = both(() => searchAll(fens, 500));
  setWeights(mg, eg);
  expect(halvedCompiled).toEqual(halvedReference);
  expect(halvedReference).not.toEqual(before);
  expect(searchAll(fens, 500)).toEqual(before);
});

test('a hash table outside WebAssembly memory gives the same search', () => {
  // Any shared memory outside WebAssembly stands for a table that is too large for it
  const run = (): unknown[] => {
    newGame();
    parseFen(POSITIONS[5]);
    return [search({ nodes: 20_000 })];
  };
  setHashSize(1);
  const compiled = run();
  const memory = table.memory;
  useTable(new SharedArrayBuffer(2 ** 20));
  expect(run()).toEqual(compiled);
  useTable(memory);
});
