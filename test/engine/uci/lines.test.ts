import { expect, test } from 'vitest';
import { createLineReader } from '../../../engine/uci/lines.js';

function readAll(chunks: Iterable<string>): string[] {
  const lines: string[] = [];
  const reader = createLineReader(
    (line) => lines.push(line),
    (maximum) => lines.push(`more than ${maximum}`),
  );
  for (const chunk of chunks) reader.read(chunk);
  reader.end();
  return lines;
}

test('the line reader joins lines from chunks', () => {
  expect(readAll(['uci\nis', 'rea', 'dy\n\nquit'])).toEqual(['uci', 'isready', '', 'quit']);
  expect(readAll(['a\n'])).toEqual(['a']);
});

test('the line reader discards an overlong line and keeps the lines around it', () => {
  const long = 'x'.repeat(1 << 16);
  expect(readAll(['a\n', ...Array<string>(257).fill(long), '\nb\n'])).toEqual(['a', 'more than 16777216', 'b']);
  expect(readAll(Array<string>(256).fill(long))).toEqual([long.repeat(256)]);
});
