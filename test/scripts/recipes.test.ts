// The example changes of CONTRIBUTING: each is a patch in docs/changes that the page quotes, and that applies, builds and passes its tests.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { isSlow, slowTest } from '../support/slow.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHANGES = join(ROOT, 'docs', 'changes');
const names = readdirSync(CHANGES).sort();
const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** Tests that must pass in addition to those that a change touches. */
const BESIDE = [
  'test/architecture.test.ts',
  'test/engine/eval/trace.test.ts',
  'test/engine/uci/tune-options.test.ts',
  'test/tuner/methods/methods.test.ts',
  'test/tuner/model',
];

/** Returns a patch as quoted in CONTRIBUTING: file names, changed lines with context, and dots between hunks. */
function shown(patch: string): string {
  const lines = patch.trimEnd().split('\n');
  return lines
    .flatMap((line, i) => {
      if (line.startsWith('--- ')) return [];
      if (line.startsWith('+++ ')) return [line.replace('+++ b/', ' ')];
      if (line.startsWith('@@ ')) return lines[i - 1].startsWith('+++ ') ? [] : [' …'];
      return [line];
    })
    .join('\n');
}

test.each(names)('CONTRIBUTING quotes docs/changes/%s', (name) => {
  const patch = readFileSync(join(CHANGES, name), 'utf8');
  expect(page).toContain(`\`\`\`diff\n${shown(patch)}\n\`\`\``);
});

test.each(names)('docs/changes/%s applies to the sources (if not, update the patch)', (name) => {
  const { status, stderr } = spawnSync('git', ['apply', '--check', join(CHANGES, name)], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});

const copy = isSlow ? mkdtempSync(join(tmpdir(), 'heft-changes-')) : '';
afterAll(() => {
  if (isSlow) rmSync(copy, { recursive: true });
});

slowTest(
  'all example changes build together, are formatted and pass their tests',
  () => {
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    for (const file of files.trimEnd().split('\n')) {
      if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(copy, file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const run = (program: string, ...args: string[]): void => {
      const env = { ...process.env, HEFT_SLOW: undefined, NO_COLOR: '1' };
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8', env });
      expect([`${program} ${args.join(' ')}`, status, status === 0 ? '' : stdout + stderr]).toEqual([
        `${program} ${args.join(' ')}`,
        0,
        '',
      ]);
    };
    const touched = names.flatMap((name) => {
      run('git', 'apply', join(CHANGES, name));
      return Array.from(
        readFileSync(join(CHANGES, name), 'utf8').matchAll(/^\+\+\+ b\/(test\/.*)$/gm),
        ([, file]) => file,
      );
    });
    expect(touched).not.toEqual([]);
    run('npx', 'biome', 'check', '--error-on-warnings', 'engine', 'selfplay', 'tuner', 'test');
    run(process.execPath, 'scripts/bootstrap.mjs', '--force');
    run('npx', 'vitest', 'run', ...touched, ...BESIDE);
  },
  240_000,
);
