import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const bootstrap = fileURLToPath(new URL('../../scripts/bootstrap.mjs', import.meta.url));
const said = (...args: string[]): string => execFileSync(process.execPath, [bootstrap, ...args], { encoding: 'utf8' });
const script = (name: string): string => fileURLToPath(new URL(`../../scripts/${name}.mjs`, import.meta.url));

test('npm run build prints help and version without building', () => {
  expect(said('--force', '--help')).toMatch(/^usage: npm run build[\s\S]*--force .*\n.*--install-only/);
  expect(said('--force', '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each(['page', 'executable', 'release'])('%s prints help and version, and rejects unknown options', (name) => {
  const run = (word: string) => spawnSync(process.execPath, [script(name), word], { encoding: 'utf8' });
  expect(run('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(`^usage: npm run ${name}\\b.*\n\n.*\n$`),
  });
  expect(run('--version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const { status, stderr } = run('--colour');
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(`^${name}: unknown option --colour; usage: npm run ${name}.*\n$`),
  ]);
});
