import { afterEach, describe, expect, test, vi } from 'vitest';
import { createEngine } from '../../../engine/library/node.js';
import type { Engine, EngineOptions, SearchInfo } from '../../../engine/library/types.js';
import { slowTest, someOf } from '../../support/slow.js';

const MATE_IN_ONE = '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1';
const MATED = '7k/6Q1/6K1/8/8/8/8/8 b - - 0 1';
const MATERIAL = { material: Array(5).fill([100, 100]), psqt: Array(384).fill([0, 0]), tempo: [[7, 7]] };

let engine: Engine;
const start = async (options?: EngineOptions): Promise<void> => {
  engine = await createEngine(options);
};
afterEach(() => engine.close());

describe('search', () => {
  test('search reports a line per depth and returns the last one', async () => {
    await start();
    const infos: SearchInfo[] = [];
    const result = await engine.search({ moves: ['e2e4'], depth: 6 }, { onInfo: (info) => infos.push(info) });
    expect(infos.map(({ depth }) => depth)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(result.lines).toEqual([infos.at(-1)]);
    expect(result.bestMove).toBe(result.lines[0].pv[0]);
    expect(result.ponder).toBe(result.lines[0].pv[1]);
  });

  test('search returns the same node count after newGame, even if other settings were used in between', async () => {
    await start({ hash: 4 });
    const nodes = async (): Promise<number> => {
      await engine.newGame();
      return (await engine.search({ depth: 7 })).lines[0].nodes;
    };
    const first = await nodes();
    await engine.search({ depth: 4, multiPv: 3, elo: 1500 });
    expect(await nodes()).toBe(first);
  });

  test('search with multiPv returns several lines, all starting with moves from searchMoves', async () => {
    await start();
    const { lines } = await engine.search({ depth: 4, multiPv: 2, searchMoves: ['a2a3', 'h2h3', 'e2e4'] });
    expect(lines.map(({ multipv }) => multipv)).toEqual([1, 2]);
    for (const { pv } of lines) expect(['a2a3', 'h2h3', 'e2e4']).toContain(pv[0]);
  });

  test('search and evaluate reject illegal moves, which the UCI engine ignores', async () => {
    await start();
    const moves = ['e2e4', 'e7e5', 'e4e5', 'd7d5'];
    for (const call of [engine.search({ moves, depth: 1 }), engine.evaluate({ moves })])
      await expect(call).rejects.toThrow(/^moves: e4e5 is not legal$/);
  });

  test('search reports mates, even in a mated position', async () => {
    await start();
    const { bestMove, lines } = await engine.search({ fen: MATE_IN_ONE, mate: 1 });
    expect([bestMove, lines[0].score]).toEqual(['d1d8', { mate: 1 }]);
    const over = await engine.search({ fen: MATED, depth: 3 });
    expect([over.bestMove, over.ponder, over.lines[0].score]).toEqual([null, null, { mate: 0 }]);
  });

  test('search works with several threads', async () => {
    await start({ threads: 2 });
    expect((await engine.search({ depth: 8 })).bestMove).toMatch(/^[a-h][1-8]/);
  });
});

describe('a search without limits', () => {
  test('stop ends a search without limits, immediately or at a later depth', async () => {
    await start();
    const early = engine.search();
    engine.stop();
    expect((await early).bestMove).toMatch(/^[a-h][1-8]/);
    const late = engine.search({}, { onInfo: ({ depth }) => depth === 5 && engine.stop() });
    expect((await late).lines[0].depth).toBeGreaterThanOrEqual(5);
    expect((await engine.search({ depth: 2 })).lines[0].depth).toBe(2);
  });

  test('queued searches share one abort listener, which is removed after the last search', async () => {
    await start();
    const controller = new AbortController();
    const { signal } = controller;
    const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    await Promise.all(Array.from({ length: 11 }, () => engine.search({ nodes: 100 }, { signal })));
    await engine.newGame();
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
    const outcomes = Promise.allSettled([engine.search({}, { signal }), engine.search({}, { signal })]);
    controller.abort('enough');
    const rejected = { status: 'rejected', reason: 'enough' };
    expect(await outcomes).toEqual([rejected, rejected]);
  });

  test("an aborted signal rejects a search without limits with the signal's reason", async () => {
    await start();
    await expect(engine.search({}, { signal: AbortSignal.timeout(30) })).rejects.toThrow(/timeout/);
    await expect(engine.search({}, { signal: AbortSignal.abort(new Error('never mind')) })).rejects.toThrow(
      'never mind',
    );
    expect((await engine.search({ depth: 2 })).lines[0].depth).toBe(2);
  });

  test('onInfo is not called after the promise of an aborted search has been rejected', async () => {
    await start();
    const controller = new AbortController();
    let isRejected = false;
    let late = 0;
    const onInfo = ({ depth }: SearchInfo): void => {
      if (isRejected) late++;
      if (depth === 5) controller.abort('enough');
    };
    await engine.search({ multiPv: 4 }, { onInfo, signal: controller.signal }).catch(() => {
      isRejected = true;
    });
    await engine.newGame();
    expect([isRejected, late]).toEqual([true, 0]);
  });

  test('an aborted search does not wait for the search before it', async () => {
    await start();
    const unlimited = engine.search();
    await expect(engine.search({ depth: 1 }, { signal: AbortSignal.timeout(30) })).rejects.toThrow(/timeout/);
    engine.stop();
    expect((await unlimited).bestMove).toMatch(/^[a-h][1-8]/);
  });

  test('closing the engine rejects an unlimited search and all later calls', async () => {
    await start();
    const search = engine.search();
    engine.close();
    await expect(search).rejects.toThrow('closed');
    await expect(engine.evaluate()).rejects.toThrow('closed');
  });
});

test('evaluate returns terms whose sum is the evaluation', async () => {
  await start();
  const { score, phase, terms } = await engine.evaluate({ fen: 'r3k3/8/8/8/8/8/P7/Q3K3 w - - 0 1' });
  expect(phase).toBe(6);
  const sum = terms.reduce((total, { tapered }) => total + tapered, 0);
  // Each term is rounded separately
  expect(Math.abs(sum - score)).toBeLessThan(terms.length);
  expect(terms.find(({ name }) => name === 'material')?.mg).toBeGreaterThan(100);
});

test('evaluate returns the correction in a known endgame as a term, and does not score a mate as a draw', async () => {
  await start();
  const queen = await engine.evaluate({ fen: '7k/8/6K1/8/8/8/8/6Q1 b - - 0 1' });
  const sum = queen.terms.reduce((total, { tapered }) => total + tapered, 0);
  expect(Math.abs(sum - queen.score)).toBeLessThan(queen.terms.length);
  expect(queen.terms.at(-1)?.name).toBe('knownEndgame');
  expect((await engine.evaluate({ fen: MATED })).score).toBeGreaterThan(1000);
});

test('the engine uses the given weights', async () => {
  await start({ weights: { terms: MATERIAL } });
  const kings = { fen: '4k3/8/8/8/8/8/PP6/4K3 w - - 0 1' };
  expect((await engine.evaluate(kings)).score).toBe(207);
  await engine.setWeights(JSON.stringify({ terms: { ...MATERIAL, tempo: [[9, 9]] } }));
  expect((await engine.evaluate(kings)).score).toBe(209);
  await engine.setWeights(null);
  expect((await engine.evaluate(kings)).score).not.toBe(209);
});

const wrong: [string, string, (engine: Engine) => Promise<unknown>][] = [
  ['a FEN', 'the board has 1 ranks', (engine) => engine.search({ fen: 'x w', depth: 1 })],
  ['a move', 'illegal move e2e5', (engine) => engine.search({ moves: ['e2e5'], depth: 1 })],
  ['a limit', 'depth: expected a whole number', (engine) => engine.search({ depth: Number.NaN })],
  ['lines', 'multiPv: expected a whole number', (engine) => engine.search({ depth: 1, multiPv: 0 })],
  ['weights', 'unknown term "x"', (engine) => engine.setWeights({ terms: { ...MATERIAL, x: [] } })],
  ['a FEN with a command', 'White has 0 kings', (engine) => engine.evaluate({ fen: '8/8/8/8/8/8/8/8 w - -\nquit' })],
];
test.each(someOf(wrong))('an invalid argument is rejected, and search still works: %s', async (_, message, ask) => {
  await start();
  await expect(ask(engine)).rejects.toThrow(message);
  expect((await engine.search({ depth: 2 })).bestMove).toMatch(/^[a-h][1-8]/);
});

slowTest('createEngine rejects invalid options', async () => {
  await start();
  await expect(createEngine({ hash: 0 })).rejects.toThrow('hash: expected a whole number from 1');
  await expect(createEngine({ weights: '{' })).rejects.toThrow('not valid JSON');
});
