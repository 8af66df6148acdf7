import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bench } from '../../engine/commands/bench.js';
import { currentWeights, setWeights } from '../../engine/engine.js';
import { slowTest } from '../support/slow.js';
import { EngineProcess, runEngine } from './engine-process.js';

/** The node count of the last commit. A commit that changes play on purpose updates it. */
const signature = Number(readFileSync(fileURLToPath(new URL('../data/bench.txt', import.meta.url)), 'utf8'));
const CHANGED = 'search or evaluation changed: if that is meant, put this number into test/data/bench.txt';

test('bench visits the stored number of nodes', () => {
  expect(bench().nodes, CHANGED).toBe(signature);
});

slowTest('bench prints the stored node count from the command line and over UCI', async () => {
  const engine = new EngineProcess();
  engine.send('bench');
  const [argument, command] = await Promise.all([runEngine(['bench']), engine.until(/ nps$/)]);
  engine.send('quit');
  expect([argument.code, await engine.exit]).toEqual([0, 0]);
  for (const last of [argument.stdout.trimEnd().split('\n').at(-1), command.at(-1)]) {
    expect(last).toMatch(/^\d+ nodes \d+ nps$/);
    const nodes = Number(last?.split(' ')[0]);
    expect(nodes, CHANGED).toBe(signature);
  }
});

test('bench is deterministic, and its node count depends on the weights', () => {
  const { nodes } = bench(4);
  expect(bench(4).nodes).toBe(nodes);
  const { mg, eg } = currentWeights();
  setWeights(mg.with(1, mg[1] - 150), eg.with(3, eg[3] + 400));
  expect(bench(4).nodes).not.toBe(nodes);
  setWeights(mg, eg);
  expect(bench(4).nodes).toBe(nodes);
});
