import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine } from '../../../engine/library/node.js';
import type { Engine, Explanation } from '../../../engine/library/types.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ hash: 4 });
});
afterAll(() => engine.close());

const NODES = { nodes: 5000 };
const OPEN = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3';

function expectExact({ score, reasons, evaluation, search }: Explanation): void {
  if ('mate' in score) return;
  expect(reasons.reduce((sum, { cp }) => sum + cp, 0)).toBe(evaluation);
  expect(evaluation + search).toBe(score.cp);
}

test('explain returns the best move with reasons that add up to its score', async () => {
  const { move, against, differences, sentences } = await engine.explain(OPEN, NODES);
  expectExact(move);
  expect([against, differences]).toEqual([null, []]);
  expect(sentences[0]).toMatch(/^After [A-Za-z]\S* (White is|the position is) [a-z ]+ \([+−]?\d\.\d\d\)\./);
});

test('explain compares a SAN move with the best move, or two given moves with each other', async () => {
  const mine = await engine.explain(OPEN, { ...NODES, move: 'a4' });
  expect(mine.move.san[0]).toBe('a4');
  expect(mine.against?.san[0]).not.toBe('a4');
  for (const explanation of [mine.move, mine.against as Explanation]) expectExact(explanation);
  expect(mine.sentences[0]).toMatch(/^a4 scores [+−]?\d.* and \S+ [+−]?\d/);
  const two = await engine.explain({ fen: OPEN }, { ...NODES, move: 'Bb5', against: 'f1c4' });
  expect([two.move.line[0], two.against?.line[0]]).toEqual(['f1b5', 'f1c4']);
  const difference = two.differences.reduce((sum, { cp }) => sum + cp, 0);
  const [first, second] = [two.move.score, two.against?.score].map((score) => (score as { cp: number }).cp);
  expect(difference).toBe(first - second);
});

test('explain does not compare a move with itself', async () => {
  const { move, against, differences, sentences } = await engine.explain(OPEN, {
    ...NODES,
    move: 'Bb5',
    against: 'f1b5',
  });
  expect([move.line[0], against, differences]).toEqual(['f1b5', null, []]);
  expect(sentences).toEqual(move.sentences);
});

test('explain reports a mate after the given moves', async () => {
  const moves = ['f2f3', 'e7e5', 'g2g4'];
  const { move } = await engine.explain({ moves }, NODES);
  expect([move.score, move.sentences]).toEqual([{ mate: 1 }, ['Qh4# is mate.']]);
});

test('explain scores a game-ending move exactly, even without a complete search', async () => {
  const request = { nodes: 1, move: 'Rd8', against: 'Kf1' };
  const { move } = await engine.explain('6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1', request);
  expect([move.score, move.sentences]).toEqual([{ mate: 1 }, ['Rd8# is mate.']]);
  const stalemate = await engine.explain('7k/8/5KQ1/8/8/8/8/8 w - - 0 1', { nodes: 1, move: 'Qf7' });
  expect(stalemate.move.score).toEqual({ cp: 0 });
  expectExact(stalemate.move);
});

test('explain compares a move that allows mate with the best move', async () => {
  const { sentences } = await engine.explain({ moves: ['f2f3', 'e7e5'] }, { ...NODES, move: 'g4' });
  expect(sentences[0]).toMatch(/^g4 allows mate in 1 and \S+ scores [+−]?\d/);
  expect(sentences).toContain('After g4 Black mates at once: Qh4#.');
});

test('explain ignores later changes to its arguments', async () => {
  const moves = ['f2f3', 'e7e5', 'g2g4'];
  const explained = engine.explain({ moves }, NODES);
  moves.pop();
  expect((await explained).sentences).toEqual(['Qh4# is mate.']);
});

test('explain rejects invalid arguments', async () => {
  await expect(engine.explain(OPEN, { move: 'Ke3' })).rejects.toThrow(/'Ke3' is not a legal move/);
  await expect(engine.explain('7k/6Q1/6K1/8/8/8/8/8 b - - 0 1')).rejects.toThrow(/the game is over/);
  await expect(engine.explain('8/8 w')).rejects.toThrow(TypeError);
  await expect(engine.explain(OPEN, { nodes: -1 })).rejects.toThrow(/nodes: expected a whole number/);
});

test('an explanation ends before the requests after it begin', async () => {
  const request = { ...NODES, move: 'a4', against: 'e4' };
  await engine.newGame();
  const alone = await engine.explain({}, request);
  await engine.newGame();
  const explained = engine.explain({}, request);
  const flat = { material: Array(5).fill([100, 100]), psqt: Array(384).fill([0, 0]), tempo: [[0, 0]] };
  const replaced = engine.setWeights({ terms: flat });
  const search = engine.search();
  expect((await explained).sentences).toEqual(alone.sentences);
  engine.stop();
  await Promise.all([replaced, search, engine.setWeights(null)]);
});

test('stop ends both searches of explain', async () => {
  const explanation = engine.explain(OPEN, { move: 'a4', nodes: 1e9 });
  setTimeout(() => engine.stop(), 100);
  expect((await explanation).move.san[0]).toBe('a4');
});
