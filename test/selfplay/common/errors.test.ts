import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { attempt, UserError } from '../../../selfplay/common/errors.js';

test('attempt strips the code, system call and path from a system error', () => {
  const read = (): string => readFileSync("/none/it's, read 'me'", 'utf8');
  expect(() => attempt('cannot read x', read)).toThrow(/^cannot read x: no such file or directory$/);
});

test.each(["EPD: no board, line 'x'", 'EPD: no board', 'a, b'])('attempt keeps the message %s', (message) => {
  const fail = (): never => {
    throw new Error(message);
  };
  expect(() => attempt('x', fail)).toThrow(new UserError(`x: ${message}`));
});
