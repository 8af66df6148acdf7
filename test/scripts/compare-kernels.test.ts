import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../dist/scripts/compare-kernels.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heft-suite-'));
afterAll(() => rmSync(folder, { recursive: true }));
const suite = join(folder, 'suite.tsv');

test.each([
  ['no suite', undefined, `cannot read ${suite}: `],
  ['a suite without FENs', 'id\tmoves\n', `${suite}: its first line names no column "fen"`],
  ['a row that is no position', 'id\tfen\n1\t4k3/8/8/8/8/8/8/4K3 w - - 0 1\n2\n', `${suite}:3: `],
])('%s: one line and exit code 1', (_, content, message) => {
  if (content !== undefined) writeFileSync(suite, content);
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--suite', suite], { encoding: 'utf8' });
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(status).toBe(1);
});
