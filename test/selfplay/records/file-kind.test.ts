import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSuite } from '../../../selfplay/data/suite/file.js';
import { openBook } from '../../../selfplay/games/book.js';
import { kindOfFile } from '../../../selfplay/records/file-kind.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-kinds-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, bytes: Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

/** Both kings on e1 and e8, as in bulletformat and marlinformat; the score differs. */
const BOARD = [0x10, 0, 0, 0, 0, 0, 0, 0x10, 0xd5, ...Array(15).fill(0), 20, 1, 1, 4, 60, 0, 0, 0];

test('positions of 32 bytes are rejected with their format', async () => {
  const file = write('data.bin', new Uint8Array([...BOARD, ...BOARD, ...BOARD]));
  await expect(kindOfFile(file)).rejects.toThrow(/holds? positions of 32 bytes \(bulletformat or marlinformat\)/);
});

test('books and suites reject a Polyglot book by name', async () => {
  const entry = (key: number): number[] => [key, 0, 0, 0, 0, 0, 0, 0xff, 3, 0x1c, 0, 1, 0, 0, 0, 0];
  const file = write('book.bin', new Uint8Array([...entry(1), ...entry(2), ...entry(3)]));
  expect(await kindOfFile(file)).toBe('polyglot');
  await expect(openBook({ file, order: 'sequential', plies: 8 }, 1)).rejects.toThrow(
    / is a Polyglot book, which self-play cannot use/,
  );
  await expect(readSuite(file)).rejects.toThrow(/ holds a Polyglot book; a suite is/);
});
