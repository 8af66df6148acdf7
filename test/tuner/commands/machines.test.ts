// Self-play on several machines and one fit to all games: the commands of docs/machines.md.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
// Each program takes seconds, and longer on a busy machine
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const folder = mkdtempSync(join(tmpdir(), 'heft-machines-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const program = (path: string): string => join(ROOT, 'dist', path);
const play = (out: string, seed: number, softNodes = 60): void => {
  const limits = ['--games', '12', '--soft-nodes', `${softNodes}`, '--seed', `${seed}`, '--workers', '1'];
  execFileSync(process.execPath, [program('selfplay/datagen/main.js'), ...limits, '--out', at(out)], { cwd: folder });
};
const tune = (...runs: string[]): { status: number | null; stdout: string; stderr: string } => {
  const data = runs.flatMap((run) => (run.startsWith('--') ? [run] : ['--data', at(run)]));
  const fit = ['--epochs', '2', '--no-study', '--workers', '1', '--out', at(`fit-${runs.join('-')}`)];
  return spawnSync(process.execPath, [program('tuner/commands/tune-main.js'), ...data, ...fit], {
    cwd: folder,
    encoding: 'utf8',
  });
};

beforeAll(() => {
  play('one', 1);
  play('two', 2);
  cpSync(at('one'), at('again'), { recursive: true });
  play('deeper', 3, 90);
});

test('a fit accepts folders of games by the same engine with different seeds', () => {
  const { status, stdout } = tune('one', 'two');
  expect(status).toBe(0);
  expect(stdout).toMatch(/\b24 games/);
  const { provenance } = JSON.parse(readFileSync(at('fit-one-two/weights.json'), 'utf8'));
  expect([provenance.games, provenance.data.length]).toEqual([24, 24]);
});

test.each([
  [
    'the same games',
    ['one', 'again'],
    /one and \S+again hold the same games \(seed 1\); use a different --seed on each machine/,
  ],
  [
    'games at other settings',
    ['one', 'deeper'],
    /one and \S+deeper differ in soft-nodes 60 \(90 in the second\); use --mixed/,
  ],
])('%s are rejected with a one-line error', (_, runs, message) => {
  const { status, stderr } = tune(...runs);
  expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(stderr).toMatch(message);
});

test('--mixed accepts games with different settings', () => {
  expect(tune('one', 'deeper', '--mixed').stdout).toMatch(/\b24 games/);
});
