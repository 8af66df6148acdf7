import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { projectFile } from '../../../selfplay/common/program.js';
import { loadWeights, weightsHash } from '../../../selfplay/common/weights.js';
import { LEDGERS, shippedGames } from '../../../tuner/weights/shipped-ledger.js';

test('the last entry of the weights ledger has the shipped weights', () => {
  const entries = JSON.parse(readFileSync(fileURLToPath(projectFile(LEDGERS.weights)), 'utf8'));
  const last = entries.at(-1);
  expect(last.origin).toMatch(/^(loop|tune|spsa)$/);
  expect(last.origin === 'loop' ? last.final.weights : last.after).toBe(weightsHash(loadWeights('shipped')));
  expect(last.match ?? last.final.match).toMatchObject({ penta: expect.any(Array) });
});

test('shippedGames counts only the games of the last entry', () => {
  const loop = { runs: [{ generations: [{ games: 100 }, { games: 200 }] }, { generations: [{ games: 300 }] }] };
  expect(shippedGames([{ generations: [{ games: 9 }] }, loop])).toBe(600);
  // Weights installed by tune or spsa come from earlier weights and other games
  expect(shippedGames([loop, {}])).toBe(0);
  expect(shippedGames([])).toBe(0);
});
