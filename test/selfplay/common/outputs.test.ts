// Claims on a run's folder when several processes start in it at once, or when it contains other files.

import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { writeSummary } from '../../../selfplay/common/files.js';
import { claimOutputs } from '../../../selfplay/common/outputs.js';
import { ended, runProgram } from '../../support/program.js';
import { isSlow } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-claims-'));
afterAll(() => rmSync(folder, { recursive: true }));
const runIn = (out: string, command = 'match') => ({ out, command, mark: 'games.jsonl' });
const SELFPLAY = fileURLToPath(new URL('../../../dist/selfplay/datagen/main.js', import.meta.url));

test('temporary files of another process do not count as foreign files', () => {
  const out = join(folder, 'begun');
  mkdirSync(out);
  for (const name of ['run.json.tmp-4711', 'lock-4711']) writeFileSync(join(out, name), '');
  claimOutputs({ force: false, run: runIn(out) });
  expect(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))).toEqual({ command: 'match', files: [] });
});

test('a folder with foreign files is rejected, even if they look like temporary files of a run', () => {
  for (const name of ['thesis.txt', 'run.json.tmp-mine']) {
    const out = join(folder, `with-${name}`);
    mkdirSync(out);
    writeFileSync(join(out, name), '');
    expect(() => claimOutputs({ force: false, run: runIn(out) })).toThrow(
      `--out: ${out} contains other files (${name}, …)`,
    );
    expect(readdirSync(out)).toEqual([name]);
  }
});

test('a file named .gz or .zst is rejected unless the command compresses it', () => {
  const claim = (file: string, gzipped: string[]) => () => claimOutputs({ force: true, files: { pgn: file }, gzipped });
  const file = join(folder, 'games.pgn');
  expect(claim(`${file}.gz`, [])).toThrow(
    `--pgn: ${file}.gz would not be compressed; choose a name without .gz or .zst`,
  );
  expect(claim(`${file}.zst`, ['pgn'])).toThrow(`${file}.zst would not be compressed; choose a name that ends in .gz`);
  expect(claim(`${file}.GZ`, ['pgn'])).toThrow(`${file}.GZ would not be compressed`);
  expect(claim(`${file}.gz`, ['pgn'])).not.toThrow();
});

/** Creates a folder with these files. */
function filled(name: string, files: Record<string, string>): string {
  const out = join(folder, name);
  mkdirSync(out);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(out, file), content);
  return out;
}

const contentOf = (out: string): Record<string, string> =>
  Object.fromEntries(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]));

test.each([
  [
    'a run.json of another program',
    { 'run.json': '{"my":"config"}' },
    'contains a run.json that does not belong to a run',
  ],
  ['a list of other values', { 'run.json': '{"files":[1]}' }, 'contains a run.json that does not belong to a run'],
  [
    'a damaged run.json',
    { 'run.json': '{"command":"mat', 'games.jsonl': '' },
    'contains a run.json that does not belong to a run',
  ],
  [
    'a checkpoint of another program',
    { checkpoint: 'model', 'weights.json': '{}' },
    'contains other files (checkpoint',
  ],
])('a folder with %s is rejected and left unchanged', (name, files, message) => {
  const out = filled(name, files);
  const run = { out, command: 'tune', mark: 'checkpoint' };
  expect(() => claimOutputs({ force: false, run, rewritten: ['weights.json'] })).toThrow(`--out: ${out} ${message}`);
  expect(contentOf(out)).toEqual(files);
  claimOutputs({ force: true, run });
  expect(() => claimOutputs({ force: false, run })).not.toThrow();
});

test('other commands reject the folder of a run and leave its files unchanged', () => {
  const out = join(folder, 'fit');
  const json = join(out, 'summary.json');
  claimOutputs({ force: false, run: runIn(out, 'tune'), files: { json } });
  expect(() => claimOutputs({ force: false, run: runIn(out) })).not.toThrow();
  claimOutputs({ force: true, run: runIn(out, 'tune'), files: { json } });
  for (const name of ['report.html', 'summary.json']) writeFileSync(join(out, name), 'fit');
  const before = contentOf(out);
  for (const command of ['match', 'spsa', 'loop'])
    expect(() =>
      claimOutputs({ force: false, run: runIn(out, command), rewritten: ['report.html'], files: { json } }),
    ).toThrow(`--out: ${out} contains a run of tune; choose another folder, or use it anyway with --force`);
  expect(contentOf(out)).toEqual(before);
  claimOutputs({ force: false, run: runIn(out, 'tune'), files: { json } });
});

test('a run of an older version is continued only by the command that its files belong to', () => {
  const out = filled('older', { 'run.json': '{"files":[]}', 'games.jsonl': '', 'report.html': '' });
  const fit = { out, command: 'tune', mark: 'checkpoint' };
  expect(() => claimOutputs({ force: false, run: fit })).toThrow(`--out: ${out} contains a run of an older version;`);
  claimOutputs({ force: false, run: runIn(out) });
  expect(JSON.parse(contentOf(out)['run.json'])).toEqual({ command: 'match', files: [] });
});

test('an output may be a dangling symlink', () => {
  const [link, target] = ['link.json', 'target.json'].map((name) => join(folder, name));
  symlinkSync('target.json', link);
  claimOutputs({ force: false, files: { json: link } });
  expect([lstatSync(link).isSymbolicLink(), existsSync(target)]).toEqual([true, false]);
  writeSummary(link, { written: true });
  expect([lstatSync(link).isSymbolicLink(), JSON.parse(readFileSync(target, 'utf8'))]).toEqual([
    true,
    { written: true },
  ]);
});

test('an output may be a chain of symlinks in a symlinked folder', () => {
  mkdirSync(join(folder, 'real/deep'), { recursive: true });
  symlinkSync('real/deep', join(folder, 'alias'));
  symlinkSync('second.json', join(folder, 'real/deep/first.json'));
  symlinkSync('../third.json', join(folder, 'real/deep/second.json'));
  writeSummary(join(folder, 'alias/first.json'), { written: true });
  expect(JSON.parse(readFileSync(join(folder, 'real/third.json'), 'utf8'))).toEqual({ written: true });
  expect(lstatSync(join(folder, 'real/deep/second.json')).isSymbolicLink()).toBe(true);
});

test('an output file is rejected if another option or the run uses it, unless it is a device', () => {
  const out = join(folder, 'own');
  const file = join(folder, 'x.pgn');
  const claim = (files: Record<string, string>) => () => claimOutputs({ force: true, run: runIn(out), files });
  expect(claim({ pgn: file, json: join(out, '../x.pgn') })).toThrow(/^--json: .*x\.pgn is also the file of --pgn$/);
  expect(claim({ events: join(out, 'events.jsonl') })).toThrow(/^--events: .* is one of the run's own files;/);
  expect(claim({ log: join(out, 'games.jsonl') })).toThrow(/^--log: .* is one of the run's own files;/);
  expect(claim({ pgn: '/dev/null', json: '/dev/null' })).not.toThrow();
  const written = { fresh: ['weights.json'], rewritten: ['report.html'] };
  for (const name of [...written.fresh, ...written.rewritten])
    expect(() => claimOutputs({ force: true, run: runIn(out), files: { json: join(out, name) }, ...written })).toThrow(
      /^--json: .* is one of the run's own files;/,
    );
});

test('a file of the run is rejected if it is also an input', () => {
  const out = join(folder, 'continued');
  const weights = join(out, 'weights.json');
  mkdirSync(out);
  writeFileSync(weights, '{}');
  for (const written of [{ fresh: ['weights.json'] }, { rewritten: ['weights.json'] }]) {
    expect(() => claimOutputs({ force: true, run: runIn(out), inputs: [weights], ...written })).toThrow(
      `--out: ${weights} is also an input; choose another folder`,
    );
    expect(() =>
      claimOutputs({ force: true, run: runIn(out), inputs: [join(folder, 'other')], ...written }),
    ).not.toThrow();
  }
});

test('of several processes started in a new folder, one runs and the others report its process id', async () => {
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
