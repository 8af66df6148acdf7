import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { projectFile } from '../../../selfplay/common/program.js';

const root = mkdtempSync(join(tmpdir(), 'heft-signature-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Returns the bench signature as computed by a process of the copy. */
function signature(): number {
  const module = pathToFileURL(join(root, 'dist/selfplay/common/bench-signature.js')).href;
  const kernel = pathToFileURL(join(root, 'dist/engine/kernel-node.js')).href;
  const script = `import '${kernel}'; import { benchSignature } from '${module}'; console.log(benchSignature());`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }));
}

test('the bench signature is cached, and recomputed if the engine changes or the cache is damaged', {
  timeout: 240_000,
}, () => {
  const counted = Number(readFileSync(fileURLToPath(projectFile('test/data/bench.txt')), 'utf8'));
  for (const name of ['dist', 'package.json']) {
    cpSync(fileURLToPath(projectFile(name)), join(root, name), { recursive: true });
  }
  symlinkSync(fileURLToPath(projectFile('node_modules')), join(root, 'node_modules'));
  const kept = join(root, 'dist/signature.json');
  writeFileSync(kept, 'damaged');
  expect(signature()).toBe(counted);
  const entry = JSON.parse(readFileSync(kept, 'utf8'));
  expect(entry.nodes).toBe(counted);

  writeFileSync(kept, JSON.stringify({ ...entry, nodes: 7 }));
  expect(signature()).toBe(7);
  writeFileSync(join(root, 'dist/engine/another.js'), '');
  expect(signature()).toBe(counted);
});
