import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openBook } from '../../../selfplay/games/book.js';
import { oracleAt, oracleMoves } from '../../support/oracle.js';

const BOOK = fileURLToPath(new URL('../../../books/heft.epd', import.meta.url));

test('the shipped book contains hundreds of balanced positions without duplicates', async () => {
  const lines = readFileSync(BOOK, 'utf8').trim().split('\n');
  const book = await openBook({ file: BOOK, order: 'sequential', plies: 0 }, 1);
  expect(book.size).toBe(lines.length);
  expect(lines.length).toBeGreaterThanOrEqual(300);
  expect(new Set(lines.map((line) => line.split(' ', 4).join(' '))).size).toBe(lines.length);
  lines.forEach((line, i) => {
    const { fen } = book.opening(i);
    expect(fen).toMatch(/ w .* \d 5$/);
    expect(oracleMoves(oracleAt(fen)).length).toBeGreaterThan(0);
    expect(Math.abs(Number(/ ce (-?\d+);$/.exec(line)?.[1]))).toBeLessThanOrEqual(40);
  });
});
