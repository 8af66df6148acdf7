// The package heft-tools as users install it: into an empty folder, from the packed file.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAKE_ENGINE } from '../support/fake-engine.js';
import { testRepository } from '../support/repository.js';

const COMMANDS = ['match', 'queue', 'ratings', 'spsa', 'tune', 'data', 'selfplay', 'loop'];

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const inRoot = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'heft-tools-'));
const empty = join(folder, 'empty');
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 10 }));

const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', ['--silent', ...args], { cwd, encoding: 'utf8' });

interface Run {
  status: number | null;
  stdout: string;
  stderr: string;
}

const tools = (...args: string[]): Run => {
  const { status, stdout, stderr } = spawnSync('npx', ['--offline', 'heft-tools', ...args], {
    cwd: empty,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

beforeAll(() => {
  npm(ROOT, 'pack', '-w', 'heft-tools', '--pack-destination', folder);
  mkdirSync(empty);
  writeFileSync(join(empty, 'package.json'), '{"private": true}');
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  npm(empty, 'install', '--offline', '--no-audit', '--no-fund', join(folder, tarball!));
}, 180_000);

test('the package is at most 3 MB, has no dependencies and no install script, and lists the bundled licences', () => {
  const installed = join(empty, 'node_modules');
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map((name) => join(installed, name));
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(3e6);
  expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).toEqual(['heft-tools']);
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const kilobytes = statSync(join(folder, tarball!)).size / 1000;
  const stated = Number(/\.tgz, (\d+) kB$/m.exec(inRoot('docs/authors.md'))?.[1]);
  expect(Math.abs(stated - kilobytes)).toBeLessThan(0.05 * kilobytes);
  const { dependencies, scripts, version } = JSON.parse(
    readFileSync(join(installed, 'heft-tools/package.json'), 'utf8'),
  );
  expect(dependencies).toBeUndefined();
  expect(Object.keys(scripts).filter((name) => name.includes('install'))).toEqual([]);
  expect(version).toBe(JSON.parse(inRoot('package.json')).version);
  const notices = readFileSync(join(installed, 'heft-tools/dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const [name, licence] of [
    ['echarts', 'Apache-2.0'],
    ['zrender', 'BSD-3-Clause'],
    ['tinypool', 'MIT'],
    ['yargs', 'MIT'],
    ['yargs-parser', 'ISC'],
    ['string-width', 'MIT'],
    ['assemblyscript', 'Apache-2.0'],
  ])
    expect(notices).toMatch(new RegExp(`^${name} [\\d.]+ \\(${licence}\\)$`, 'm'));
});

test.each(COMMANDS)('heft-tools %s prints the help of its npm script', (name) => {
  const { scripts } = JSON.parse(inRoot('package.json'));
  const [, program] = scripts[name].split(' ');
  const ours = execFileSync(process.execPath, [program, '--help'], { cwd: ROOT, encoding: 'utf8' });
  const { status, stdout } = tools(name, '--help');
  const named = (text: string): string =>
    text.replaceAll(`npm run ${name} --`, 'X').replaceAll(`npx heft-tools ${name}`, 'X').replace(/\s+/g, ' ');
  expect([status, named(stdout)]).toEqual([0, named(ours)]);
  expect(stdout).not.toContain('npm run');
});

test('a book in the wrong format is rejected with a command of the package', () => {
  tools('selfplay', '--games', '1', '--nodes', '20', '--out', 'played');
  const { stderr } = tools('match', '--candidate', 'shipped', '--openings', 'played/shard-0000.vf');
  expect(stderr).toContain('convert it to PGN with npx heft-tools data convert');
});

test('heft-tools lists its commands and rejects unknown ones', () => {
  const { status, stdout } = tools();
  expect(status).toBe(0);
  for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  expect(tools('martch')).toMatchObject({
    status: 2,
    stderr: 'error: no such command: martch (heft-tools --help lists the commands)\n',
  });
  expect(tools('match', '--foo')).toMatchObject({
    status: 2,
    stderr: 'error: Unknown argument: foo (see npx heft-tools match --help)\n',
  });
});

test('two revisions of a C engine are built from a mirror repository and play an SPRT with a report', () => {
  const engine = testRepository(join(folder, 'engine'));
  const source = (words: string): string =>
    `#include <unistd.h>\nint main(void) { return execl("${process.execPath}", "engine", "${FAKE_ENGINE}", ${words}, (char *)0); }\n`;
  engine.commit({
    Makefile: 'EXE ?= engine\n$(EXE): engine.c\n\t$(CC) -O2 -o $(EXE) engine.c\n',
    'engine.c': source('"seed=1"'),
  });
  engine.commit({ 'engine.c': source('"seed=2", "greedy=1"') });
  const mirror = join(folder, 'mirror.git');
  execFileSync('git', ['clone', '-q', '--mirror', engine.path, mirror]);
  const each = ['--each', `git=${mirror}`, 'build=make EXE={out}'];
  const words = [
    'match',
    '--engine',
    'rev=main',
    '--engine',
    'rev=main~1',
    ...each,
    '--nodes',
    '5',
    '--max-moves',
    '80',
  ];
  const { status, stdout, stderr } = tools(...words, '--elo1', '60', '--out', 'runs/sprt', '--page', '0');
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^SPRT: H1 was accepted: mirror \w{8} is stronger than mirror \w{8}$/m),
  ]);
  expect(stderr.match(/^building /gm)).toHaveLength(2);
  expect(readFileSync(join(empty, 'runs/sprt/report.html'), 'utf8')).toContain('H1 was accepted');
  // A branch moves, but the run has recorded its commits
  engine.commit({ 'engine.c': source('"seed=9"') });
  const again = tools('match', '--continue', 'runs/sprt');
  expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('H1 was accepted')]);
}, 120_000);

test('heft-tools plays a match, records games, evaluates them, and rates engines', () => {
  expect(
    tools(
      'match',
      '--candidate',
      'shipped',
      '--baseline',
      'material',
      '--nodes',
      '200',
      '--games',
      '2',
      '--out',
      'runs/own',
    ).status,
  ).toBe(0);
  expect(tools('selfplay', '--games', '30', '--nodes', '50', '--workers', '2', '--out', 'runs/games').status).toBe(0);
  const error = tools('tune', 'eval', '--data', 'runs/games', '--weights', 'material', '--workers', '2');
  expect([error.status, error.stderr]).toEqual([0, expect.not.stringContaining('error')]);
  expect(tools('ratings', 'runs/own').stdout).toMatch(/^Rank +Name/);
  expect(tools('spsa', '--simulate', '--games', '800').stdout).toContain('Quadratic fit to all pairs');
}, 120_000);

test('heft-tools rejects options that change source files', () => {
  expect(tools('loop', '--install')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--install requires a clone'),
  });
});
