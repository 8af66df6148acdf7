import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { makeMove } from '../../../engine/board/kernel.js';
import { moveToUci } from '../../../engine/board/move.js';
import { parseUciMove } from '../../../engine/board/rules.js';
import { openingSource } from '../../../selfplay/games/book.js';
import { isaacNumbers, polyglotKey } from '../../../selfplay/games/polyglot.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-polyglot-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const SETTINGS = { order: 'random', plies: 1000, start: 1, seed: 1, chess960: false, dfrc: false } as const;

function keyAfter(line: string): bigint {
  parseFen(STARTPOS);
  let last: Move | undefined;
  for (const text of line.split(' ').filter((word) => word !== '')) {
    last = parseUciMove(text);
    makeMove(last);
  }
  return polyglotKey(last);
}

/** Writes a book of moves with their weights. A move is encoded by its from and to squares. */
function book(name: string, entries: [line: string, from: string, to: string, weight: number][]): string {
  const square = (text: string): number => 'abcdefgh'.indexOf(text[0]) + 8 * (Number(text[1]) - 1);
  const rows = entries.map(([line, from, to, weight]) => {
    const row = Buffer.alloc(16);
    row.writeBigUInt64BE(keyAfter(line));
    row.writeUInt16BE((square(from) << 6) | square(to), 8);
    row.writeUInt16BE(weight, 10);
    return row;
  });
  rows.sort(Buffer.compare);
  const file = join(scratch, name);
  writeFileSync(file, Buffer.concat(rows));
  return file;
}

test('the first two and the last random numbers match the Polyglot table', () => {
  const numbers = isaacNumbers(781);
  expect([numbers[0], numbers[1], numbers[780]]).toEqual([
    0x9d39247e33776d41n,
    0x2af7398005aaa5c7n,
    0xf8d626aaaf278509n,
  ]);
});

// Positions and keys from the description of the format
test.each([
  ['', 0x463b96181691fc9cn],
  ['e2e4', 0x823c9b50fd114196n],
  ['e2e4 d7d5', 0x0756b94461c50fb0n],
  ['e2e4 d7d5 e4e5', 0x662fafb965db29d4n],
  ['e2e4 d7d5 e4e5 f7f5', 0x22a48b5a8e47ff78n],
  ['e2e4 d7d5 e4e5 f7f5 e1e2', 0x652a607ca3f242c1n],
  ['e2e4 d7d5 e4e5 f7f5 e1e2 e8f7', 0x00fdd303c946bdd9n],
  ['a2a4 b7b5 h2h4 b5b4 c2c4', 0x3c8123ea7b067637n],
  ['a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3', 0x5c3f9b829b279560n],
])('the key after "%s" matches the published key', (line, key) => {
  expect(keyAfter(line)).toBe(key);
});

test('openings are weighted random walks through the book, reproducible by seed and number', async () => {
  const castling = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6';
  const file = book('small.bin', [
    ['', 'e2', 'e4', 3],
    ['', 'd2', 'd4', 1],
    ['', 'a2', 'a3', 0],
    ['e2e4', 'e7', 'e5', 1],
    ['e2e4 e7e5', 'g1', 'f3', 1],
    ['e2e4 e7e5 g1f3', 'b8', 'c6', 1],
    ['e2e4 e7e5 g1f3 b8c6', 'f1', 'b5', 1],
    ['e2e4 e7e5 g1f3 b8c6 f1b5', 'a7', 'a6', 1],
    [castling, 'e1', 'h1', 1],
  ]);
  const lines = async (plies: number): Promise<string[]> => {
    const source = await openingSource({ ...SETTINGS, openings: file, plies });
    return Array.from({ length: 400 }, (_, pair) =>
      source(pair)
        .moves.map((move) => moveToUci(move))
        .join(' '),
    );
  };
  const whole = await lines(1000);
  expect(new Set(whole)).toEqual(new Set([`${castling} e1g1`, 'd2d4']));
  const share = whole.filter((line) => line === 'd2d4').length / whole.length;
  expect(Math.abs(share - 0.25)).toBeLessThan(0.1);
  expect(await lines(1000)).toEqual(whole);
  expect(new Set(await lines(3))).toEqual(new Set(['e2e4 e7e5 g1f3', 'd2d4']));
});

test.each([
  ['cut.bin', Buffer.alloc(15), 'not a Polyglot book: its size of 15 bytes is not a positive multiple of 16'],
  ['empty.bin', Buffer.alloc(0), 'its size of 0 bytes is not a positive multiple'],
  ['other.bin', Buffer.alloc(32), 'no moves for the start position, or not a Polyglot book'],
])('%s is rejected', async (name, content, message) => {
  writeFileSync(join(scratch, name), content);
  await expect(openingSource({ ...SETTINGS, openings: join(scratch, name) })).rejects.toThrow(`${name}: `);
  await expect(openingSource({ ...SETTINGS, openings: join(scratch, name) })).rejects.toThrow(message);
});
