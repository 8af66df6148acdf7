// Checksums of the compiled modules, so that a new compiler version or option is visible in review even if no source file changed.
// After a change of the kernel: npx vitest run test/engine/kernel/modules.test.ts -u

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url));
const MODULES = [
  ...['search', 'table', 'trace', 'audit'].map((name) => `engine/kernel/${name}.wasm`),
  ...['passes/pass', 'matrix/matrix'].map((name) => `tuner/${name}.wasm`),
];

test('the modules match the checksums in test/data/modules.sha256', async () => {
  const lines = MODULES.map((file) => {
    const sum = createHash('sha256')
      .update(readFileSync(DIST + file))
      .digest('hex');
    return `${sum}  ${file}\n`;
  });
  await expect(lines.join('')).toMatchFileSnapshot('../../data/modules.sha256');
});

// Loading the kernel takes time and 10 GB of address space
test('the main thread does not load the kernel', () => {
  const program = readFileSync(`${DIST}engine/main.js`, 'utf8');
  expect(program).not.toMatch(/WebAssembly|regionOf/);
  expect(program.length).toBeLessThan(25_000);
});
