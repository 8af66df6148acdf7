// Mutated files of games and positions: bits flipped, bytes cut or moved, lines joined, encodings changed. No reader crashes or hangs, all
// moves are legal, and every contradiction between a result and its tag is reported.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { isLegal } from '../../../engine/board/kernel.js';
import { createRandom, type Random, randomBelow } from '../../../engine/kernel/random.js';
import { noProblems, UserError } from '../../../selfplay/common/errors.js';
import { parseResult } from '../../../selfplay/common/game-result.js';
import { checkFile } from '../../../selfplay/data/check.js';
import { openBook } from '../../../selfplay/games/book.js';
import { advanceGame, parseFen, STARTPOS } from '../../../selfplay/notation/board.js';
import { readTextGame } from '../../../selfplay/notation/text-game.js';
import { readLabelled } from '../../../selfplay/positions/reader.js';
import { formatPgn, pgnOfRecord } from '../../../selfplay/records/pgn.js';
import { readPgn } from '../../../selfplay/records/pgn-reader.js';
import { randomGame } from '../../support/random-games.js';
import { isLong, slowTest } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-mutations-'));
afterAll(() => rmSync(folder, { recursive: true }));
const FILE = join(folder, 'mutated');

const INPUTS = fileURLToPath(new URL('../../inputs/', import.meta.url));

function sources(): Buffer[] {
  const names = readdirSync(INPUTS, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.\w+$/.test(name) && !name.includes('q5000'),
  );
  const inputs = names.filter((name) => !name.endsWith('attributes')).map((name) => readFileSync(join(INPUTS, name)));
  const games = Array.from({ length: 6 }, (_, seed) =>
    Buffer.from([seed, seed + 10].map((one) => formatPgn(pgnOfRecord(randomGame(one, 40)))).join('')),
  );
  const fen = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3';
  const labels = [
    `fen,result,score\n${fen},1,20\n${fen},0,-5\n${fen},0.5,\n`,
    `${fen}\t-1\n${fen}\t0\n${fen}\t1\n`,
    `${fen} | 12 | 0.5\n${fen} | -3 | 1.0\n`,
    `{"fen": "${fen}", "result": 1}\n{"fen": "${fen}", "result": 0}\n`,
    `fen ${fen}\nmove f1c4\nscore 30\nply 4\nresult 1\ne\nfen ${fen}\nscore -1\nresult -1\ne\n`,
    `${fen} bm Bc4; am a3; id "a;b"; c9 "1-0";\n${fen} c9 0-1;\n`,
  ];
  return [...inputs, ...games, ...labels.map((text) => Buffer.from(text))];
}

const SNIPPETS = [
  '{',
  '}',
  '(',
  ')',
  ';',
  '[',
  ']',
  '"',
  '1-0',
  '0-1',
  '*',
  '\n',
  '\r',
  '\r\r\n',
  '\0',
  '%',
  '$1',
  '--',
  'O-O',
  '\u200b',
  '[Event "x"]\n',
  '[FEN "',
  ',',
  '\t',
  '|',
  '1,0',
  '-1',
  '2',
  'c9 "',
  '1.',
  '...',
  'a8=Q',
  'ß',
  '\ufeff',
  '½-½',
  '[Variant "Atomic"]',
  '\\',
  'e.p.',
  ' ',
];

/** Returns the bytes after a few changes. */
function mutated(source: Buffer, others: readonly Buffer[], random: Random): Buffer {
  let bytes = Buffer.from(source);
  for (let i = 1 + randomBelow(random, 4); i > 0; i--) {
    const at = randomBelow(random, bytes.length + 1);
    const to = Math.min(bytes.length, at + randomBelow(random, 40));
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const snippet = Buffer.from(SNIPPETS[randomBelow(random, SNIPPETS.length)]!);
    const other = others[randomBelow(random, others.length)]!;
    switch (randomBelow(random, 9)) {
      case 0:
        if (at < bytes.length) bytes[at] = bytes[at]! ^ (1 << randomBelow(random, 8));
        break;
      case 1:
        bytes = Buffer.concat([before, bytes.subarray(to)]);
        break;
      case 2:
        bytes = Buffer.from(before);
        break;
      case 3:
        bytes = Buffer.concat([before, snippet, after]);
        break;
      case 4:
        bytes = Buffer.concat([before, bytes.subarray(at, to), after]);
        break;
      case 5:
        bytes = Buffer.from(
          bytes.toString('latin1').replaceAll('\n', ['', ' ', '\r', '\r\n', '\r\r\n'][randomBelow(random, 5)]!),
          'latin1',
        );
        break;
      case 6:
        bytes = Buffer.concat([before, other.subarray(0, randomBelow(random, other.length + 1)), after]);
        break;
      case 7:
        bytes = Buffer.concat([bytes, other]);
        break;
      default:
        bytes = randomBelow(random, 4) > 0 ? bytes : Buffer.from(bytes.toString('utf8'), 'utf16le');
    }
  }
  if (randomBelow(random, 20) > 0) return bytes;
  const packed = gzipSync(bytes);
  return randomBelow(random, 2) === 0 ? packed : packed.subarray(0, randomBelow(random, packed.length));
}

/** Runs a reader; a UserError is permitted, any other error is not. */
async function answered(run: () => Promise<unknown> | unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
}

async function checkGames(): Promise<void> {
  for await (const { tags, moves, result } of readPgn(FILE, noProblems())) {
    const tag = parseResult(tags.get('Result') ?? '');
    expect([tag ?? result, tags.get('Result')]).toEqual([result, tags.get('Result')]);
    if (moves.length === 0) continue;
    parseFen(tags.get('FEN') ?? STARTPOS);
    for (const move of moves) {
      expect(isLegal(move)).toBe(true);
      advanceGame(move);
    }
  }
}

async function checkLabels(): Promise<void> {
  for await (const { result, fen } of readLabelled(FILE, noProblems())) {
    expect(result).toBeGreaterThanOrEqual(0);
    expect(result).toBeLessThanOrEqual(1);
    expect(fen.split(' ')).toHaveLength(6);
  }
}

/** CPU time in ms for a file of a few kB, generous because other tests run at the same time. */
const MAX_MS = 2000;

async function tryMutations(count: number, seed: number): Promise<void> {
  const all = sources();
  for (let i = 0; i < count; i++) {
    const random = createRandom(seed, i);
    const bytes = mutated(all[randomBelow(random, all.length)]!, all, random);
    writeFileSync(FILE, bytes);
    const began = process.cpuUsage();
    try {
      await answered(checkGames);
      await answered(checkLabels);
      await answered(() => checkFile(FILE));
      await answered(() => openBook({ file: FILE, order: 'sequential', plies: 8 }, 1));
      try {
        readTextGame(bytes.toString('utf8'));
      } catch (error) {
        expect((error as Error).constructor.name).toMatch(/^(Error|FenError)$/);
      }
      expect(process.cpuUsage(began).user / 1000).toBeLessThan(MAX_MS);
    } catch (error) {
      throw new Error(
        `seed ${seed}, file ${i}: ${(error as Error).stack}\n${JSON.stringify(bytes.toString('latin1').slice(0, 3000))}`,
      );
    }
  }
}

test('mutated files are read without a crash, an illegal move or an unreported contradiction', async () => {
  await tryMutations(30, Number(process.env['HEFT_SEED'] ?? Date.now() % 1_000_000));
});

slowTest(
  'thousands of mutated files (HEFT_MUTATIONS) are read without a crash, an illegal move or an unreported contradiction',
  async () => {
    await tryMutations(
      Number(process.env['HEFT_MUTATIONS'] ?? (isLong ? 20_000 : 1500)),
      Number(process.env['HEFT_SEED'] ?? 1),
    );
  },
  1_800_000,
);
