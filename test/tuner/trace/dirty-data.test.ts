// Imperfect data: every fault is skipped, counted, and reported by file and line.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { formatFen } from '../../../engine/board/fen.js';
import { loadWeights } from '../../../selfplay/common/weights.js';
import { type GameRecord, replay } from '../../../selfplay/records/record.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { positionCount } from '../../../tuner/dataset/dataset.js';
import { findRepeats, firstOnSide } from '../../../tuner/dataset/repeats.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { targetsOf } from '../../../tuner/objective/targets.js';
import { type DataSummary, formatSummary } from '../../../tuner/trace/data-summary.js';
import { traceData } from '../../../tuner/trace/load.js';
import type { FilterSettings } from '../../../tuner/trace/sample.js';
import { toVector } from '../../../tuner/weights/weights-file.js';
import { playGames } from '../../support/games.js';
import { someOf } from '../../support/slow.js';
import { synthetic } from '../../support/synthetic.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-dirty-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const weights = toVector(HEFT, loadWeights('material'));
const FILTER: FilterSettings = { skipPlies: 0, perGame: 999, resolve: 'none', seed: 1 };
const load = (...data: string[]) => traceData({ data, filter: FILTER, weights, workers: 1 });

const games = playGames(6, 5);
const FENS = games.flatMap((game) => {
  const fens: string[] = [];
  replay(game, () => fens.push(formatFen()));
  return fens;
});
const skippedBy = ({ skipped }: DataSummary): number => Object.values(skipped).reduce((sum, count) => sum + count, 0);

/** Checks that every line is a used or excluded position, a fault, a blank line, a comment or a header. A truncated line does not count. */
function expectAccounted(dataSummary: DataSummary, halves = 0): void {
  const { lines, blank, comments, headers } = dataSummary.lines;
  const faults = dataSummary.bad - dataSummary.skipped.illegal - halves;
  expect(dataSummary.kept + skippedBy(dataSummary) + faults + blank + comments + headers).toBe(lines);
}

const [BLANK, SPACES, NOTE] = ['', '  \t', '# a note'];
const NO_KINGS = `${FENS[40].replace('k', 'q').replace('K', 'Q')} [1.0]`;
const CAPTURABLE = '4k3/8/8/8/8/8/4R3/4K3 w - - 0 1 [1.0]';
const DIRTY = [
  ...FENS.slice(0, 30).map((fen, i) => `${fen} [${['1.0', '0.5', '0.0'][i % 3]}]`),
  BLANK,
  SPACES,
  NOTE,
  NO_KINGS,
  CAPTURABLE,
  `${FENS[41]} [7.0]`,
  `${FENS[42]} [0.25]`,
  `${FENS[43]}`,
  `${FENS[0]} [1.0]`,
  `${FENS[0]} [0.0]`,
  'complete nonsense',
];

describe('a file with every kind of fault', () => {
  const forms: [string, string, (text: string) => string | Uint8Array][] = [
    ['\n', 'lines.txt', (text: string) => text],
    ['\r\n', 'lines.crlf.txt', (text: string) => `\uFEFF${text}`],
    ['\n', 'lines.txt.gz', (text: string) => gzipSync(text)],
  ];
  test.each(someOf(forms))(
    'a file with every kind of fault is read to the end, and its faults are reported by line: line ending %j, %s',
    async (end, name, pack) => {
      const { dataSummary, dataset } = await load(write(name, pack(DIRTY.join(end))));
      expectAccounted(dataSummary);
      expect(dataSummary.lines).toEqual({ lines: DIRTY.length, blank: 2, comments: 1, headers: 0 });
      const at = (line: string): string => `${name}:${DIRTY.indexOf(line) + 1}:`;
      const named = dataSummary.examples.join('\n');
      for (const line of [NO_KINGS, CAPTURABLE, DIRTY[35], DIRTY[36], DIRTY[37], 'complete nonsense'])
        expect(named).toContain(at(line));
      expect(dataSummary.bad).toBe(6);
      expect(dataSummary.skipped.illegal).toBe(1);
      expect(dataSummary.repeated).toBe(1);
      expect(dataSummary.contradicting).toBe(1);
      expect(dataSummary.kept - dataSummary.distinct).toBe(2);
      expect(dataSummary.contradictions).toEqual([
        expect.stringContaining(`${name}:40: a different result from ${join(folder, name)}:1`),
      ]);
      expect(positionCount(dataset)).toBe(dataSummary.kept);
      expect(formatSummary(dataSummary)).toMatch(/lines +41, including 2 blank, 1 comment, 0 headers/);
    },
  );

  test('a truncated gzip file yields its complete lines and reports the truncated one', async () => {
    const lines = Array.from({ length: 4000 }, (_, i) => `${FENS[i % FENS.length]} | ${(i * 7919) % 997} | 0.5`);
    const packed = gzipSync(lines.join('\n'));
    const { dataSummary } = await load(write('cut.txt.gz', packed.subarray(0, packed.length >> 1)));
    expectAccounted(dataSummary, 1);
    expect(dataSummary.positions).toBeGreaterThan(500);
    expect(dataSummary.positions).toBeLessThan(4000);
    expect(dataSummary.bad).toBe(1);
    expect(dataSummary.examples[0]).toContain(`cut.txt.gz:${dataSummary.lines.lines + 1}: the gzip file is truncated`);
    expect([dataSummary.whiteWins, dataSummary.blackWins]).toEqual([0, 0]);
  });
});

test("an unfinished block of Stockfish's plain text counts as a line", async () => {
  const block = (fen: string): string => `fen ${fen}\nscore 1\nresult 0\ne\n`;
  const text = `${FENS.slice(0, 9).map(block).join('')}${block(FENS[9]).slice(0, -2)}`;
  const { dataSummary } = await load(write('cut.plain', text));
  expect([dataSummary.positions, dataSummary.bad, dataSummary.lines.lines]).toEqual([9, 1, 10]);
  expectAccounted(dataSummary);
});

describe('the data summary', () => {
  const shard = write('games.vf', Buffer.concat(games.map(encodeGame)));

  test('the data summary counts game lengths, and phase, men and material of the used positions', async () => {
    const { dataSummary } = await load(shard);
    const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0);
    expect(sum(dataSummary.lengths)).toBe(6);
    for (const counts of [dataSummary.phases, dataSummary.men, dataSummary.balance])
      expect(sum(counts)).toBe(dataSummary.kept);
    expect(dataSummary.men[32]).toBeGreaterThan(0);
    expect(dataSummary.balance[5]).toBeGreaterThan(0);
  });

  test("the data summary bins the material balance from White's point of view", async () => {
    const fens = ['4k3/ppp5/8/8/8/8/PPPP4/4K3 w - - 0 1 [1.0]', '4k3/pppp4/8/8/8/8/P7/4K3 w - - 0 1 [0.0]'];
    const { dataSummary } = await load(write('ahead.txt', fens.join('\n')));
    expect(dataSummary.balance).toEqual([0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]);
    expect([dataSummary.men[7], dataSummary.men[9], dataSummary.phases[0]]).toEqual([1, 1, 2]);
  });

  test('the data summary reports contradictions between games by their number', async () => {
    const twin: GameRecord = { ...games[0], result: games[0].result === 2 ? 0 : 2 };
    const { dataSummary } = await load(write('twins.vf', Buffer.concat([games[0], twin].map(encodeGame))));
    expect(dataSummary.contradicting).toBeGreaterThan(0);
    expect(dataSummary.contradictions[0]).toMatch(/twins\.vf: game 2 of the data: a different result from .*game 1/);
  });
});

describe('findRepeats', () => {
  test('findRepeats distinguishes keys with the same low word', () => {
    const keys = Uint32Array.from([7, 1, 7, 2, 7, 1, 7, 2, 7, 3]);
    const { first, ...counts } = findRepeats(keys, Uint8Array.from([0, 1, 0, 2, 1]));
    expect([...first]).toEqual([0, 1, 0, 1, 4]);
    expect(counts).toEqual({ distinct: 3, repeated: 2, contradicting: 1, examples: [{ row: 3, first: 1 }] });
  });

  test('findRepeats lists the first ten contradictions', () => {
    const keys = Uint32Array.from({ length: 48 }, (_, i) => (i % 2 === 0 ? 1 + (i >> 2) : 0));
    const { contradicting, examples } = findRepeats(
      keys,
      Uint8Array.from({ length: 24 }, (_, row) => 2 * (row % 2)),
    );
    expect([contradicting, examples.length, examples[0]]).toEqual([12, 10, { row: 1, first: 0 }]);
  });
});

describe('repeats counted once', () => {
  const { dataset } = synthetic(6, 3, 1.5);
  dataset.result.set([2, 0, 2, 1, 0, 2]);
  const settings = { blend: 0, repeats: 'once' } as const;

  test('repeats share the weight of one position and their mean result', () => {
    const targets = targetsOf(dataset, settings, Uint32Array.from([0, 0, 0, 3, 3, 5]));
    const third = Math.fround(2 / 3);
    expect([...(targets?.target ?? [])]).toEqual([third, third, third, 0.25, 0.25, 1]);
    expect([...(targets?.weight ?? [])]).toEqual([2 / 3, 2 / 3, 2 / 3, 1, 1, 2].map(Math.fround));
  });

  test('repeats on different sides of the split are not counted together', () => {
    const sides = Uint8Array.from([0, 1, 0, 1, 1, 0]);
    expect([...firstOnSide(Uint32Array.from([0, 0, 0, 0, 0, 5]), sides)]).toEqual([0, 1, 0, 1, 1, 5]);
    const thirds = Uint8Array.from([0, 1, 2, 1, 2, 2]);
    expect([...firstOnSide(new Uint32Array(6), thirds)]).toEqual([0, 1, 2, 1, 2, 2]);
  });
});
