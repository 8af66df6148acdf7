// The pull request action, run as on GitHub in a fresh clone: in several runs, and with failing builds.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeHub, runAction } from '../support/action.js';
import { engineMakefile, testRepository } from '../support/repository.js';
import { longTest } from '../support/slow.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-action-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const hub = join(scratch, 'hub');
const checkout = join(scratch, 'work/engine');
const repository = testRepository(join(scratch, 'origin'));
const commits: Record<string, string> = {};

beforeAll(() => {
  makeHub(hub);
  repository.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  commits['base'] = repository.commit({ Makefile: engineMakefile(1) });
  commits['better'] = repository.commit({ Makefile: engineMakefile(2, 'greedy=1') });
  commits['equal'] = repository.commit({ Makefile: engineMakefile(3) });
  commits['broken'] = repository.commit({ Makefile: `all:\n\t@echo '\`\`\`error: missing ;\`\`\`'\n\texit 1\n` });
});

/** A fresh clone, as actions/checkout makes it. */
function freshCheckout(): void {
  rmSync(checkout, { recursive: true, force: true });
  execFileSync('git', ['clone', '-q', repository.path, checkout]);
}

/** The comments, without the hash of the settings in their first line. */
const comments = (): { body: string; on: string }[] =>
  JSON.parse(
    readFileSync(join(hub, 'comments.json'), 'utf8').replaceAll(/(heft-tools match) [0-9a-f]{8} -->/g, '$1 -->'),
  );
const gamesIn = (text: string): number => Number(/^Games: (\d+)/m.exec(text)?.[1]);
/** Long enough for the stronger engine to win. */
const LONG = '--max-moves\n80';
const QUICK = { nodes: '5', workers: '2', options: '--max-moves\n20', token: 'secret' };

describe('the pull request action', () => {
  test('builds head and base, plays until the SPRT decides, and writes summary, comment, page and verdict', () => {
    freshCheckout();
    const run = runAction(checkout, hub, {
      ...QUICK,
      head: commits['better']!,
      base: commits['base']!,
      build: 'sh -c "make EXE={out}" dir=/',
      elo1: '60',
      options: LONG,
      'fail-on': 'H0',
    });
    expect([run.failed, run.verdict]).toEqual([null, 'H1']);
    const report = run.summary;
    const [head, base] = [`head ${commits['better']!.slice(0, 8)}`, `base ${commits['base']!.slice(0, 8)}`];
    expect(report).toContain(`### SPRT [0, 60] ✅ passed: \`${head}\` is stronger than \`${base}\``);
    for (const line of [/^Elo: \d/m, /^Ptnml\(0-2\): \[/m, /^LLR: [\d.]+ \(-2\.94, 2\.94\) \[0\.00, 60\.00\]/m])
      expect(report).toMatch(line);
    expect(comments()).toEqual([{ id: 1, on: 'repos/o/r/issues/7/comments?per_page=100'.split('?')[0], body: report }]);
    const [artifact] = readFileSync(join(hub, 'uploads'), 'utf8').split('\n');
    const files = execFileSync('unzip', ['-l', join(hub, 'artifacts', `${artifact}.zip`)], { encoding: 'utf8' });
    for (const name of ['report.html', 'games.pgn', 'result.json', 'build.log']) expect(files).toContain(name);
    expect(files).not.toContain('.git/');
    expect(run.output + readFileSync(join(hub, 'comments.json'), 'utf8')).not.toContain('secret');
  }, 120_000);

  test('stops when its time budget is used up, resumes from a fresh clone in the next run, and updates one comment', () => {
    freshCheckout();
    const inputs = { ...QUICK, head: commits['equal']!, base: commits['base']!, elo1: '1', budget: '4s' };
    const first = runAction(checkout, hub, inputs);
    expect([first.failed, first.verdict]).toEqual([null, 'none']);
    expect(first.output).toContain('no earlier run of this test');
    expect(first.summary).toContain('not finished yet; the next run continues it');
    const pgn = (): string => readFileSync(join(checkout, 'runs', artifactNow(), 'games.pgn'), 'utf8');
    const before = pgn();

    freshCheckout();
    const second = runAction(checkout, hub, inputs);
    expect([second.failed, second.verdict]).toEqual([null, 'none']);
    expect(second.output).toMatch(/continuing an earlier run: \d+ games/);
    expect(second.output).not.toContain('building');
    expect(gamesIn(second.summary)).toBeGreaterThan(gamesIn(first.summary));
    expect(pgn().startsWith(before)).toBe(true);
    // The first comment is that of the test above
    expect(comments()).toHaveLength(2);
    expect(comments()[1]?.body).toBe(second.summary);

    // Other settings make a different test
    freshCheckout();
    expect(runAction(checkout, hub, { ...inputs, elo1: '2', budget: '1s' }).output).toContain(
      'no earlier run of this test',
    );
    expect(comments()).toHaveLength(3);

    // A further commit with the same settings updates the comment
    freshCheckout();
    runAction(checkout, hub, { ...inputs, elo1: '2', budget: '1s', head: commits['better']! });
    expect(comments()).toHaveLength(3);
  }, 120_000);

  test("shows the end of a failing build's log as plain text", () => {
    freshCheckout();
    const run = runAction(checkout, hub, { ...QUICK, head: commits['broken']!, base: commits['base']! });
    expect([run.failed, run.verdict]).toEqual(['Play', 'error']);
    expect(run.summary).toContain('### The match could not be played');
    expect(run.summary).toMatch(/^````text\n.*```error: missing ;```\n/m);
    expect(run.summary).toContain('does not build: make EXE={out} failed (exit code 2)');
    expect(comments().at(-1)?.body).toBe(run.summary);

    freshCheckout();
    const again = runAction(checkout, hub, { ...QUICK, head: commits['broken']!, base: commits['base']! });
    expect(again.output).toContain('the earlier run of this test has no games');
    expect(again.output).not.toContain('continues');

    freshCheckout();
    const ofFork = { ...QUICK, head: commits['broken']!, base: commits['base']! };
    expect(runAction(checkout, hub, ofFork, '2').output).toContain('no earlier run of this test');
  }, 60_000);

  longTest(
    'fails the check for a verdict only if requested',
    () => {
      freshCheckout();
      const inputs = {
        ...QUICK,
        head: commits['base']!,
        base: commits['better']!,
        elo1: '60',
        options: LONG,
        comment: 'false',
      };
      expect(runAction(checkout, hub, inputs)).toMatchObject({ failed: null, verdict: 'H0' });
      const run = runAction(checkout, hub, { ...inputs, 'fail-on': 'H0' });
      expect([run.failed, run.verdict]).toEqual(['Play', 'H0']);
      expect(run.output).toContain('::error::the SPRT accepted H0');
    },
    120_000,
  );

  longTest(
    'runs without posting a comment for a fork, whose token is read-only',
    () => {
      freshCheckout();
      const before = comments().length;
      const run = runAction(checkout, hub, {
        ...QUICK,
        head: commits['better']!,
        base: commits['base']!,
        elo1: '60',
        options: LONG,
        token: 'read-only',
      });
      expect([run.failed, run.verdict]).toEqual([null, 'H1']);
      expect(run.output).toContain('::warning::no comment could be written');
      expect(comments()).toHaveLength(before);
    },
    60_000,
  );

  test('rejects an unknown fail-on verdict before playing any games', () => {
    freshCheckout();
    const inputs = { ...QUICK, head: commits['better']!, base: commits['base']!, 'fail-on': 'h0' };
    const run = runAction(checkout, hub, inputs);
    expect(run.failed).toBe('Play');
    expect(run.output).toContain('::error::fail-on must be H0, H1 or never, not h0');
    expect(run.output).not.toContain('building');
  });

  test('does not pass its inputs to a shell', () => {
    freshCheckout();
    const evil = {
      options: '--event\n$(touch PWNED) `touch PWNED`; touch PWNED',
      openings: '"; touch PWNED; "',
    };
    const run = runAction(checkout, hub, {
      ...QUICK,
      ...evil,
      head: commits['better']!,
      base: commits['base']!,
    });
    expect(run.failed).toBe('Play');
    expect(run.summary).toContain('--openings: no such file: "; touch PWNED; "');
    expect(existsSync(join(checkout, 'PWNED'))).toBe(false);
    expect(runAction(checkout, hub, { ...QUICK, head: '--upload-pack=x', base: commits['base']! }).failed).toBe(
      'Name the test',
    );
  }, 60_000);
});

function artifactNow(): string {
  return readFileSync(join(hub, 'uploads'), 'utf8').trim().split('\n').at(-1) ?? '';
}
