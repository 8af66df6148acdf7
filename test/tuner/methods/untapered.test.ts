import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createRandom } from '../../../engine/kernel/random.js';
import { tune } from '../../../tuner/fit/tune.js';
import { DEFAULTS } from '../../../tuner/fit/tune-settings.js';
import { rowsFiles } from '../../../tuner/rows/file.js';
import { toVector } from '../../../tuner/weights/weights-file.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-untapered-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Values behind the results: two untapered terms and a tapered one. */
const TRUE = [
  [90, 90],
  [30, 30],
  [20, 60],
];
const terms = ['plain', 'other', 'tapered'].map((name, i) => ({ name, weights: i < 2 ? [0] : [[0, 0]] }));

function rows(): string {
  const random = createRandom(7);
  const lines = [
    JSON.stringify({ format: 'heft-rows', version: 1, engine: 'Test', terms }),
    'result\tgame\tphase\trow',
  ];
  const value = () => (random() % 7) - 3;
  for (let game = 0; game < 2000; game++) {
    const [phase, counts] = [random() % 25, [value(), value(), value()]];
    const score = counts.reduce((sum, count, i) => {
      const [mg, eg] = TRUE[i];
      return sum + (count * (mg * phase + eg * (24 - phase))) / 24;
    }, 0);
    const isWon = random() / 2 ** 32 < 1 / (1 + Math.exp((-2 * score) / 400));
    lines.push(`${Number(isWon)}\tg${game}\t${phase}\t${counts.map((count, i) => `${i}:${count}`).join(' ')}`);
  }
  return `${lines.join('\n')}\n`;
}

test('every method that accepts untapered terms finds the same values for them', async () => {
  const file = join(folder, 'rows.tsv');
  writeFileSync(file, rows());
  const producer = await rowsFiles([file]);
  const fitted = async (method: string): Promise<number[]> => {
    const settings = { ...DEFAULTS, data: [], rows: [file], method, k: 2, l2: 1, holdout: 0, workers: 1, certainty: 0 };
    const { weights } = await tune(settings, {}, null, producer);
    return [...toVector(producer.model, weights)];
  };
  const expected = await fitted('gauss-newton');
  expect(expected.slice(0, 2)).toEqual(expected.slice(3, 5));
  for (const [i, value] of expected.entries())
    expect(Math.abs(value - TRUE[i % 3][Math.floor(i / 3)])).toBeLessThan(15);
  for (const method of ['cg', 'gd', 'adam']) {
    const values = await fitted(method);
    for (const [i, value] of values.entries()) expect(Math.abs(value - expected[i])).toBeLessThanOrEqual(1);
    expect(values.slice(0, 2)).toEqual(values.slice(3, 5));
  }
});
