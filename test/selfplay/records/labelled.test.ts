import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { UserError } from '../../../selfplay/common/errors.js';
import { formatLabelled, type LabelledPosition, readLabelled } from '../../../selfplay/records/labelled.js';
import { csvHeader, parseLabelledLine } from '../../../selfplay/records/labelled-line.js';
import { noProblems } from '../../../selfplay/records/read-problems.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-labelled-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PLACES = 'rnb1kbnr/pp1pppp1/7p/2q5/5P2/N1P1P3/P2P2PP/R1BQKBNR w KQkq -';
const FEN = `${PLACES} 1 7`;

describe('one line', () => {
  test.each([
    [`${PLACES} c9 "1-0";`, { fen: `${PLACES} 0 1`, result: 1, score: null }],
    [`${PLACES} hmvc 1; fmvn 7; c9 "1/2-1/2";`, { fen: FEN, result: 0.5, score: null }],
    [`${FEN} c9 "0-1";`, { fen: FEN, result: 0, score: null }],
    [`${PLACES} bm Nf3; c0 "1/2-1/2"; ce -31;`, { fen: `${PLACES} 0 1`, result: 0.5, score: -31 }],
    [`${PLACES} c0 "a note"; c9 "0.5";`, { fen: `${PLACES} 0 1`, result: 0.5, score: null }],
    [
      `${PLACES.replace(' w ', ' b ')} c9 "0-1"; ce -31;`,
      { fen: `${PLACES.replace(' w ', ' b ')} 0 1`, result: 0, score: 31 },
    ],
    [`${FEN} [1.0]`, { fen: FEN, result: 1, score: null }],
    [`${FEN} [0.5] 23`, { fen: FEN, result: 0.5, score: null }],
    [`${FEN} [0-1]`, { fen: FEN, result: 0, score: null }],
    [`${FEN} | -112 | 0.0`, { fen: FEN, result: 0, score: -112 }],
    [`${FEN}|5|0.5`, { fen: FEN, result: 0.5, score: 5 }],
    [`${FEN},0.5`, { fen: FEN, result: 0.5, score: null }],
    [`${FEN},1-0,-250`, { fen: FEN, result: 1, score: -250 }],
    [`"${FEN}","0","12.6"`, { fen: FEN, result: 0, score: 13 }],
  ])('one line %s', (line, expected) => {
    expect(parseLabelledLine(line)).toEqual(expected);
  });

  test.each([
    [FEN, 'no result'],
    [`${FEN} [2.0]`, "'2.0' is not a result"],
    [`${FEN} [-1]`, "'-1' is not a result"],
    [`${FEN} | 12`, 'expected FEN | centipawns | result'],
    [`${FEN} | abc | 1.0`, "'abc' is not a score"],
    [`${FEN},`, "'' is not a result"],
    ['hello, world', "'world' is not a result"],
    ['hello,1.0', "'hello' is not a position"],
    [`${FEN.replace('/7p/', '/8p/')} [1.0]`, 'rank 6 has 9 squares'],
    [`${FEN.replace('/7p/', '/')} [1.0]`, 'not 8 ranks'],
    [`${FEN.replace('7p', '7x')} [1.0]`, "'x' is not a piece"],
    [`${FEN.replace('7p', '7k')} [1.0]`, 'each side needs one king'],
    [`${FEN} c9 "won";`, "'won' is not a result"],
  ])('one line %s is refused', (line, message) => {
    expect(parseLabelledLine(line)).toContain(message);
  });
});

describe('games of CSV', () => {
  const columns = (header: string) => csvHeader(header) ?? expect.unreachable(header);
  test.each([
    ['fen,result,game', '7', { game: 7, opening: 7 }],
    ['fen,result,game,opening', '7,4294967295', { game: 7, opening: 4294967295 }],
    ['fen,result,opening', '7', {}],
    ['fen,result', '7', {}],
  ])('games of CSV with the header %s', (header, fields, expected) => {
    const parsed = parseLabelledLine(`${FEN},1.0,${fields}`, columns(header));
    expect(parsed).toEqual({ fen: FEN, result: 1, score: null, ...expected });
  });

  test('games of CSV may have names instead of numbers', () => {
    const named = ['Réti', 'R?ti', 'Réti', '-1', '4294967296'].map((name) =>
      parseLabelledLine(`${FEN},1.0,${name}`, columns('fen,result,game')),
    );
    const numbers = named.map((one) => (typeof one === 'string' ? one : one.game));
    expect(new Set(numbers).size).toBe(4);
    expect(numbers[2]).toBe(numbers[0]);
    expect(numbers.every((number) => typeof number === 'number' && number >= 0 && number < 2 ** 32)).toBe(true);
  });
});

async function read(content: string | Uint8Array): Promise<{ positions: LabelledPosition[]; messages: string[] }> {
  const file = join(folder, 'data');
  writeFileSync(file, content);
  const problems = noProblems();
  const positions: LabelledPosition[] = [];
  for await (const position of readLabelled(file, problems)) positions.push(position);
  expect(problems.count).toBe(problems.messages.length);
  return { positions, messages: problems.messages.map((message) => message.replace(`${folder}/`, '')) };
}

describe('a file', () => {
  test('a file mixes forms; blank lines are skipped, bad ones named', async () => {
    const { positions, messages } = await read(
      `\uFEFF${FEN} [1.0]\r\n\r\n# note\r\nnonsense\r\n${FEN} | 7 | 0.5\r\n${FEN} [x]`,
    );
    expect(positions.map(({ line, result, score }) => [line, result, score])).toEqual([
      [1, 1, null],
      [5, 0.5, 7],
    ]);
    expect(messages).toEqual([
      expect.stringMatching(/^data:4: no result/),
      expect.stringMatching(/^data:6: 'x' is not/),
    ]);
  });

  test('a file CSV with a header in any order, gzipped', async () => {
    const { positions, messages } = await read(gzipSync(`Score,Result,FEN\n31,1.0,${FEN}\n,0.5,${FEN}\n`));
    expect(positions.map(({ fen, result, score, line }) => [fen, result, score, line])).toEqual([
      [FEN, 1, 31, 2],
      [FEN, 0.5, null, 3],
    ]);
    expect(messages).toEqual([]);
  });

  test('a file a truncated gzip file gives its whole lines and a problem', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `${PLACES} ${i} 7 | ${(i * 7919) % 1000} | 1.0`).join('\n');
    const packed = gzipSync(lines);
    const { positions, messages } = await read(packed.subarray(0, packed.length >> 1));
    expect(positions.length).toBeGreaterThan(1000);
    expect(messages.at(-1)).toContain('the gzip file is cut off');
  });

  test('a file nothing usable in it is an error that names the file and its first fault', async () => {
    await expect(read('one\ntwo\n')).rejects.toThrow(UserError);
    await expect(read('one\ntwo\n')).rejects.toThrow(/data: no labelled position in it .*data:1: no result/);
    await expect(async () => {
      for await (const _ of readLabelled(join(folder, 'missing'), noProblems()));
    }).rejects.toThrow(/cannot read .*missing/);
  });
});

test('what is written is read back', () => {
  for (const result of [0, 0.5, 1]) {
    const position = { fen: FEN, result, score: -45 };
    expect(parseLabelledLine(formatLabelled(position))).toEqual(position);
  }
  expect(formatLabelled({ fen: FEN, result: 0.5, score: null })).toBe(`${FEN} | 0 | 0.5`);
});
