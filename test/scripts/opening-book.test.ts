import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { parseFen } from '../../engine/board/fen.js';
import { newGame, search, setHashSize } from '../../engine/engine.js';
import { runHere } from '../support/program.js';

const program = fileURLToPath(new URL('../../dist/scripts/opening-book.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heft-opening-book-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([1, 2])('after %d plies, ce is the score for the side to move', async (plies) => {
  const book = join(folder, `${plies}.epd`);
  const options = { lines: 3, plies, look: 100, nodes: 1000, bound: 500, out: book };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  expect(await runHere(program, words, folder)).toMatchObject({ code: 0, stderr: '' });
  setHashSize(4);
  const lines = readFileSync(book, 'utf8').trim().split('\n');
  expect(new Set(lines).size).toBe(3);
  for (const line of lines) {
    const [, position, score] = /^(.*) hmvc .* ce (-?\d+);$/.exec(line)!;
    newGame();
    parseFen(position!);
    expect(Number(score), line).toBe(search({ nodes: 1000 }).score);
  }
});
