// npm consumes options before its `--`; they are detected by the environment variables that it sets.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { refuseMisplaced } from '../../../selfplay/common/command-line.js';
import { flag, text } from '../../../selfplay/common/options.js';
import { someOf } from '../../support/slow.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

function match(...words: string[]): Promise<{ code: unknown; stderr: string }> {
  const args = ['--ignore-scripts', 'run', 'match', ...words];
  return new Promise((resolve) => {
    execFile('npm', args, { cwd: root }, (error, _, stderr) => resolve({ code: error?.code, stderr }));
  });
}

const misplaced: [string, string[]][] = [
  ['--candidate', ['--candidate', 'shipped', '--games', '2']],
  ['--games', ['--games=2']],
  ['--engine', ['--engine', 'cmd=a', '--engine', 'cmd=b']],
];
test.each(someOf(misplaced))("%s before npm's `--` is reported", async (option, words) => {
  const { code, stderr } = await match(...words);
  expect(code).toBe(2);
  expect(stderr).toContain(
    `error: npm has consumed ${option}: put options after \`--\`, as in npm run match -- ${option} …\n`,
  );
});

test('an option with one dash is reported', async () => {
  const { code, stderr } = await match('--', '--engine', 'cmd=a', '-engine', 'cmd=b');
  expect(code).toBe(2);
  expect(stderr).toContain('error: options begin with two dashes: --engine, not -engine\n');
});

test('values, one-letter words and options of another npm script are not reported as misplaced', () => {
  const options = { games: text(''), force: flag('') };
  const words = ['--games', '-5', '--', '-x', '-unknown'];
  const ofTests = { npm_lifecycle_event: 'test', npm_lifecycle_script: 'elsewhere run', npm_config_games: 'true' };
  for (const environment of [{}, ofTests]) expect(() => refuseMisplaced(options, words, environment)).not.toThrow();
  const ours = { npm_lifecycle_event: 'x', npm_lifecycle_script: `node ${process.argv[1]}`, npm_config_force: 'true' };
  expect(() => refuseMisplaced(options, words, ours)).not.toThrow();
  expect(() => refuseMisplaced(options, words, { ...ours, npm_config_games: '' })).toThrow('npm run x -- --games');
});
