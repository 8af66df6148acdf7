import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { loadWeights } from '../../../selfplay/common/weights.js';
import { KnobWeights } from '../../../tuner/spsa/knob-weights.js';
import { Tunables } from '../../../tuner/spsa/tunables.js';
import { parseVariable } from '../../../tuner/spsa/variable.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-knob-weights-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a run removes only its own files from the weights folder', () => {
  const variables = [parseVariable('tempo.bias, float, 0, -100, 100, 5, 0.002', 'test')];
  const weights = new KnobWeights(new Tunables(variables, new Map(), loadWeights('shipped')), folder, 1);
  const files = [1, 2].map((k) => weights.fileOf(k, 0, 'plus', [3]));
  writeFileSync(join(folder, '7-0-minus.json'), 'left by an interrupted run');
  writeFileSync(join(folder, 'net.bin'), "the user's own");
  weights.drop(1);
  expect(files.map((file) => existsSync(file))).toEqual([false, true]);
  weights.clear();
  expect(readdirSync(folder)).toEqual(['net.bin']);
  rmSync(join(folder, 'net.bin'));
  weights.clear();
  expect(existsSync(folder)).toBe(false);
  weights.clear();
});
