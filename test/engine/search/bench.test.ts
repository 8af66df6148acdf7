import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bench } from '../../../engine/bench.js';
import { setWeights } from '../../../engine/engine.js';
import { checkWeightSet, weightVectors } from '../../../engine/eval/weight-set.js';
import { WEIGHTS } from '../../../engine/eval/weights.js';

/** The node count of the last commit; a change that is meant to alter play brings its own. */
const signature = Number(readFileSync(fileURLToPath(new URL('../../data/bench.txt', import.meta.url)), 'utf8'));

test('the bench has its signature', () => {
  expect(
    bench().nodes,
    'search or evaluation changed: if that is meant, put this number into test/data/bench.txt',
  ).toBe(signature);
});

test('the bench counts the same again, and other nodes with other weights', () => {
  const { nodes } = bench(4);
  expect(bench(4).nodes).toBe(nodes);
  const { mg, eg } = weightVectors(checkWeightSet(WEIGHTS));
  setWeights(mg.with(1, 150), eg.with(3, 900));
  expect(bench(4).nodes).not.toBe(nodes);
  setWeights(mg, eg);
  expect(bench(4).nodes).toBe(nodes);
});
