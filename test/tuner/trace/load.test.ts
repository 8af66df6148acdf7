import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { traceEvaluate } from '../../../engine/eval/kernel.js';
import { dangerValue, scaledEndgame } from '../../../engine/eval/score.js';
import { WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { setWeights } from '../../../engine/eval/weights-in-use.js';
import { loadWeights } from '../../../selfplay/common/weights.js';
import { formatPgn, pgnOfRecord } from '../../../selfplay/records/pgn.js';
import { type GameRecord, replay } from '../../../selfplay/records/record.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import {
  type Dataset,
  datasetHash,
  entryCoefficient,
  entryIndex,
  entryPart,
  positionCount,
} from '../../../tuner/dataset/dataset.js';
import { splitByOpening } from '../../../tuner/dataset/split.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { traceData } from '../../../tuner/trace/load.js';
import { type FilterSettings, RESOLUTIONS } from '../../../tuner/trace/sample.js';
import { toVector } from '../../../tuner/weights/weights-file.js';
import { playGames } from '../../support/games.js';
import { isSlow, slowTest } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-load-'));
afterAll(() => rmSync(folder, { recursive: true }));

const games = playGames(24);
const write = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const shardOf = (records: readonly GameRecord[]): Uint8Array => Buffer.concat(records.map(encodeGame));
const shard = write('games.vf', shardOf(games));

const weights = toVector(HEFT, loadWeights('material')).map((value, i) => value + (i % 13));
const FILTER: FilterSettings = { skipPlies: 0, perGame: 12, resolve: 'none', seed: 1 };
const load = (data: string[], changes: Partial<FilterSettings> = {}, workers = 1) =>
  traceData({ data, filter: { ...FILTER, ...changes }, weights, workers });

/** White's evaluation of a row with the test's weights, tapered as in the engine. */
function evaluationOf(dataset: Dataset, row: number): number {
  const [mg, eg] = [0, WEIGHT_COUNT].map((lane) => {
    const sums = [0, 0, 0, 0, 0];
    for (const entry of dataset.packed.subarray(dataset.offsets[row], dataset.offsets[row + 1])) {
      sums[entryPart(entry)] += entryCoefficient(entry) * weights[lane + entryIndex(entry)];
    }
    const value = sums[0] + dangerValue(sums[1]) - dangerValue(sums[2]);
    return lane === 0 ? value : scaledEndgame(value, sums[value < 0 ? 4 : 3]);
  });
  return Math.trunc((mg * dataset.phase[row] + eg * (24 - dataset.phase[row])) / 24);
}

test('onReading receives only the numbers of games and kept positions', async () => {
  const counts: object[] = [];
  const onReading = (read: object): number => counts.push({ ...read });
  await traceData({ data: [shard], filter: FILTER, weights, workers: 1 }, { onReading });
  expect(Object.keys(counts[0])).toEqual(['games', 'kept']);
});

slowTest('a folder of PGN and EPD files is read in file name order', async () => {
  const mixed = join(folder, 'mixed');
  mkdirSync(mixed);
  const texts = games.slice(0, 8).map((game) => formatPgn(pgnOfRecord(game)));
  const pgn = [write('mixed/a.pgn', texts.slice(0, 4).join('')), write('mixed/b.pgn', texts.slice(4).join(''))];
  const epd = write('mixed/c.epd', 'r3k3/8/8/8/8/8/8/4K2R b K - c9 "1-0";\n');
  write('mixed/notes.md', 'not data');
  const { dataset, files } = await load([mixed]);
  expect(files.map(({ name }) => name)).toEqual(['a.pgn', 'b.pgn', 'c.epd']);
  expect(datasetHash(dataset)).toBe(datasetHash((await load([...pgn, epd])).dataset));
  await expect(load([mixed, epd])).rejects.toThrow('c.epd is given twice');
  mkdirSync(join(folder, 'empty'));
  await expect(load([join(folder, 'empty')])).rejects.toThrow('no manifest.json and no PGN, EPD');
});

/** Returns one of 512 different positions. */
function different(i: number): string {
  const rank = (file: number, piece: string): string => `${file || ''}${piece}${7 - file || ''}`;
  const pieces = [rank(i % 8, 'n'), rank((i >> 3) % 8, 'N'), rank(i >> 6, 'B')];
  return `4k3/pppp4/${pieces.join('/')}/8/PPPP4/4K3 w - - 0 1`;
}

describe('games', () => {
  test('games give the same data with one and three workers, with and without resolving', async () => {
    // A chunk of work ends at the end of its file
    const shards = [0, 8, 16].map((from) => write(`from-${from}.vf`, shardOf(games.slice(from, from + 8))));
    for (const resolve of isSlow ? RESOLUTIONS : (['qsearch'] as const)) {
      const hashes = [];
      for (const workers of [1, 3]) hashes.push(datasetHash((await load(shards, { resolve }, workers)).dataset));
      expect(new Set(hashes).size).toBe(1);
    }
  });

  test('rows of games reproduce the evaluations of the sampled positions, in order', async () => {
    const { dataset, dataSummary } = await load([shard], { perGame: 1000 });
    setWeights(weights.subarray(0, WEIGHT_COUNT), weights.subarray(WEIGHT_COUNT));
    const evaluations = new Map<number, number[]>();
    for (const [index, game] of games.entries()) {
      evaluations.set(index, []);
      replay(game, () => evaluations.get(index)?.push(traceEvaluate()));
    }
    expect(positionCount(dataset)).toBe(dataSummary.kept);
    for (let row = 0; row < positionCount(dataset); row++) {
      const candidates = evaluations.get(dataset.game[row]);
      const at = candidates?.indexOf(evaluationOf(dataset, row)) ?? -1;
      expect(at, `row ${row}`).toBeGreaterThanOrEqual(0);
      candidates?.splice(0, at + 1);
      expect(dataset.result[row]).toBe(games[dataset.game[row]].result);
    }
  });

  test('book moves are not sampled, and recorded scores are kept for White', async () => {
    const movetext = '1. e4 {book} e5 {book} 2. Nf3 {+0.20/9 1s} Nc6 {+0.10/9 1s} 1-0';
    const { dataset, dataSummary } = await load([write('book.pgn', `[Event "x"]\n[Result "1-0"]\n\n${movetext}\n`)]);
    expect([dataSummary.kept, dataSummary.skipped.opening, [...dataset.score]]).toEqual([2, 2, [20, -10]]);
  });

  test('every game and position is counted as used or skipped', async () => {
    const { dataSummary, files } = await load([shard], { maxScore: 300 });
    const left = Object.values(dataSummary.skipped).reduce((sum, count) => sum + count, 0);
    expect(dataSummary.games).toBe(24);
    expect(dataSummary.positions).toBe(games.reduce((sum, { moves }) => sum + moves.length, 0));
    expect(dataSummary.kept + left).toBe(dataSummary.positions);
    expect(dataSummary.whiteWins + dataSummary.draws + dataSummary.blackWins).toBe(24);
    expect(files).toEqual([{ name: 'games.vf', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  });

  test('games of one opening stay on one side of the split', async () => {
    const { dataset } = await load([shard]);
    const { heldOut, heldOutGames } = splitByOpening(dataset, 0.3, 1);
    const sides = Array.from({ length: 12 }, () => new Set<number>());
    dataset.game.forEach((game, row) => {
      sides[game >> 1].add(heldOut[row]);
    });
    expect(heldOutGames).toBeGreaterThan(0);
    expect(Math.max(...sides.map((side) => side.size))).toBe(1);
  });

  test('games with an illegal move are skipped, counted and reported', async () => {
    const broken = games.slice(0, 3).map((game) => ({ ...game, moves: game.moves.slice() }));
    broken[1].moves[7] = broken[1].moves[6];
    const { dataSummary } = await load([write('broken.vf', shardOf(broken))]);
    expect(dataSummary).toMatchObject({ games: 3, bad: 1 });
    expect(dataSummary.skipped.illegal).toBe(broken[1].moves.length);
    expect(dataSummary.examples[0]).toMatch(/broken\.vf: game 2: illegal move .* at ply 8/);
  });
});

describe('labelled positions', () => {
  const FENS = games.slice(0, 6).flatMap(positionsOf);

  test('labelled positions are read, and their faults are counted and reported by line', async () => {
    const lines = FENS.slice(0, 40).map((fen, i) => `${fen} [${['1.0', '0.5', '0.0'][i % 3]}]`);
    lines[4] = 'no chess at all';
    lines[9] = `${FENS[9].replace('k', 'q').replace('K', 'Q')} [1.0]`;
    lines.splice(20, 0, '', '');
    for (const name of ['lines.txt', 'lines.txt.gz']) {
      const text = `${lines.join('\r\n')}\r\n`;
      const { dataSummary, dataset } = await load([write(name, name.endsWith('gz') ? gzipSync(text) : text)]);
      expect(dataSummary.bad).toBe(2);
      expect(dataSummary.examples.join('\n')).toMatch(new RegExp(`${name}:5.*\n.*${name}:10`));
      expect(dataSummary.kept + dataSummary.skipped.inCheck).toBe(38);
      expect(splitByOpening(dataset, 0.2, 1).heldOutGames).toBeGreaterThan(0);
    }
  });

  test('labelled positions with game numbers are grouped by game, in any number of chunks', async () => {
    const quiet = '4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1';
    const inCheck = '4k3/pppp4/8/8/8/8/PPPPr3/4K3 w - - 0 1';
    // The first line of each game is skipped
    const lines = Array.from({ length: 9000 }, (_, i) => [
      i % 9 === 0 ? inCheck : quiet,
      ...['0.5', Math.floor(i / 9), Math.floor(i / 18)],
    ]);
    const csv = write('named.csv', `fen,result,game,opening\n${lines.map((line) => line.join(',')).join('\n')}\n`);
    const { dataset, dataSummary } = await load([csv]);
    expect([dataSummary.games, positionCount(dataset)]).toEqual([1000, 8000]);
    expect([...dataset.opening]).toEqual(Array.from({ length: 1000 }, (_, game) => game >> 1));
    expect([...dataset.game]).toEqual(Array.from({ length: 8000 }, (_, row) => row >> 3));
    const { heldOut, heldOutGames } = splitByOpening(dataset, 0.2, 1);
    expect(heldOut.reduce((sum, held) => sum + held, 0)).toBe(8 * heldOutGames);
  });

  test('lines with an empty game are grouped in blocks, not as one game', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => `${different(i)},0.5,${i < 100 ? 1 : ''}`);
    const { dataset, dataSummary } = await load([write('partly.csv', `fen,result,game\n${rows.join('\n')}\n`)]);
    expect(positionCount(dataset)).toBe(300);
    // The named game, and the lines 102 to 301 in blocks of six
    expect(dataSummary.games).toBe(1 + 34);
    expect(splitByOpening(dataset, 0.2, 1).heldOutGames).toBeGreaterThan(1);
  });

  test('a repeated position belongs to the block of its first occurrence, unless its line names a game', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => `${different(i % 150)},0.5`);
    const { dataset, dataSummary } = await load([write('twice.csv', `fen,result\n${rows.join('\n')}\n`)]);
    expect([dataSummary.games, dataSummary.distinct]).toEqual([25, 150]);
    expect(dataset.game.slice(150)).toEqual(dataset.game.slice(0, 150));
    const named = rows.map((row, i) => `${row},${Math.floor(i / 10)}`);
    const games = await load([write('named.csv', `fen,result,game\n${named.join('\n')}\n`)]);
    expect(games.dataset.game[150]).toBe(15);
  });

  test('games without openings in two files have different openings, even with equal numbers', async () => {
    const files = ['one.csv', 'other.csv'].map((name, file) =>
      write(name, `fen,result,game\n${[1, 2, 3].map((game) => `${different(game + 9 * file)},1,${game}\n`).join('')}`),
    );
    const { dataset } = await load(files);
    expect(new Set(dataset.opening).size).toBe(6);
  });

  test('formats with one and with six lines per position give the same blocks', async () => {
    const fens = Array.from({ length: 300 }, (_, i) => different(i));
    const lines = fens.map((fen) => `${fen} [0.5]\n`).join('');
    const blocks = fens.map((fen, ply) => `fen ${fen}\nmove e1e2\nscore 0\nply ${ply}\nresult 0\ne\n`).join('');
    const [one, six] = [await load([write('one.txt', lines)]), await load([write('six.plain', blocks)])];
    expect([one.dataSummary.games, six.dataSummary.games]).toEqual([50, 50]);
    expect(datasetHash({ ...six.dataset, score: one.dataset.score })).toBe(datasetHash(one.dataset));
  });

  test('labelled positions and games can be mixed, in the given order', async () => {
    const text = write(
      'few.txt',
      FENS.slice(0, 5)
        .map((fen) => `${fen} [1.0]\n`)
        .join(''),
    );
    const mixed = await load([text, shard], { perGame: 3 });
    expect(mixed.files.map(({ name }) => name)).toEqual(['few.txt', 'games.vf']);
    const [few, alone] = [(await load([text])).dataset, (await load([shard], { perGame: 3 })).dataset];
    expect(positionCount(few)).toBe(5);
    expect([...mixed.dataset.phase]).toEqual([...few.phase, ...alone.phase]);
    expect([...mixed.dataset.result]).toEqual([...few.result, ...alone.result]);
  });
});

describe('dead positions', () => {
  const text = write(
    'drawn.txt',
    '8/8/8/4k3/8/8/2K1N3/8 w - - 0 1 [1.0]\n8/8/8/4k3/8/8/2KR4/8 w - - 0 1 [1.0]\n8/8/8/p3k3/8/8/P1KR4/8 w - - 0 1 [1.0]\n',
  );

  test('dead positions are skipped as known endgames', async () => {
    const { dataset, dataSummary } = await load([text]);
    expect([...dataset.result]).toEqual([2]);
    expect(dataSummary.skipped.known).toBe(2);
  });
});

describe('known endgames', () => {
  test('known endgames are skipped for any weights', async () => {
    // A pawn that may promote against a rook, and three pawns against a knight: the known value depends on the side that the weights favour
    const text = write(
      'few.txt',
      '8/8/8/8/5R2/2k5/2p5/7K w - - 0 1 [0.5]\n4k3/ppp5/8/8/8/8/8/4KN2 w - - 0 1 [0.5]\n8/8/8/p3k3/8/8/P1KR4/8 w - - 0 1 [1.0]\n',
    );
    for (const side of [1, -1, 0]) {
      const favoured = weights.map((value) => side * value);
      const { dataSummary } = await traceData({ data: [text], filter: FILTER, weights: favoured, workers: 1 });
      expect(dataSummary.skipped.known, `weights times ${side}`).toBe(2);
    }
  });
});

describe('no usable positions', () => {
  test('data without usable positions are rejected', async () => {
    await expect(load([write('empty.txt', '')])).rejects.toThrow(/no usable position in .*empty\.txt/);
    await expect(load([shard], { skipPlies: 500 })).rejects.toThrow(/no usable position/);
    await expect(load([join(folder, 'none.vf')])).rejects.toThrow(/none\.vf: no such file/);
  });

  test('a file is rejected if it is given twice or together with a copy', async () => {
    await expect(load([shard, shard])).rejects.toThrow(`${shard} is given twice`);
    await expect(load([shard, relative('.', shard)])).rejects.toThrow(/given twice/);
    const copy = write('copy.vf', readFileSync(shard));
    await expect(load([shard, copy])).rejects.toThrow(`${copy} is a copy of ${shard}; leave one of them out`);
  });
});

function positionsOf(game: GameRecord): string[] {
  const fens: string[] = [];
  replay(game, () => fens.push(formatFen()));
  for (const fen of fens) parseFen(fen);
  return fens;
}
