import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { projectFile } from '../../../selfplay/common/program.js';
import { loadWeights, weightsHash } from '../../../selfplay/common/weights.js';
import { LEDGERS } from '../../../tuner/weights/shipped-ledger.js';

test('the last entry of the weights ledger has the shipped weights', () => {
  const entries = JSON.parse(readFileSync(fileURLToPath(projectFile(LEDGERS.weights)), 'utf8'));
  const last = entries.at(-1);
  expect(last.origin).toMatch(/^(loop|tune|spsa)$/);
  expect(last.origin === 'loop' ? last.final.weights : last.after).toBe(weightsHash(loadWeights('shipped')));
  expect(last.match ?? last.final.match).toMatchObject({ penta: expect.any(Array) });
});
