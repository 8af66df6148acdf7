import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { noProblems, UserError } from '../../../selfplay/common/errors.js';
import { parseColumns } from '../../../selfplay/positions/columns.js';
import { formatLabelled, type LabelledPosition } from '../../../selfplay/positions/labelled.js';
import { parseLabelLine } from '../../../selfplay/positions/line.js';
import { type ReadSettings, readLabelled } from '../../../selfplay/positions/reader.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-labelled-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PLACES = 'rnb1kbnr/pp1pppp1/7p/2q5/5P2/N1P1P3/P2P2PP/R1BQKBNR w KQkq -';
const FEN = `${PLACES} 1 7`;

/** Returns the label of a file with only this line, or its fault. */
async function one(line: string, header = ''): Promise<Partial<LabelledPosition> | string> {
  const file = join(folder, 'one');
  writeFileSync(file, `${header}${line}\n`);
  try {
    const problems = noProblems();
    for await (const { file: _, line: __, ...position } of readLabelled(file, problems)) return position;
    return problems.messages.join();
  } catch (error) {
    return (error as Error).message;
  }
}

const BLACK = PLACES.replace(' w ', ' b ');

describe('a single line', () => {
  test.each([
    [`${PLACES} c9 "1-0";`, { fen: `${PLACES} 0 1`, result: 1, score: null }],
    [`${PLACES} hmvc 1; fmvn 7; c9 "1/2-1/2";`, { fen: FEN, result: 0.5, score: null }],
    [`${PLACES} hmvc 1;fmvn 7;c9 "1/2-1/2";`, { fen: FEN, result: 0.5, score: null }],
    [`${FEN} c9 "0-1";`, { fen: FEN, result: 0, score: null }],
    [`${PLACES} bm Nf3; c0 "1/2-1/2"; ce -31;`, { fen: `${PLACES} 0 1`, result: 0.5, score: -31 }],
    [`${PLACES} c0 "a note; with 1-0 in it"; c9 "0.5";`, { fen: `${PLACES} 0 1`, result: 0.5, score: null }],
    [`${BLACK} c9 "0-1"; ce -31;`, { fen: `${BLACK} 0 1`, result: 0, score: 31 }],
    [`${PLACES} c9 1-0;`, { fen: `${PLACES} 0 1`, result: 1, score: null }],
    [`${PLACES} c9 1-0`, { fen: `${PLACES} 0 1`, result: 1, score: null }],
    [`${PLACES} C9 "1-0";`, { fen: `${PLACES} 0 1`, result: 1, score: null }],
    [`${PLACES};c9 "0-1";`, { fen: `${PLACES} 0 1`, result: 0, score: null }],
    [`${PLACES} c9 " 1/2-1/2 ";`, { fen: `${PLACES} 0 1`, result: 0.5, score: null }],
    [`${FEN}; c9 "1-0";`, { fen: FEN, result: 1, score: null }],
    [`${FEN} result "1-0";`, { fen: FEN, result: 1, score: null }],
    [`${FEN} [1.0]`, { fen: FEN, result: 1, score: null }],
    [`${FEN} [0.5] 23`, { fen: FEN, result: 0.5, score: null }],
    [`${FEN} [0-1]`, { fen: FEN, result: 0, score: null }],
    [`${FEN} (1.0)`, { fen: FEN, result: 1, score: null }],
    [`${FEN} {1.0}`, { fen: FEN, result: 1, score: null }],
    [`${FEN} "1-0"`, { fen: FEN, result: 1, score: null }],
    [`${FEN} 1-0`, { fen: FEN, result: 1, score: null }],
    [`${FEN} ½-½`, { fen: FEN, result: 0.5, score: null }],
    [`${FEN} 0.0`, { fen: FEN, result: 0, score: null }],
    [`${FEN}; 1.0`, { fen: FEN, result: 1, score: null }],
    [`${FEN};1,0`, { fen: FEN, result: 1, score: null }],
    [`${PLACES} 1,0`, { fen: `${PLACES} 0 1`, result: 1, score: null }],
    [`${PLACES} 0,5;`, { fen: `${PLACES} 0 1`, result: 0.5, score: null }],
    [`${FEN};0,5;31`, { fen: FEN, result: 0.5, score: 31 }],
    [`${FEN}\t1,0`, { fen: FEN, result: 1, score: null }],
    [`${FEN}\tw`, { fen: FEN, result: 1, score: null }],
    [`${FEN},draw`, { fen: FEN, result: 0.5, score: null }],
    [`${FEN},loss`, { fen: FEN, result: 0, score: null }],
    [`${FEN},Black`, { fen: FEN, result: 0, score: null }],
    [`${FEN},"1,0"`, { fen: FEN, result: 1, score: null }],
    [`"${FEN}" [1.0]`, { fen: FEN, result: 1, score: null }],
    [`${FEN} | -112 | 0.0`, { fen: FEN, result: 0, score: -112 }],
    [`${FEN}|5|0.5`, { fen: FEN, result: 0.5, score: 5 }],
    [`${FEN} | 1-0`, { fen: FEN, result: 1, score: null }],
    [`${FEN},0.5`, { fen: FEN, result: 0.5, score: null }],
    [`${FEN},1-0,-250`, { fen: FEN, result: 1, score: -250 }],
    [`${FEN},-250,1-0`, { fen: FEN, result: 1, score: -250 }],
    [`0.5,${FEN}`, { fen: FEN, result: 0.5, score: null }],
    [`${FEN},1-0,#3`, { fen: FEN, result: 1, score: 31995 }],
    [`${FEN},0-1,-M2`, { fen: FEN, result: 0, score: -31997 }],
    [`${FEN},1-0,-1.534`, { fen: FEN, result: 1, score: -2 }],
    [`${FEN},1-0,"1,234.0"`, { fen: FEN, result: 1, score: 1234 }],
    [`"${FEN}","0","12.6"`, { fen: FEN, result: 0, score: 13 }],
    [`${PLACES} 1 [0.5]`, { fen: `${PLACES} 1 1`, result: 0.5, score: null }],
    [`${PLACES} 1 c9 "1-0";`, { fen: `${PLACES} 1 1`, result: 1, score: null }],
    [`${PLACES} HMVC 1; FMVN 7; c9 "1-0";`, { fen: FEN, result: 1, score: null }],
    [`{"fen": "${FEN}", "result": 1, "score": -20}`, { fen: FEN, result: 1, score: -20 }],
    [`{"fen": "${FEN}", "result": 1, "score": 34, "eval": "34"}`, { fen: FEN, result: 1, score: 34 }],
    [`{"FEN": "${FEN}", "wdl": "0-1", "cp": null}`, { fen: FEN, result: 0, score: null }],
    [`{"fen": "${FEN}", "wdl": 1, "evaluation": 34, "game_id": 7}`, { fen: FEN, result: 1, score: 34, game: 7 }],
  ])('the line %s is read', async (line, expected) => {
    expect(await one(line)).toEqual(expected);
  });

  test.each([
    [FEN, 'no result'],
    [`${FEN} | 12`, 'is not a result'],
    [`${FEN} | abc | 1.0`, "'abc' is not a score"],
    [`${FEN},`, 'the result is missing'],
    ['hello, world', "'hello, world' is not a position"],
    ['hello,1.0', "'hello,1.0' is not a position"],
    [`${FEN.replace('/7p/', '/8p/')} [1.0]`, 'rank 6 has 9 squares'],
    [`${FEN.replace('/7p/', '/')} [1.0]`, 'not 8 ranks'],
    [`${FEN.replace('7p', '7x')} [1.0]`, "'x' is not a piece"],
    [`${FEN.replace('7p', '7k')} [1.0]`, 'each side must have exactly one king'],
    [`${FEN} c9 "won by White";`, "'won by White' is not a result"],
    [`${FEN},1-0,"1,234"`, 'can be read in two ways'],
    [`${FEN};1-0;1.234`, 'can be read in two ways'],
    [`${PLACES} 1`, 'no result'],
    [`${FEN},1,0,0`, 'columns 2 and 3 and 4 could each be the result'],
    [`{"fen": "${FEN}", "result": 1, "wdl": 0}`, 'result and wdl differ'],
    [`{"fen": "${FEN}", "result": 1, "score": 34, "eval": -50}`, "'34 and -50' is not a score"],
    [`${PLACES} c9 "1-0"; result "0-1";`, 'c9 and result differ'],
    [`[{"fen": "${FEN}", "result": 1}]`, "is a JSON array; write one object per line: jq -c '.[]'"],
    ['{"fen": 1', 'not a JSON object'],
  ])('the line %s is rejected', async (line, message) => {
    expect(await one(line)).toContain(message);
  });
});

test('a line with many spaces is rejected quickly', () => {
  for (const label of ['', ';', '[', '[1.0', '[1.0]', '[1.0] 3'])
    expect(parseLabelLine(`${FEN} ${label}${' '.repeat(100_000)}x`, null)).toContain('no result');
}, 4000);

/** Returns the results of a file of positions with these labels, or the error. */
async function results(labels: readonly string[], separator = ',', settings: ReadSettings = {}): Promise<unknown> {
  const file = join(folder, 'scale');
  writeFileSync(file, labels.map((label) => `${FEN}${separator}${label}\n`).join(''));
  const found: number[] = [];
  try {
    for await (const { result } of readLabelled(file, noProblems(), settings)) found.push(result);
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    return (error as Error).message.replace(`${folder}/`, '');
  }
  return found;
}

describe('the scale of a column', () => {
  test.each([
    ['0 to 1', ['1', '0', '0.5'], [1, 0, 0.5]],
    ['-1/0/1', ['1', '0', '-1', '0'], [1, 0.5, 0, 0.5]],
    ['0/1/2', ['0', '1', '2'], [0, 0.5, 1]],
    ['percent', ['0', '50', '100'], [0, 0.5, 1]],
    ['decimal commas', ['0,5', '1,0', '0,0'], [0.5, 1, 0]],
    ['words and numbers', ['1-0', '-1', '0', 'd'], [1, 0, 0.5, 0.5]],
  ])('the scale of a column is %s', async (_, labels, expected) => {
    expect(await results(labels, '\t')).toEqual(expected);
    expect(await results(labels, ';')).toEqual(expected);
  });

  test.each([
    [['0.5', '1', '-1'], /^scale: the results in lines 1 and 3 disagree: '0.5' and '-1' are not on the same scale/],
    [['2', '0', '0.5'], /^scale: the results in lines 1 and 3 disagree: '2' and '0.5'/],
    [['-1', '0', '2'], /^scale: the results in lines 1 and 3 disagree: '-1' and '2'/],
    [['0.5', '-0.5'], /^scale: the results in lines 1 and 2 disagree: '0.5' and '-0.5'/],
    [['-0.5', '0'], /^scale:1: the result '-0.5' does not fit any scale/],
    [['50', '0.5'], /^scale: the results in lines 1 and 2 disagree: '50' and '0.5'/],
  ])('a file with the labels %j is rejected with the lines that disagree', async (labels, message) => {
    expect(await results(labels)).toMatch(message);
  });

  test('a file is rejected if a late label contradicts lines already read', async () => {
    const many = new Array<string>(5000).fill('1');
    expect(await results([...many, '-1'])).toMatch(/^scale: the results in lines 1 and 5001 disagree: '1' and '-1'/);
    expect(await results(['0', '-1', ...many, '0.5'])).toMatch(/lines 2 and 5003 disagree: '-1' and '0.5'/);
  });

  test('the first number may follow the words of the sample', async () => {
    const words = Array<string>(5000).fill('draw');
    expect(((await results([...words, '-1'])) as number[]).at(-1)).toBe(0);
  });

  test('decimal commas in a comma-separated table are rejected', async () => {
    expect(await results(['1,0', '0,0', '0,5'])).toMatch(/results such as 0,5 may be decimal numbers or two columns/);
    expect(await results(['1,0,0,35', '0,5,-1,20'])).toMatch(/may be decimal numbers or two columns/);
    expect(await results(['1,0', '0,0', '0,12'])).toEqual([1, 0, 0]);
    await expect(read(`7,${FEN},1,0\n7,${FEN},0,5\n`)).rejects.toThrow(/may be decimal numbers or two columns/);
  });

  test('a row with more fields than the header is a fault', async () => {
    const rows = [`${FEN},0,5,20`, `${FEN},1,-30`, `${FEN},1,7,`];
    const { positions, messages } = await read(['fen,result,score', ...rows].join('\n'));
    expect(positions.map(({ result, score }) => [result, score])).toEqual([
      [1, -30],
      [1, 7],
    ]);
    expect(messages).toEqual([
      expect.stringMatching(/:2: 4 fields, but the header has 3; put fields that contain ',' in quotes$/),
    ]);
  });

  test('scores in pawns are rejected', async () => {
    const pawns = ['1,0.35', '0,-1.2', '0,2'];
    expect(await results(pawns)).toMatch(
      /: scores such as 0\.35 look like pawns, not centipawns; multiply them by 100/,
    );
    expect(await results([...pawns, '1,120.5'])).toEqual([1, 0, 0, 1]);
    const mates = [...Array.from({ length: 20 }, (_, i) => `1,-${i}.25`), '1,100.00'];
    expect(await results(mates)).toMatch(/ look like pawns, not centipawns/);
    expect(await results(['1,35', '0,-1', '0,2.5'])).toEqual([1, 0, 0]);
    expect(await results(pawns, ',', { columns: parseColumns('score=none') })).toEqual([1, 0, 0]);
  });

  test('an ambiguous score column is rejected without --columns', async () => {
    const unscored = { columns: parseColumns('score=none') };
    const two = ['1,35,12', '0,-20,14', '0,2,9'];
    expect(await results(two)).toMatch(/: columns 3 and 4 could each be the score; choose one with .* or score=none$/);
    expect(await results(two, ',', { columns: parseColumns('score=3') })).toEqual([1, 0, 0]);
    expect(await results(two, ',', unscored)).toEqual([1, 0, 0]);
    const plies = Array.from({ length: 30 }, (_, i) => `${i % 2},${10 + (i % 7)}`);
    expect(await results(plies)).toMatch(
      /: column 3 has no negative number, .* --columns score=3, or omit it with score=none$/,
    );
    expect(await results(plies, ',', unscored)).toHaveLength(30);
    expect(await results([...plies, '1,-5'])).toHaveLength(31);
    expect(await results(['1,35,e2e4', '0,-20,e7e5'])).toEqual([1, 0]);
  });

  test('--columns selects the columns and the result scale', async () => {
    expect(await results(['0', '1'], ',', { columns: parseColumns('result=-1/0/1') })).toEqual([0.5, 1]);
    const columns = parseColumns('fen=1,result=3,score=2');
    expect(await results(['31;1', '-2;0'], ';', { columns })).toEqual([1, 0]);
    for (const separator of [';', '\t', ' ']) {
      const two = { columns: parseColumns('fen=1,result=2') };
      expect(await results(['0.5', '1'], separator, two)).toEqual([0.5, 1]);
    }
    const numbered = await read(`1;${FEN};0.5\n2;${FEN};1\n`, { columns: parseColumns('fen=2,result=3') });
    expect(numbered.positions.map(({ result, score }) => [result, score])).toEqual([
      [0.5, null],
      [1, null],
    ]);
    expect(() => parseColumns('fan=1')).toThrow('--columns takes fen=');
  });
});

test.each([
  [`${FEN} moves e2e4`, 'moves e2e4'],
  ['position startpos moves e2e4', 'moves e2e4'],
  [PLACES.replace('KQkq -', 'KQkx - 0 1'), 'KQkx - 0 1'],
  [PLACES.replace('KQkq -', 'KQkq e9 0 1'), 'e9 0 1'],
])('moves and invalid fields after a position in JSON or plain text are faults: %s', async (fen, rest) => {
  const fault = `unexpected text after the position: '${rest}'`;
  expect(await one(JSON.stringify({ fen, result: 1 }))).toMatch(new RegExp(`:1: ${fault}\\)?$`));
  expect(await one(`fen ${fen}\nscore 3\nresult 1\ne`)).toMatch(new RegExp(`:1: ${fault}\\)?$`));
});

test('a JSON position may have EPD operations', async () => {
  const line = JSON.stringify({ epd: `${PLACES} hmvc 1; fmvn 7; bm Nf3;`, result: 1 });
  expect(await one(line)).toMatchObject({ fen: FEN, result: 1 });
  const open = JSON.stringify({ epd: `${PLACES} hmvc 1; fmvn 7`, result: 1 });
  expect(await one(open)).toMatchObject({ fen: FEN, result: 1 });
});

describe("Stockfish's plain text", () => {
  const block = (side: string, score: number, result: number): string =>
    `fen ${FEN.replace(' w ', ` ${side} `)}\nmove e2e4\nscore ${score}\nply 12\nresult ${result}\ne\n`;

  test('scores and results are for the side to move', async () => {
    const { positions, messages } = await read([block('w', 30, 1), block('b', 30, 1), block('b', -20, 0)].join(''));
    expect(positions.map(({ result, score, line }) => [result, score, line])).toEqual([
      [1, 30, 1],
      [0, -30, 7],
      [0.5, 20, 13],
    ]);
    expect(messages).toEqual([]);
  });

  test('a block without an end or a result is reported', async () => {
    const text = `${block('w', 1, -1)}${block('w', 2, 0).replace('e\n', '').replace(/e\n$/, '')}${block('b', 3, 1).replace(/result.*\n/, '')}`;
    const { positions, messages } = await read(text);
    expect(positions.map(({ result }) => result)).toEqual([0]);
    expect(messages).toHaveLength(2);
  });
});

describe('tables', () => {
  test.each([
    ['fen;result;score', ';', ['1-0', '20'], [1, 20]],
    ['FEN\tScore\tWDL', '\t', ['20', '0.5'], [0.5, 20]],
    ['score,fen,outcome', ',', [], null],
  ])('a table with the header %j is read', async (header, separator, fields, expected) => {
    if (expected === null) {
      const { positions } = await read(`${header}\n7,${FEN},0-1\n`);
      expect(positions).toMatchObject([{ result: 0, score: 7 }]);
      return;
    }
    const { positions } = await read(`${header}\n${[FEN, ...fields].join(separator)}\n`);
    expect(positions.map(({ result, score }) => [result, score])).toEqual([expected]);
  });

  test('an empty field before a quoted one keeps its column', async () => {
    const rows = [`"${FEN}"\t7\t"10"\t"1"`, `"${FEN}"\t\t"1"\t"0"`];
    const { positions } = await read(['fen\tgame\tscore\tresult', ...rows].join('\n'));
    expect(positions.map(({ result, score }) => [result, score])).toEqual([
      [1, 10],
      [0, 1],
    ]);
  });

  test('a header with two score columns is rejected without --columns', async () => {
    const rows = `fen,eval,score,result\n${FEN},10,-20,1\n`;
    await expect(read(rows)).rejects.toThrow(
      /data: 'eval' and 'score' could be the score; .* --columns score=2, or omit/,
    );
    expect((await read(rows, { columns: parseColumns('score=3') })).positions).toMatchObject([{ score: -20 }]);
    expect((await read(rows, { columns: parseColumns('score=none') })).positions).toMatchObject([{ score: null }]);
  });

  test('a header with two result columns, or none, is rejected', async () => {
    await expect(read(`fen,result,wdl\n${FEN},1,0\n`)).rejects.toThrow(
      /data:1: 'result' and 'wdl' could be the result/,
    );
    await expect(read(`fen,score\n${FEN},1\n`)).rejects.toThrow(/the header has no result column; name one with/);
  });

  test.each(['*', 'abc', ''])('one row with the result %j does not turn the scores into results', async (odd) => {
    const rows = Array.from({ length: 40 }, (_, i) => `${FEN},${50 * (i % 9) - 150},${['1.0', '0.5', '0.0'][i % 3]}`);
    const { positions, messages } = await read([...rows, `${FEN},12,${odd}`, ''].join('\n'));
    expect(positions.map(({ result, score }) => `${FEN},${score},${result.toFixed(1)}`)).toEqual(rows);
    expect(messages).toHaveLength(1);
  });

  test.each([
    [
      'scores',
      ['35', '0', '-20', '100', '12'],
      /data:1: '35' is not a result, and neither are most values in its column; name/,
    ],
    ['WDL per mille', ['600,300,100', '100,200,700', '0,1000,0', '400,400,200', '300,300,400'], /data:1: '600'/],
  ])('a table of %s without results is rejected, even if some numbers look like results', async (_, rows, message) => {
    await expect(read(rows.map((row) => `${FEN},${row}\n`).join(''))).rejects.toThrow(message);
  });

  test('a row without its last field is reported, not read in another format', async () => {
    const { positions, messages } = await read(`${FEN};20;1-0\n${FEN};-5;0-1\n${FEN};1\n`);
    expect(positions.map(({ result, score }) => [result, score])).toEqual([
      [1, 20],
      [0, -5],
    ]);
    expect(messages).toEqual(['data:3: the result is missing']);
  });

  test.each([
    ['an index in the first column', ['0,FEN,1', '1,FEN,0', '2,FEN,0.5'], ['1', '0', '0.5']],
    ['the side to move', ['FEN,w,1-0', 'FEN,w,0-1'], ['1', '0']],
    ['a flag', ['FEN,1,1.0,250', 'FEN,0,0.5,-30'], ['1 250', '0.5 -30']],
    ['a word before a score', ['FEN|1-0|1', 'FEN|0-1|0'], ['1 1', '0 0']],
    ['scores that look like results', ['FEN,1.0,1', 'FEN,0.5,0'], ['1 1', '0.5 0']],
    ['the side to move after a number', ['FEN,0,-30,w', 'FEN,0.5,12,w', 'FEN,1,5,w'], ['0 -30', '0.5 12', '1 5']],
    ['the side to move as a word', ['FEN,0,white', 'FEN,0.5,white', 'FEN,1,white'], ['0', '0.5', '1']],
    ['the side to move and percent', ['FEN;100;w', 'FEN;0;w', 'FEN;50;w'], ['1', '0', '0.5']],
  ])('columns without a header are detected: %s', async (_, lines, expected) => {
    const { positions } = await read(lines.map((line) => line.replace('FEN', FEN)).join('\n'));
    expect(positions.map(({ result, score }) => [result, score ?? ''].join(' ').trim())).toEqual(expected);
  });

  test.each([
    ['probabilities', /columns 2 and 3 could each be the result/, ([result], i) => `FEN,${result},0.5${i % 7}`],
    ['depths after a bar', /column 3 has no negative number/, ([result], i) => `FEN|${result}|${8 + (i % 3)}`],
    ['depths and percent', /column 3 has no negative number/, ([, percent], i) => `FEN,${percent},${8 + (i % 3)}`],
    ['decimal commas before the position', /may be decimal numbers or two columns/, ([, , text]) => `${text},FEN`],
  ] as [string, RegExp, (result: string[], i: number) => string][])(
    '%s are not read as labels',
    async (_, message, lineOf) => {
      const labels = [
        ['1', '100', '1,0'],
        ['-1', '0', '0,0'],
        ['0', '50', '0,5'],
      ];
      const lines = Array.from({ length: 30 }, (_, i) => lineOf(labels[i % 3], i).replace('FEN', FEN));
      await expect(read(lines.join('\n'))).rejects.toThrow(message);
    },
  );

  test('equal numbers beside the side to move are not taken for results, because it may have won every game', async () => {
    const other = FEN.replace(' w ', ' b ');
    const lines = [`${FEN},w,0`, `${other},b,0`];
    await expect(read(lines.join('\n'))).rejects.toThrow(/columns 3 and 2 could each be the result/);
    const varied = await read([...lines, `${FEN},w,1`].join('\n'));
    expect(varied.positions.map(({ result }) => result)).toEqual([0, 0, 1]);
  });

  test('ambiguous result columns are rejected without --columns', async () => {
    const lines = ['1,0', '0,1', '1,1'].map((labels) => `${FEN},${labels}`);
    const columns = parseColumns('result=3');
    expect(await results(['1\t0', '0\t1', '1\t1'], '\t', { columns })).toEqual([0, 1, 1]);
    await expect(read(lines.join('\n'))).rejects.toThrow(
      /columns 2 and 3 could each be the result; choose one with --columns/,
    );
  });

  test('a header may follow a separator line and may be repeated, but a different header is rejected', async () => {
    const rows = `fen;score;result\n${FEN};20;1,0\n`;
    expect((await read(`sep=;\n${rows}${rows}`)).positions.map(({ result, score }) => [result, score])).toEqual([
      [1, 20],
      [1, 20],
    ]);
    expect((await read(`My file\n${rows}`)).messages).toEqual(["data:1: 'My file' is not a position"]);
    await expect(read(`${rows}fen;result;score\n${FEN};1,0;20\n`)).rejects.toThrow(
      /data:3: the columns of this header differ/,
    );
  });

  test('results for the side to move, as in the samples of c-chess-cli, are rejected unless --columns names the side', async () => {
    // White is a pawn ahead and wins every game
    const lines = (black: string): string =>
      `4k3/8/8/8/8/8/P7/4K3 w - - 0 1,85,2\n4k3/8/8/8/8/8/P7/4K3 b - - 0 1,${black}\n`.repeat(100);
    const movers = `4k3/8/8/8/8/8/8/4K3 w - - 0 1,0,1\n${lines('-70,0')}`;
    await expect(read(movers)).rejects.toThrow(
      /100 % .* with White to move, but 0 % with Black to move; .* side=mover/,
    );
    const labels = async (side: string): Promise<unknown> => {
      const { positions } = await read(movers, { columns: parseColumns(`side=${side}`) });
      return positions.slice(1, 3).map(({ result, score }) => [result, score]);
    };
    expect(await labels('mover')).toEqual([
      [1, 85],
      [1, 70],
    ]);
    expect(await labels('white')).toEqual([
      [1, 85],
      [0, -70],
    ]);
    expect((await read(lines('-5,2'))).positions.every(({ result }) => result === 1)).toBe(true);
    // Scores for the side to move, but results for White
    const mixed = lines('-170,2').replaceAll(',85,', ',185,');
    await expect(read(mixed)).rejects.toThrow(/scores and results seem to be for different sides.* score=none$/);
    expect((await read(mixed, { columns: parseColumns('score=none') })).positions).toHaveLength(200);
    const ofEpd = mixed.replace(/ 0 1,(-?\d+),2$/gm, ' ce $1; c9 "1-0";');
    expect((await read(ofEpd)).positions.at(-1)).toMatchObject({ result: 1, score: 170 });
  });

  test('columns cannot be named for JSON lines and plain text', async () => {
    const json = [1, 0].map((result) => `${JSON.stringify({ fen: FEN, result, label: 1 - result })}\n`).join('');
    for (const columns of ['result=label', 'fen=1,result=3'].map(parseColumns))
      await expect(read(json, { columns })).rejects.toThrow(/data holds JSON lines; name their keys fen, result/);
    const columns = parseColumns('fen=1,result=2');
    await expect(read(`fen ${FEN}\nscore 1\nresult 1\ne\n`, { columns })).rejects.toThrow(
      /data holds Stockfish's plain/,
    );
    expect((await read(json, { columns: parseColumns('result=-1/0/1') })).positions).toHaveLength(2);
  });

  test('a JSON array with one object per line is read', async () => {
    const objects = [1, 0].map((result) => JSON.stringify({ fen: FEN, result })).join(',\n');
    const { positions, messages } = await read(`[\n${objects}\n]\n`);
    expect([positions.map(({ result }) => result), messages]).toEqual([[1, 0], []]);
  });

  test('JSON lines may have their keys in any order', async () => {
    const lines = [1, 0].map((result, id) => JSON.stringify({ id, fen: FEN, wdl: result, result }));
    const bad = JSON.stringify({ id: 2, result: 1, fen: FEN.replace('/7p/', '/8p/') });
    const { positions, messages } = await read([...lines, bad, ''].join('\n'));
    expect(positions.map(({ result }) => result)).toEqual([1, 0]);
    expect(messages).toEqual(['data:3: rank 6 has 9 squares instead of 8']);
    expect((await read(lines[0])).positions).toHaveLength(1);
  });

  test('a JSON score that is an object is a fault unless scores are not read', async () => {
    const lines = `${JSON.stringify({ fen: FEN, result: 1, score: { cp: 30 } })}\n`.repeat(2);
    await expect(read(lines)).rejects.toThrow(/'{"cp":30}' is not a score/);
    expect((await read(lines, { columns: parseColumns('score=none') })).positions).toHaveLength(2);
  });

  test('--columns rejects an opening without a game', async () => {
    const table = `${FEN},1,7\n${FEN},0,7\n`;
    const columns = parseColumns('fen=1,result=2,opening=3');
    await expect(read(table, { columns })).rejects.toThrow('opening= requires game=');
  });

  test('a repeated header is skipped even if --columns selects other columns', async () => {
    const part = `fen,cp,eval,result\n${FEN},20,30,1\n`;
    const { positions } = await read(part + part, { columns: parseColumns('score=eval') });
    expect(positions.map(({ score }) => score)).toEqual([30, 30]);
  });

  test('a result may be in scientific notation', async () => {
    expect(await one(`{"fen":"${FEN}","result":1e-7}`)).toMatchObject({ result: 1e-7 });
  });

  test('a header that contradicts all lines is rejected', async () => {
    await expect(read(`fen;result;score\n${FEN};abc;1-0\n`)).rejects.toThrow(/no labelled position/);
  });
});

describe('game numbers in CSV', () => {
  test.each([
    ['fen,result,game', '7', { game: 7 }],
    ['fen,result,game,opening', '7,4294967295', { game: 7, opening: 4294967295 }],
    ['fen,result,opening', '7', {}],
    ['fen,result', '', {}],
    ['fen,result,game', '', {}],
    ['fen,result,game,opening', '7,', { game: 7 }],
  ])('game and opening numbers are read from CSV with the header %s', async (header, fields, expected) => {
    expect(await one(`${FEN},1.0,${fields}`, `${header}\n`)).toEqual({ fen: FEN, result: 1, score: null, ...expected });
  });

  test('the leaf of a label and its evaluation are read from CSV', async () => {
    const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
    const header = 'fen,result,leaf,leaf_score\n';
    const leaf = { fen: START, evaluation: -35 };
    expect(await one(`${FEN},1.0,${START},-35`, header)).toEqual({ fen: FEN, result: 1, score: null, leaf });
    expect(await one(`${FEN},1.0,,`, header)).toEqual({ fen: FEN, result: 1, score: null });
    const { messages } = await read(`${header}${FEN},1.0,8/8,5\n${FEN},1.0,${START},\n${FEN},1.0,${START},12\n`);
    expect(messages).toEqual([expect.stringMatching(/:2: leaf: /), expect.stringMatching(/:3: leaf_score: missing$/)]);
  });

  test('games in CSV may be identified by names', async () => {
    const { positions } = await read(
      ['fen,result,game', ...['Réti', 'Réti', 'R?ti', '-1', '4294967296'].map((name) => `${FEN},1.0,${name}`)].join(
        '\n',
      ),
    );
    const numbers = positions.map(({ game }) => game ?? -1);
    expect(new Set(numbers).size).toBe(4);
    expect(numbers[1]).toBe(numbers[0]);
    expect(numbers.every((number) => number >= 0 && Number.isSafeInteger(number))).toBe(true);
  });

  test('names with the same 32-bit hash have different numbers', async () => {
    const names = ['match 4os1 game 13', 'match d7va game 14'];
    const { positions } = await read(['fen,result,game', ...names.map((name) => `${FEN},1,${name}`)].join('\n'));
    expect(new Set(positions.map(({ game }) => game)).size).toBe(2);
  });

  test('the lines of a game must be adjacent, and a repeated header begins new games', async () => {
    const lines = (games: number[]): string => games.map((game) => `${FEN},1,${game}\n`).join('');
    const header = 'fen,result,game\n';
    await expect(read(header + lines([1, 1, 2, 1]))).rejects.toThrow(
      /:5: game '1' appears again after another one; sort the lines by game$/,
    );
    const { positions } = await read(header + lines([1]) + header + lines([1, 1]));
    const [first, ...others] = positions.map(({ game }) => game);
    expect([new Set(others).size, others.includes(first)]).toEqual([1, false]);
  });
});

async function read(content: string | Uint8Array, settings: ReadSettings = {}) {
  const file = join(folder, 'data');
  writeFileSync(file, content);
  const problems = noProblems();
  const positions: LabelledPosition[] = [];
  for await (const position of readLabelled(file, problems, settings)) positions.push(position);
  expect(problems.count).toBe(problems.messages.length);
  return { positions, messages: problems.messages.map((message) => message.replace(`${folder}/`, '')) };
}

describe('a file', () => {
  test('a file may mix formats; blank lines are skipped and faults reported', async () => {
    const { positions, messages } = await read(
      `\uFEFF${FEN} [1.0]\r\n\r\n# note\r\nnonsense\r\n${FEN} | 7 | 0.5\r\n${FEN} [x]`,
    );
    expect(positions.map(({ line, result, score }) => [line, result, score])).toEqual([
      [1, 1, null],
      [5, 0.5, 7],
    ]);
    expect(messages).toEqual([
      expect.stringMatching(/^data:4: 'nonsense' is not a position/),
      expect.stringMatching(/^data:6: 'x' is not/),
    ]);
  });

  test('a gzipped CSV file may have its columns in any order', async () => {
    const { positions, messages } = await read(gzipSync(`Score,Result,FEN\n31,1.0,${FEN}\n,0.5,${FEN}\n`));
    expect(positions.map(({ fen, result, score, line }) => [fen, result, score, line])).toEqual([
      [FEN, 1, 31, 2],
      [FEN, 0.5, null, 3],
    ]);
    expect(messages).toEqual([]);
  });

  test('a truncated gzip file is read up to the cut and reported', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `${PLACES} ${i} 7 | ${(i * 7919) % 1000} | 1.0`).join('\n');
    const packed = gzipSync(lines);
    const { positions, messages } = await read(packed.subarray(0, packed.length >> 1));
    expect(positions.length).toBeGreaterThan(1000);
    expect(messages.at(-1)).toContain('the gzip file is truncated');
  });

  test('a file without usable positions is rejected with its name and first fault', async () => {
    await expect(read('one\ntwo\n')).rejects.toThrow(UserError);
    await expect(read('one\ntwo\n')).rejects.toThrow(/data: no labelled positions .*data:1: 'one' is not a position/);
    await expect(async () => {
      for await (const _ of readLabelled(join(folder, 'missing'), noProblems()));
    }).rejects.toThrow(/cannot read .*missing/);
  });
});

test('a formatted label is read back', async () => {
  for (const result of [0, 0.5, 1]) {
    const position = { fen: FEN, result, score: -45 };
    expect(await one(formatLabelled(position))).toEqual(position);
  }
  expect(formatLabelled({ fen: FEN, result: 0.5, score: null })).toBe(`${FEN} | 0 | 0.5`);
});
