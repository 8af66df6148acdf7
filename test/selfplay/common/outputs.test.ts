// Claims on a run's folder when several processes start in it at once, or when it contains other files.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { claimOutputs } from '../../../selfplay/common/outputs.js';
import { ended, runProgram } from '../../support/program.js';
import { isSlow } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-claims-'));
afterAll(() => rmSync(folder, { recursive: true }));
const SELFPLAY = fileURLToPath(new URL('../../../dist/selfplay/datagen/main.js', import.meta.url));

test('temporary files of another process do not count as foreign files', () => {
  const out = join(folder, 'begun');
  mkdirSync(out);
  for (const name of ['run.json.tmp-4711', 'lock-4711']) writeFileSync(join(out, name), '');
  claimOutputs({ force: false, out });
  expect(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))).toEqual({ files: [] });
});

test('a folder with foreign files is rejected, even if they look like temporary files of a run', () => {
  for (const name of ['thesis.txt', 'run.json.tmp-mine']) {
    const out = join(folder, `with-${name}`);
    mkdirSync(out);
    writeFileSync(join(out, name), '');
    expect(() => claimOutputs({ force: false, out })).toThrow(`--out: ${out} contains other files (${name}, …)`);
    expect(readdirSync(out)).toEqual([name]);
  }
});

test('an output file is rejected if another option or the run itself uses it, and a device may be used twice', () => {
  const out = join(folder, 'own');
  const file = join(folder, 'x.pgn');
  const claim = (files: Record<string, string>) => () => claimOutputs({ force: true, out, files });
  expect(claim({ pgn: file, json: join(out, '../x.pgn') })).toThrow(/^--json: .*x\.pgn is also the file of --pgn$/);
  expect(claim({ events: join(out, 'events.jsonl') })).toThrow(/^--events: .* is a file of the run itself;/);
  expect(claim({ log: join(out, 'games.jsonl') })).toThrow(/^--log: .* is a file of the run itself;/);
  expect(claim({ pgn: '/dev/null', json: '/dev/null' })).not.toThrow();
  const written = { fresh: ['weights.json'], rewritten: ['report.html'] };
  for (const name of [...written.fresh, ...written.rewritten])
    expect(() => claimOutputs({ force: true, out, files: { json: join(out, name) }, ...written })).toThrow(
      /^--json: .* is a file of the run itself;/,
    );
});

test('a file of the run is rejected if it is also an input', () => {
  const out = join(folder, 'continued');
  const weights = join(out, 'weights.json');
  mkdirSync(out);
  writeFileSync(weights, '{}');
  for (const written of [{ fresh: ['weights.json'] }, { rewritten: ['weights.json'] }]) {
    expect(() => claimOutputs({ force: true, out, inputs: [weights], ...written })).toThrow(
      `--out: ${weights} is also an input; choose another folder`,
    );
    expect(() => claimOutputs({ force: true, out, inputs: [join(folder, 'other')], ...written })).not.toThrow();
  }
});

test('one of several processes in a new folder runs, and the others report its process id', async () => {
  const count = isSlow ? 4 : 2;
  const args = ['--games', '4', '--nodes', '50', '--workers', '1', '--out', 'shared'];
  const ends = await Promise.all(Array.from({ length: count }, () => runProgram(SELFPLAY, args, folder)));
  const refused = ends.filter(({ code }) => code !== 0);
  for (const { code, stderr } of refused) {
    expect(stderr).toMatch(/^error: shared is in use by process \d+.*\n$/);
    expect(code).toBe(1);
  }
  expect(refused.length).toBeLessThan(count);
  const { games, complete } = JSON.parse(readFileSync(join(folder, 'shared/manifest.json'), 'utf8'));
  expect([games, complete]).toEqual([4, true]);
});

test('a second process reports the process that uses the folder', async () => {
  const args = ['--nodes', '50', '--workers', '1', '--out', 'used'];
  const first = spawn(process.execPath, [SELFPLAY, ...args, '--games', '100000'], { cwd: folder, stdio: 'ignore' });
  const end = ended(first);
  try {
    const lock = join(folder, 'used/lock');
    for (let i = 0; i < 2000 && !existsSync(lock); i++) await sleep(10);
    const { code, stderr } = await runProgram(SELFPLAY, [...args, '--games', '4'], folder);
    expect(stderr).toMatch(new RegExp(`^error: used is in use by process ${first.pid}\\b`));
    expect(code).toBe(1);
  } finally {
    first.kill('SIGKILL');
    await end;
  }
});
