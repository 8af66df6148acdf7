import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { enginePipes } from '../../../selfplay/engines/pipes.js';

/** Sleeps while its input fills, then reads it and prints the number of bytes up to `quit`. */
const SLOW_READER = `
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  let text = '';
  process.stdin.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
    if (text.endsWith('quit\\n')) process.stdout.write(text.length + '\\n', () => process.exit());
  });`;

test('engine input longer than the pipe buffer arrives complete', async () => {
  const pipes = enginePipes();
  const child = spawn(process.execPath, ['-e', SLOW_READER], { stdio: pipes.stdio });
  let output = '';
  const ended = new Promise<void>((resolve) => {
    pipes.connect(
      child,
      (chunk) => {
        output += chunk;
      },
      resolve,
    );
  });
  const line = `position startpos moves${' e2e4'.repeat(2000)}\n`;
  for (let i = 0; i < 30; i++) pipes.write(line);
  pipes.write('quit\n');
  await ended;
  pipes.end();
  expect(output).toBe(`${30 * line.length + 5}\n`);
});
