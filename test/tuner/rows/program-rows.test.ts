import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { programRows } from '../../../tuner/rows/program-rows.js';
import { playGames } from '../../support/games.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-program-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));
const shard = join(folder, 'games.vf');
const games = playGames(4, 5);
// Every position occurs twice
writeFileSync(shard, Buffer.concat([...games, ...games].map(encodeGame)));

/** Starts a program that skips its first `skipped` positions, and returns its rows. */
async function load(skipped: number) {
  const file = join(folder, `program-${skipped}.mjs`);
  const header = { format: 'heft-rows', version: 1, engine: 'Fake', terms: [{ name: 'a', weights: [[1, 2]] }] };
  writeFileSync(
    file,
    `import { createInterface } from 'node:readline';
console.log(${JSON.stringify(JSON.stringify(header))});
console.log('phase\\trow');
let number = 0;
for await (const line of createInterface({ input: process.stdin })) console.log(number++ < ${skipped} ? 'skip' : '12\\t0:1');
`,
  );
  const settings = { data: [shard], workers: 1, perGame: 999, skipPlies: 0, resolve: 'none' as const, seed: 1 };
  const producer = await programRows(settings, `${process.execPath} ${file}`);
  return producer.load(new Float64Array(2), {});
}

test('positions that the program skips are not counted as used or repeated', async () => {
  const { dataset, dataSummary, firstSame } = await load(0);
  const rows = dataset.phase.length;
  expect(dataSummary.kept - dataSummary.distinct).toBeGreaterThanOrEqual(rows / 2);

  const rest = await load(rows / 2 + 1);
  const { kept, distinct, phases, men, balance } = rest.dataSummary;
  expect(kept).toBe(rows / 2 - 1);
  // The first game may repeat positions of its own
  expect(distinct).toBe(new Set(firstSame.slice(rows / 2 + 1)).size);
  expect(rest.firstSame.filter((first, row) => first === row)).toHaveLength(distinct);
  for (const counts of [phases, men, balance]) expect(counts.reduce((sum, count) => sum + count, 0)).toBe(kept);
});

test('a program that skips all positions is rejected', async () => {
  await expect(load(1e9)).rejects.toThrow(
    /program-1000000000.mjs: the program skipped all \d+ positions; print rows for some/,
  );
});
