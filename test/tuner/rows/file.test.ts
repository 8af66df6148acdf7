import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { projectFile } from '../../../selfplay/common/program.js';
import { datasetHash, entryCoefficient, entryIndex } from '../../../tuner/dataset/dataset.js';
import { checkColumns } from '../../../tuner/fit/data.js';
import { tune } from '../../../tuner/fit/tune.js';
import { DEFAULTS, type TuneSettings } from '../../../tuner/fit/tune-settings.js';
import { evaluations, expectations } from '../../../tuner/objective/loss.js';
import { Objective } from '../../../tuner/objective/objective.js';
import { rowsFiles } from '../../../tuner/rows/file.js';
import type { Producer } from '../../../tuner/rows/producer.js';
import { occurrencesOf } from '../../../tuner/study/standard-errors.js';
import { occurrenceWarnings, occurTogether } from '../../../tuner/study/together.js';
import { toVector } from '../../../tuner/weights/weights-file.js';
import { runHere } from '../../support/program.js';

const MAIN = fileURLToPath(projectFile('dist/tuner/commands/tune-main.js'));
const folder = mkdtempSync(join(tmpdir(), 'heft-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TERMS = [
  {
    name: 'material',
    label: 'material',
    family: 'material',
    shape: [2],
    weights: [
      [100, 120],
      [300, 310],
    ],
  },
  {
    name: 'mobility',
    shape: [3],
    orders: ['steps'],
    weights: [
      [-10, -20],
      [0, 0],
      [10, 15],
    ],
  },
  { name: 'tempo', weights: [12] },
];
const header = (changes: object = {}): string =>
  JSON.stringify({ format: 'heft-rows', version: 1, engine: 'Test 1.0', terms: TERMS, ...changes });
const HEADER = header();
const COLUMNS = 'result\tgame\tphase\trow';
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

let files = 0;
function fileOf(content: string | Buffer): string {
  const file = join(folder, `rows-${files++}.tsv`);
  writeFileSync(file, content);
  return file;
}
const text = (...lines: string[]): string => `${lines.join('\n')}\n`;
const load = async (...names: string[]) => {
  const producer = await rowsFiles(names);
  const start = toVector(producer.model, producer.weights('given'));
  return { producer, start, loaded: await producer.load(start, {}) };
};

describe('a file of rows', () => {
  const all = 'row\tfen\tresult\teval\tgame\topening\tphase\tscale\trest\tscore';
  const lines = [
    `0:1 4:-1\t${START}\t1\t69\tg1\te4\t12\t0.5\t-2.5\t33`,
    `1:-2 5:1\t${START}\t1-0\t-588\tg1\te4\t24\t1\t0\t-`,
    `\t8/8/8/4k3/8/4K3/8/8 b - - 0 1\t0.5\t0\tg2\te4\t0\t1\t0\t0`,
  ];

  test('columns may be in any order, and evaluations are computed from coefficients, phase, scale and rest', async () => {
    const { producer, start, loaded } = await load(fileOf(text(HEADER, all, ...lines)));
    const { dataset, dataSummary } = loaded;
    expect([...dataset.packed].map((entry) => [entryIndex(entry), entryCoefficient(entry)])).toEqual([
      ...[
        [0, 1],
        [4, -1],
        [1, -2],
        [5, 1],
      ],
    ]);
    expect([...dataset.result, ...dataset.game]).toEqual([2, 2, 1, 0, 0, 1]);
    expect(dataset.opening[0]).toBe(dataset.opening[1]);
    // (90 · 12 + 0.5 · 105 · 12) / 24 − 2.5
    expect([...evaluations(dataset, start)]).toEqual([68.75, -588, 0]);
    expect(dataSummary).toMatchObject({ games: 2, kept: 3, whiteWins: 1, draws: 1, distinct: 2, repeated: 1 });
    expect(producer.model.terms.map(({ title, isUntapered }) => [title, isUntapered])).toEqual([
      ...[
        ['material', undefined],
        ['mobility', undefined],
        ['tempo', true],
      ],
    ]);
    expect(await producer.positions(loaded, [2], start, {})).toEqual(new Map([[2, '8/8/8/4k3/8/4K3/8/8 b - - 0 1']]));
  });

  test('the objective uses rest, scale and fractional phases', async () => {
    const more = Array.from({ length: 40 }, (_, i) =>
      [i % 2, `g${i}`, (i * 0.6).toFixed(1), i / 40, i - 20, `${i % 3}:${(i % 5) - 2} 4:${(i % 2) + 1}`].join('\t'),
    );
    const { loaded, start } = await load(fileOf(text(HEADER, 'result\tgame\tphase\tscale\trest\trow', ...more)));
    const { dataset } = loaded;
    expect(() => checkColumns({ ...DEFAULTS, rescale: 2 }, loaded, { samples: false } as Producer)).toThrow(
      '--rescale cannot scale the column rest',
    );
    const objective = new Objective(dataset, new Uint8Array(40), { terms: 6, workers: 1 });
    try {
      const gradient = new Float64Array(12);
      const { train } = await objective.evaluate(start, 2, gradient);
      const meanLoss = (weights: Float64Array): number =>
        expectations(evaluations(dataset, weights), 2).reduce(
          (sum, p, row) => sum + (p - dataset.result[row] / 2) ** 2,
          0,
        ) / 40;
      expect(train).toBeCloseTo(meanLoss(start), 12);
      gradient.forEach((slope, i) => {
        const moved = [1, -1].map((by) => meanLoss(start.with(i, start[i] + by)));
        expect(slope).toBeCloseTo((moved[0] - moved[1]) / 2, 6);
      });
    } finally {
      await objective.close();
    }
  });

  test('gzipped files, CRLF, comments, blank lines and several files are read', async () => {
    const plain = text(HEADER, COLUMNS, '1\ta\t24\t0:1', '0\tb\t3.5\t2:-1 4:1');
    const other = text(HEADER, COLUMNS, '# a comment', '', '0.5\ta\t0\t0:0').replaceAll('\n', '\r\n');
    const { loaded } = await load(fileOf(gzipSync(plain)), fileOf(other.replace(/^(.*)\r\n/, '$1\n')));
    expect(loaded.dataset.game).toEqual(Uint32Array.of(0, 1, 2));
    expect([...loaded.dataset.phase]).toEqual([24, 3.5, 0]);
    expect(loaded.dataSummary.lines).toMatchObject({ lines: 9, blank: 1, comments: 1, headers: 4 });
    expect(loaded.chunkRows).toEqual([2, 1]);
  });

  test('rows can be read from more files than a process can open at once', () => {
    const many = Array.from({ length: 200 }, () => fileOf(row('1\ta\t12\t0:1')));
    many.push(fileOf(text(header({ engine: 'Other 1.0' }), COLUMNS)));
    const script = 'ulimit -n 100 && exec "$@"';
    const run = spawnSync('sh', ['-c', script, 'sh', process.execPath, MAIN, '--rows', ...many], { encoding: 'utf8' });
    expect(run.stderr).toMatch(/its first line differs from that of/);
  });

  test('rows without a game column are grouped into blocks of neighbours', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i % 2}\t12\t0:1`);
    const { loaded } = await load(fileOf(text(HEADER, 'result\tphase\trow', ...rows)));
    expect(loaded.dataset.opening).toHaveLength(50);
  });

  test('a file without a game column gets its own blocks if another file has that column', async () => {
    const named = fileOf(text(HEADER, COLUMNS, '1\ta\t24\t0:1', '1\ta\t24\t0:1', '0\tb\t24\t0:1'));
    const unnamed = fileOf(text(HEADER, 'result\tphase\trow', ...Array(200).fill('1\t12\t0:1')));
    const alone = (await load(named)).loaded.dataset;
    const { game, opening } = (await load(named, unnamed)).loaded.dataset;
    expect(opening).toHaveLength(2 + 50);
    expect([...opening.slice(0, 2)]).toEqual([...alone.opening]);
    expect([game[0], game[1], game[2], game[3], game[6], game[7], game[202]]).toEqual([0, 0, 1, 2, 2, 3, 51]);
  });

  test('the same rows at another path give the same data', async () => {
    const rows = (...names: string[]): string => text(HEADER, COLUMNS, ...names.map((name) => `1\t${name}\t24\t0:1`));
    const contents = [rows('a', 'b'), rows('a', 'c')];
    const [here, there] = await Promise.all([0, 1].map(() => load(...contents.map(fileOf))));
    expect(datasetHash(there.loaded.dataset)).toBe(datasetHash(here.loaded.dataset));
    expect(new Set(here.loaded.dataset.opening).size).toBe(4);
  });

  test('the start weights may be "given", "material", "zero" or a weights file', async () => {
    const { producer } = await load(fileOf(text(HEADER, COLUMNS, '1\ta\t24\t0:1')));
    expect(producer.weights('material').terms).toMatchObject({
      material: [
        [100, 120],
        [300, 310],
      ],
      tempo: [[0, 0]],
    });
    expect(producer.weights('zero').terms['material']).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const terms = {
      material: [
        [1, 2],
        [3, 4],
      ],
      mobility: [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      tempo: [5],
    };
    for (const mark of ['', '\ufeff'])
      expect(producer.weights(fileOf(mark + JSON.stringify({ terms }))).terms).toEqual({ ...terms, tempo: [[5, 5]] });
    expect(() => producer.weights('shipped')).toThrow(
      'no such weights: shipped; the choices are given, material, zero or',
    );
    expect(() => producer.weights(fileOf('{"terms":{}}'))).toThrow('term "material" is not a list of 2 values');
    expect(() => producer.weights(fileOf('{"terms":{"old":[1]}}'))).toThrow('the header has no term "old"');
    const twice = '{"terms":{"material":[1, 2],"material":[3, 4]}}';
    expect(() => producer.weights(fileOf(twice))).toThrow('the term "material" occurs twice');
    expect(() => producer.weights(fileOf('{"terms":{"material":[1, 1000000]}}'))).toThrow('has values beyond ±30000');
    const tapered = fileOf(JSON.stringify({ terms: { ...terms, tempo: [[5, 9]] } }));
    expect(() => producer.weights(tapered)).toThrow('term "tempo" has different values for the phases, but the header');
  });
});

const row = (line: string, columns = COLUMNS): string => text(HEADER, columns, line);
const term = (changes: object): string => text(header({ terms: [{ ...TERMS[0], ...changes }] }), COLUMNS, '1\ta\t1\t');
const whole = gzipSync(
  text(HEADER, COLUMNS, ...Array.from({ length: 500 }, (_, i) => `1\tg${i}\t${i % 25}\t0:1 1:-1`)),
);

/** Name, content, reported line, and message: the fault followed by the remedy. */
const MALFORMED: [name: string, content: string | Buffer, line: number | null, message: RegExp][] = [
  ['nothing', '', null, /is empty; it must begin/],
  ['text that is not JSON', text('result\tphase\trow', '1\t2\t0:1'), 1, /not a JSON object; print/],
  ['a JSON list', text('[]', COLUMNS), 1, /not a JSON object; print/],
  ['another format', text(header({ format: 'rows' }), COLUMNS), 1, /"format" is "rows"; it must be "heft-rows"/],
  ['another version', text(header({ version: 2 }), COLUMNS), 1, /"version" is 2; this program reads version 1/],
  ['no engine', text(header({ engine: 7 }), COLUMNS), 1, /"engine" must be the name/],
  ['no terms', text(header({ terms: [] }), COLUMNS), 1, /"terms" must be a list of at least one/],
  ['a term that is a string', text(header({ terms: ['tempo'] }), COLUMNS), 1, /term 1: not an object such as/],
  ['a name with a space', term({ name: 'my term' }), 1, /term "my term": "name" must consist of letters/],
  [
    'a duplicate name',
    text(header({ terms: [TERMS[0], TERMS[0]] }), COLUMNS),
    1,
    /"material": another term has this name/,
  ],
  ['an unknown field', term({ weigths: [] }), 1, /"weigths" is not a field of a term; the fields are/],
  ['a shape of size 0', term({ shape: [0] }), 1, /"shape" must be a list of whole numbers above 0/],
  ['an unknown order', term({ orders: ['ranks'] }), 1, /"orders" must be a list of any of kinds, steps/],
  ['too many orders', term({ orders: ['kinds', 'steps'] }), 1, /2 entries for 1 dimensions; give one for each/],
  ['a board of 2 squares', term({ orders: ['squares'] }), 1, /squares has 64 places, not 2; use/],
  ['no weights', term({ weights: undefined }), 1, /"weights" is missing; give its 2 start values/],
  ['too few weights', term({ weights: [[1, 2]] }), 1, /"weights" has 1 entries, but the shape has 2/],
  [
    'weights that are not numbers',
    term({
      weights: [
        [1, 2],
        [1, 'x'],
      ],
    }),
    1,
    /entry 1: \[1,"x"\] is not \[mg, eg\]/,
  ],
  ['tapered and untapered weights', term({ weights: [[1, 2], 3] }), 1, /entry 1: 3 is not \[mg, eg\]/],
  ['a weight of NaN', term({}).replace('[300,310]', '[NaN,310]'), 1, /not a JSON object/],
  ['too many weights', term({ shape: [5000], weights: Array(5000).fill(1) }), 1, /reaches 5000; the maximum is 4096/],
  ['no columns', text(HEADER), null, /the second line, the names of the columns, is missing; print/],
  [
    'an unknown column',
    row('1\ta\t1\t', 'result\tgame\tphase\tcoefficients'),
    2,
    /unknown column "coeff.*the columns are/,
  ],
  ['columns separated by spaces', row('1\ta\t1\t', 'result game phase row'), 2, /unknown column.*separated by tabs/],
  ['a duplicate column', row('1\ta\t1\t1', 'result\tphase\tphase\trow'), 2, /phase is named twice; remove one/],
  ['a missing column', row('a\t1\t', 'game\tphase\trow'), 2, /the column result is missing; add it/],
  [
    'openings without games',
    row('1\te4\t1\t', 'result\topening\tphase\trow'),
    2,
    /the column opening needs the column game; add it/,
  ],
  ['no rows', text(HEADER, COLUMNS), null, /there are no rows after the header; print one/],
  ['too few columns', row('1\ta\t12'), 3, /3 of 4 columns \(row missing\); print them all/],
  ['too many columns', row('1\ta\t12\t0:1\t5'), 3, /more than 4 columns; name them all/],
  ['a result of 2', row('2\ta\t12\t0:1'), 3, /result "2"; it must be 1, 0.5 or 0 for White/],
  ['a result of NaN', row('nan\ta\t12\t0:1'), 3, /result "nan"; it must be/],
  [
    'mixed results',
    text(HEADER, COLUMNS, '1\ta\t12\t0:1', '0\ta\t11\t0:1'),
    4,
    /a different result on line 3; a game has one/,
  ],
  [
    'a game in two places',
    text(HEADER, COLUMNS, '1\ta\t1\t', '1\tb\t1\t', '1\ta\t1\t'),
    5,
    /game a appears again.*keep/,
  ],
  ['an empty game', row('1\t\t12\t0:1'), 3, /the game is empty; give the same name/],
  ['a phase of NaN', row('1\ta\tNaN\t0:1'), 3, /phase "NaN" is not a number/],
  ['a phase of 25', row('1\ta\t25\t0:1'), 3, /phase 25; it must be from 24 .* to 0/],
  ['a rest of inf', row('1\t1\tinf\t0:1', 'result\tphase\trest\trow'), 3, /rest "inf" is not a number/],
  [
    'a scale of 128',
    row('1\t1\t128\t0:1', 'result\tphase\tscale\trow'),
    3,
    /scale 128; it must be the factor of the endgame score, from 0 to 4 \(1: no scaling\)/,
  ],
  ['a score of a mate', row('1\t1\t#3\t0:1', 'result\tphase\tscore\trow'), 3, /score "#3"; it must be centipawns/],
  [
    'a rest out of range',
    row('1\t1\t1e9\t0:1', 'result\tphase\trest\trow'),
    3,
    /rest 1e9; it must be centipawns .* ±32000/,
  ],
  ['a fen of two ranks', row('1\t1\t8/8 w\t0:1', 'result\tphase\tfen\trow'), 3, /fen "8\/8 w"; it must be/],
  ['UTF-16', Buffer.from(`\ufeff${row('1\ta\t1\t')}`, 'utf16le'), 1, /not a JSON object; print/],
  ['a comment before the header', `# rows\n${row('1\ta\t1\t')}`, 1, /not a JSON object; print/],
  [
    'a game whose name begins like a comment',
    text(HEADER, 'game\tresult\tphase\trow', 'a\t1\t24\t0:1', '# a comment', '#1\t1\t24\t0:1'),
    5,
    /a line with all columns begins with #, like a comment; delete it, or put another column before game/,
  ],
  ['a second header', row('1\ta\t1\t') + row('1\tb\t1\t'), 4, /1 of 4 columns/],
  ['a decimal comma', row('1,0\ta\t1\t'), 3, /result "1,0"; it must be 1, 0.5 or 0/],
  ['lines that end in CR', row('1\ta\t1\t').replaceAll('\n', '\r'), 1, /the last line has no newline/],
  ['a wrong checksum', Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)]), null, /truncated or damaged/],
  ['an invalid fen', row('1\t1\te2e4\t0:1', 'result\tphase\tfen\trow'), 3, /fen "e2e4"; it must be/],
  ['an index out of range', row('1\ta\t12\t0:1 6:1'), 3, /index 6; the terms of the header have indices 0 to 5/],
  ['a negative index', row('1\ta\t12\t-1:1'), 3, /row entry "-1:1" is not index:count/],
  ['a missing count', row('1\ta\t12\t0:1 3'), 3, /row entry "3" is not index:count/],
  ['a fraction', row('1\ta\t12\t0:0.5'), 3, /row entry "0:0.5" is not index:count .* put fractions into rest/],
  ['a count out of range', row('1\ta\t12\t2:-300'), 3, /mobility, 0 counts -300; the limit is ±255/],
  ['a duplicate index', row('1\ta\t12\t4:1 4:1'), 3, /index 4 \(mobility, 2\) occurs twice; add/],
  [
    'an evaluation that differs from the row',
    row('1\t24\t250\t0:2', 'result\tphase\teval\trow'),
    3,
    /eval is 250, but the row gives 200.00/,
  ],
  ['a truncated last line', row('1\ta\t12\t0:1').slice(0, -2), 3, /the last line has no newline, .* write it again/],
  [
    'a truncated gzip file',
    whole.subarray(0, whole.length - 300),
    null,
    /the compressed file is truncated or damaged .* write it again/,
  ],
  [
    'a damaged gzip file',
    Buffer.concat([whole.subarray(0, 200), Buffer.alloc(9, 255), whole.subarray(209)]),
    null,
    /truncated or damaged/,
  ],
  ['a zip file', Buffer.from('PK\u0003\u0004 and other bytes\nmore\n'), null, /is a zip archive; run: unzip/],
];

test.each(MALFORMED)(
  'a malformed file is rejected with a one-line error that names file, line and remedy: %s',
  async (_, content, line, message) => {
    const file = fileOf(content);
    const error = await load(file).then(
      () => new Error('nothing was found wrong'),
      (thrown: Error) => thrown,
    );
    expect(error.message).not.toContain('\n');
    expect(error.message).toMatch(message);
    expect(error.message.startsWith(line === null ? file : `${file}:${line}: `)).toBe(true);
  },
);

test('byte-order marks, CRLF, bytes after a gzip stream and term names such as __proto__ are accepted', async () => {
  const terms = [
    { name: '__proto__', weights: [1] },
    { name: 'constructor', weights: [[2, 3]] },
  ];
  const lines = text(header({ terms }), COLUMNS, '1\ta\t1\t0:1 1:1', '0\tb\t2\t1:-1');
  for (const content of [
    `\ufeff${lines.replaceAll('\n', '\r\n')}`,
    Buffer.concat([gzipSync(lines), Buffer.alloc(99)]),
  ]) {
    const { loaded, start } = await load(fileOf(content));
    expect([[...loaded.dataset.result], loaded.dataset.offsets.length, [...start]]).toEqual([[2, 0], 3, [1, 2, 1, 3]]);
  }
});

test('rows with different terms and missing files are rejected', async () => {
  const one = fileOf(row('1\ta\t12\t0:1'));
  const two = fileOf(text(header({ engine: 'Test 1.1' }), COLUMNS, '1\ta\t12\t0:1'));
  await expect(load(one, two)).rejects.toThrow(`${two}:1: its first line differs from that of ${one}`);
  await expect(load(one, one)).rejects.toThrow('given twice');
  const link = join(folder, 'link.tsv');
  symlinkSync(one, link);
  await expect(load(one, link)).rejects.toThrow(`${link} is given twice`);
  await expect(load(folder)).rejects.toThrow(`--rows ${folder} is not a file; write the rows to a file first`);
  await expect(load(join(folder, 'missing.tsv'))).rejects.toThrow(`cannot read ${join(folder, 'missing.tsv')}`);
});

test('methods and targets that the rows do not support are rejected', async () => {
  const file = fileOf(text(HEADER, COLUMNS, '1\ta\t12\t0:1', '0\tb\t12\t0:-1'));
  const producer = await rowsFiles([file]);
  const refused = (changes: Partial<Omit<TuneSettings, 'data'>>) =>
    tune({ ...DEFAULTS, data: [], rows: [file], ...changes }, {}, null, producer);
  await expect(refused({ method: 'local' })).rejects.toThrow('moves one value at a time, but tempo is untapered');
  await expect(refused({ blend: 0.5 })).rejects.toThrow('--blend needs a score column');
  const unscored = { ...DEFAULTS, data: [fileOf(text(`${START} [1.0]`, `${START} [0.0]`))], workers: 1, blend: 0.5 };
  await expect(tune(unscored)).rejects.toThrow('--blend needs scores; label the positions (tune label), or omit');
  await expect(refused({ repeats: 'once' })).rejects.toThrow('--repeats once needs a fen column');
  await expect(refused({ freeze: ['psqt'] })).rejects.toThrow('no such term; the terms are material, mobility, tempo');
});

test('tune compare rejects every method that the rows do not support', async () => {
  const file = fileOf(text(HEADER, COLUMNS, '1\ta\t12\t0:1', '0\tb\t12\t0:-1'));
  const outcome = await runHere(MAIN, ['compare', '--rows', file, '--methods', 'adam', 'local'], folder);
  expect(outcome.code).toBe(2);
  expect(outcome.stderr).toContain('--method local moves one value at a time, but tempo is untapered');
});

test('tune exits with 1 for an invalid file, and with 2 for invalid options', async () => {
  const file = fileOf(row('1\ta\t25\t0:1'));
  const run = (...args: string[]) => runHere(MAIN, ['--rows', file, ...args], folder);
  const [wrong, both, none] = await Promise.all([run(), run('--per-game', '3'), runHere(MAIN, [], folder)]);
  expect(wrong).toMatchObject({
    code: 1,
    stderr: `error: ${file}:3: phase 25; it must be from 24 (all pieces) to 0\n`,
  });
  expect([both.code, none.code]).toEqual([2, 2]);
  expect(none.stderr).toContain('--data (games) or --rows (rows of another engine) is missing');
});

test('terms that never occur or always occur together are reported', async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `${i % 2}\tg${i}\t12\t0:${(i % 5) - 2} 2:${i % 3} 3:${2 * (i % 3)} 4:${(i % 7) - 3}`,
  );
  const { loaded, producer } = await load(fileOf(text(HEADER, COLUMNS, ...rows)));
  const everyRow = new Float64Array(60).fill(1);
  const together = occurTogether(loaded.dataset, everyRow, 6);
  expect(together).toEqual([[2, 3]]);
  const { positions } = occurrencesOf(loaded.dataset, everyRow, 6);
  expect(occurrenceWarnings(producer.model, positions, together)).toEqual([
    'never occur: material (1 of 2); tempo; they are not fitted',
    'always occur together: mobility, 0; mobility, 1; only a weighted sum of their values can be determined',
  ]);
});
