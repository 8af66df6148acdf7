import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { FAKE_ENGINE } from '../../support/fake-engine.js';
import { type Outcome, runHere } from '../../support/program.js';
import { slowTest } from '../../support/slow.js';

const MAIN = fileURLToPath(new URL('../../../dist/selfplay/match/main.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'heft-markdown-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const run = (...args: string[]): Promise<Outcome> => runHere(MAIN, args, scratch);
const fake = (name: string, seed: number): string[] => [
  '--engine',
  `cmd=${process.execPath}`,
  `args=${FAKE_ENGINE} seed=${seed}`,
  `name=${name}`,
];
const TWO = [...fake('a`b <b>', 1), ...fake('B', 2), '--nodes', '5', '--max-moves', '10', '--workers', '1'];
const read = (name: string): string => readFileSync(join(scratch, name), 'utf8');

test('--markdown reports the match with escaped names and overwrites only its own report', async () => {
  const match = [...TWO, '--games', '2', '--out', 'run', '--markdown', 'report.md'];
  expect((await run(...match)).code).toBe(0);
  const report = read('report.md');
  expect(report).toMatch(
    /^<!-- heft-tools match -->\n\n### Match finished\n\n`a'b <b>` against `B`, 5 nodes per move, openings of random moves\.\n\n```text\nElo: /,
  );
  expect((await run(...match)).code).toBe(0);
  expect(read('report.md')).toBe(report);
  writeFileSync(join(scratch, 'mine.md'), '# Mine\n');
  const refused = await run(...TWO, '--games', '2', '--out', 'other', '--markdown', 'mine.md');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--markdown: mine.md exists')]);
  expect([read('mine.md'), existsSync(join(scratch, 'other'))]).toEqual(['# Mine\n', false]);
});

test('--markdown reports the reason if no game was played', async () => {
  const { code, stderr } = await run(
    '--engine',
    'cmd=/no/such',
    '--engine',
    'cmd=/no/such',
    '--games',
    '2',
    '--out',
    'none',
    '--markdown',
    'none.md',
  );
  expect(code).toBe(1);
  expect(read('none.md')).toContain('### The match could not be played');
  expect(read('none.md')).toContain(stderr.trim().split('\n').at(-1)?.slice('error: '.length) ?? '?');
});

slowTest('--budget stops a run, and --continue resumes it', async () => {
  const match = [...TWO, '--games', '400', '--out', 'long'];
  const first = await run(...match, '--budget', '3s');
  expect([first.code, first.stdout]).toEqual([
    0,
    expect.stringMatching(/^Out of time\nTo continue: npm run match -- --continue long$/m),
  ]);
  const games = read('long/games.jsonl').split('\n').length;
  const second = await run('--continue', 'long', '--budget', '3s');
  expect(second.code).toBe(0);
  expect(read('long/games.jsonl').split('\n').length).toBeGreaterThan(games);
  const wrong = await run(...TWO, '--budget', 'long');
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('--budget takes a time such as 45m, 90s or 2h'),
  ]);
});
