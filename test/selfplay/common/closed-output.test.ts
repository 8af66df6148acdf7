// The reader of a command's output goes away, as `head` does.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'heft-closed-'));
afterAll(() => rmSync(folder, { recursive: true }));

const built = (name: string): string => new URL(`../../../dist/selfplay/common/${name}.js`, import.meta.url).href;

test.each(['stdout', 'stderr'] as const)('a command still writes its files if %s is closed', async (name) => {
  const file = join(folder, name);
  const program = `import { writeFileSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { runCommand } from '${built('command-line')}';
    import { LiveDisplay } from '${built('live-display')}';
    await runCommand(async () => {
      for (let i = 0; i < 5; i++) {
        await sleep(50);
        console.log('line');
        new LiveDisplay().note('note');
      }
      writeFileSync('${file}', '');
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  child[name].destroy();
  for (const stream of [child.stdout, child.stderr]) stream.resume();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(existsSync(file)).toBe(true);
});
