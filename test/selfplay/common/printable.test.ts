// Control characters from outside (an engine's name, tags, lines of invalid files) reach neither the terminal nor a PGN.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { runCommand } from '../../../selfplay/common/command-line.js';
import { noProblems, UserError } from '../../../selfplay/common/errors.js';
import { printable } from '../../../selfplay/common/wording.js';
import { lastComplaint } from '../../../selfplay/engines/output.js';
import { parseEngine } from '../../../selfplay/engines/spec.js';
import { openBook } from '../../../selfplay/games/book.js';
import { runMatch } from '../../../selfplay/match/match.js';
import { readLabelled } from '../../../selfplay/positions/reader.js';
import { formatPgn } from '../../../selfplay/records/pgn.js';
import { readPgn } from '../../../selfplay/records/pgn-reader.js';
import { DEFAULT_GAMES } from '../../../selfplay/series/game-settings.js';
import { fakeEngine } from '../../support/fake-engine.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-printable-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Clears the screen, rings the bell, sets the title in two ways, and writes from right to left. */
const JUNK = '\u001b[2J\u0007\u009d0;x\u001b]0;x\u202e\u007f\0';
const CONTROL = /[^\n\P{Cc}]|[\p{Cf}\u2028\u2029]/u;

test('control characters become question marks, and other text is unchanged', () => {
  expect(printable('\u001b[31mred\u0007\tNaïve  “Ёж” 象棋 ♞ 🐑\r\n')).toBe('?[31mred? Naïve  “Ёж” 象棋 ♞ 🐑  ');
});

test("an engine's name and errors are printed without control characters", async () => {
  const limits = { nodes: 5, margin: 0, stall: 20_000 };
  // The fake engine's name contains its seed. A process argument cannot contain a zero byte
  const engines = ['1', '2'].map((seed) => ({ spec: fakeEngine(`seed=${seed}${JUNK.slice(0, -1)}`), limits }));
  const pgn = join(folder, 'games.pgn');
  const settings = { ...DEFAULT_GAMES, plies: 4, maxMoves: 2, seed: 1, workers: 1, engines, games: 2, pgn };
  const result = await runMatch(settings, {});
  expect(result.engines).toEqual([expect.stringMatching(/^Fake 1\?\[2J/), expect.stringMatching(/^Fake 2\?\[2J/)]);
  expect(result.engines.join()).not.toMatch(CONTROL);
  expect(readFileSync(pgn, 'utf8')).not.toMatch(CONTROL);
  expect(lastComplaint(`error: ${JUNK}\n`)).toMatch(/^error: \?\[2J/);
  expect(lastComplaint(`error: ${JUNK}\n`)).not.toMatch(CONTROL);
  expect(parseEngine(`cmd=x name=A${JUNK}`).spec.name).not.toMatch(CONTROL);
});

test('PGN tags and comments are written without control characters', () => {
  const pgn = formatPgn({ white: `A${JUNK}\n`, result: '*', moves: [], reason: JUNK, tags: { Note: JUNK } });
  expect(pgn).not.toMatch(CONTROL);
  expect(pgn).toContain('[White "A?[2J');
});

test('errors in game and label files are printed without control characters', async () => {
  const file = join(folder, 'junk');
  const problems = noProblems();
  writeFileSync(file, `[Event "${JUNK}"]\n[Result "${JUNK}"]\n\n1. ${JUNK} 1-0\n`);
  for await (const _ of readPgn(file, problems));
  writeFileSync(file, `${JUNK} [1.0]\n4k3/8/8/8/8/8/8/4K3 w - - 0 1 | ${JUNK} | 1.0\n8/8 w | 1 | ${JUNK}\n`);
  await expect(async () => {
    for await (const _ of readLabelled(file, problems));
  }).rejects.toThrow(UserError);
  expect(problems.count).toBe(4);
  expect(problems.messages.join('\n')).not.toMatch(CONTROL);
});

test('errors in binary books and book lines are printed without control characters', async () => {
  const file = join(folder, 'book.epd');
  const settings = { file, order: 'sequential', plies: 8 } as const;
  const read = (): Promise<unknown> => openBook(settings, 1);
  const random = createRandom(1);
  writeFileSync(
    file,
    Uint8Array.from({ length: 3000 }, () => randomBelow(random, 256)),
  );
  await expect(read).rejects.toThrow(
    `${file} is not a text file, and holds neither games in viriformat nor a Polyglot book`,
  );
  writeFileSync(file, `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR Q${JUNK}${'x'.repeat(90)} KQkq - 0 1\n`);
  const printed = await printedBy(read);
  expect(printed).toMatch(/:1: the side to move must be w or b, not 'Q\[2J[^']*…'\n$/);
  expect(printed).not.toMatch(CONTROL);
});

/** Returns the text that a command with this action prints on stderr. */
async function printedBy(run: () => Promise<unknown>): Promise<string> {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await runCommand(async () => void (await run()));
  const printed = write.mock.calls.join();
  write.mockRestore();
  process.exitCode = 0;
  return printed;
}

test('errors of a command are printed without control characters', async () => {
  const printed = await printedBy(() => Promise.reject(new UserError(`no ${JUNK}\nnor this`)));
  expect(printed).toMatch(/^error: no \?\[2J.*\nnor this\n$/);
  expect(printed).not.toMatch(CONTROL);
});
