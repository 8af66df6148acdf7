// `npm run tune -- label` as users run it: compiled program, real processes, real signals.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { projectFile } from '../../../selfplay/common/program.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { playGames } from '../../support/games.js';
import { ended, type Outcome, runProgram } from '../../support/program.js';
import { longTest, someOf } from '../../support/slow.js';

const MAIN = fileURLToPath(projectFile('dist/tuner/commands/tune-main.js'));
const scratch = mkdtempSync(join(tmpdir(), 'heft-label-command-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const at = (name: string): string => join(scratch, name);
writeFileSync(at('games.vf'), Buffer.concat(playGames(80).map(encodeGame)));

const run = (...args: string[]): Promise<Outcome> => runProgram(MAIN, args, scratch);

const LABEL = ['label', '--data', 'games.vf', '--nodes', '2000', '--per-game', '4'];

const shardsOf = (out: string): string[] =>
  existsSync(at(out)) ? readdirSync(at(out)).filter((name) => name.endsWith('.csv')) : [];
const sizeOf = (out: string): number =>
  shardsOf(out).reduce((sum, name) => sum + statSync(join(at(out), name)).size, 0);
const bytesOf = (out: string): string[] => shardsOf(out).map((name) => readFileSync(join(at(out), name), 'utf8'));

/** Starts labelling and waits until its files have grown by `bytes`. */
async function growing(out: string, bytes: number, ...args: string[]): Promise<ChildProcess> {
  const wanted = sizeOf(out) + bytes;
  const child = spawn(process.execPath, [MAIN, ...LABEL, '--out', out, ...args], { cwd: scratch });
  while (sizeOf(out) < wanted) {
    if (child.exitCode !== null) expect.unreachable('it ended before it could be killed');
    await sleep(5);
  }
  return child;
}

longTest(
  'npm run tune -- label writes the same labels after repeated kills and a Ctrl-C',
  async () => {
    expect((await run(...LABEL, '--out', 'whole', '--workers', '1')).code).toBe(0);
    for (const [i, bytes] of [10, 900, 2500, 1].entries()) {
      const child = await growing('broken', bytes, '--workers', String(1 + (i % 3)));
      child.kill('SIGKILL');
      await ended(child);
    }
    const stopped = await growing('broken', 3000);
    stopped.kill('SIGINT');
    expect(await ended(stopped)).toMatchObject({ code: 130 });
    const { code, stdout, stderr } = await run(...LABEL, '--out', 'broken');
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringMatching(/^80 games in broken \| \d+ labels\b/),
      expect.stringMatching(/continuing: \d+ of 80 games done/),
    ]);
    expect(bytesOf('broken')).toEqual(bytesOf('whole'));
    expect(readdirSync(at('broken')).sort()).toEqual(readdirSync(at('whole')).sort());
  },
  240_000,
);

test('npm run tune -- label writes labels that a fit reads and lists in its provenance', async () => {
  const args = ['--data', 'games.vf', '--nodes', '30', '--per-game', '4', '--json', 'summary.json', '--out', 'small'];
  const labelled = await run('label', ...args, '--workers', '1');
  expect([labelled.code, labelled.stdout]).toEqual([0, expect.stringMatching(/^80 games in small \| \d+ labels\b/)]);
  const { labels, games } = JSON.parse(readFileSync(at('summary.json'), 'utf8'));
  // Each file has a header
  expect([games, bytesOf('small').join('').split('\n').length - 1]).toEqual([80, labels + shardsOf('small').length]);
  const fit = ['--data', 'small', '--blend', '0.6', '--no-study', '--epochs', '2', '--l2', '1', '--out', 'fit'];
  const { code, stdout } = await run(...fit);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^data +\d\d games, /)]);
  const { provenance } = JSON.parse(readFileSync(at('fit/weights.json'), 'utf8'));
  expect(provenance.data.map(({ name }: { name: string }) => name)).toEqual(shardsOf('small'));
}, 120_000);

const mistakes: [name: string, args: string[], message: RegExp][] = [
  ['a folder with other files', ['--out', '.'], /--out: \. contains other files/],
  ['missing games', ['--data', 'none'], /none: no such file or folder/],
  ['a fractional node limit', ['--nodes', '0.5'], /--nodes takes a whole number of at least 1, not 0\.5/],
  ['an option of the fit', ['--blend', '0.3'], /Unknown argument: blend/],
];

test.each(someOf(mistakes))('npm run tune -- label rejects %s with a one-line error', async (_, args, message) => {
  const { code, stderr } = await run('label', ...(args[0] === '--data' ? [] : ['--data', 'games.vf']), ...args);
  expect(code).not.toBe(0);
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(message)]);
});
