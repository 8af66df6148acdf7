import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { afterAll, describe, expect, test } from 'vitest';
import { sealedJson } from '../../../selfplay/common/run-files.js';
import { loadWeights } from '../../../selfplay/common/weights.js';
import { boardsOfWeights, framesOf, typicalGame } from '../../../tuner/film/frames.js';
import { renderFilm, scalesOf } from '../../../tuner/film/page.js';
import { loopFolder } from '../../../tuner/generations/folder.js';
import { strengthsOf } from '../../../tuner/generations/strength.js';
import { cpuHoursIn, readTimes, type TimedLoop, timed, totalOf } from '../../../tuner/generations/times.js';
import { writeRun } from '../../support/loop-run.js';

const root = mkdtempSync(join(tmpdir(), 'heft-film-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('typicalGame', () => {
  const games = (...ends: [result: 0 | 1 | 2, plies: number][]) => ends.map(([result, plies]) => ({ result, plies }));

  test('typicalGame returns the first decisive game of median length', () => {
    expect(typicalGame(games([1, 50], [2, 90], [0, 50], [2, 10], [0, 50]))).toBe(2);
    // Of an even number, the shorter of the two in the middle
    expect(typicalGame(games([2, 40], [0, 20], [2, 30], [0, 10]))).toBe(1);
  });

  test('typicalGame returns a draw of median length if there are no decisive games', () => {
    expect(typicalGame(games([1, 30], [1, 10], [1, 20]))).toBe(2);
    expect(typicalGame([])).toBe(-1);
  });
});

test('boardsOfWeights returns a middlegame and an endgame board for each piece', () => {
  const weights = loadWeights('material');
  weights.terms['psqt'][64 + 10] = [7, -8];
  const boards = boardsOfWeights(weights);
  expect(boards.map((board) => board.length)).toEqual(new Array(12).fill(64));
  expect([boards[2][10], boards[3][10]]).toEqual([7, -8]);
});

describe('run times', () => {
  test('the times of a generation are added up over sessions, including failed ones', async () => {
    const run = mkdtempSync(join(root, 'times-'));
    expect(readTimes(run)).toEqual({});
    const work = async (): Promise<string> => {
      const end = performance.now() + 60;
      while (performance.now() < end);
      return 'done';
    };
    expect(await timed(run, 1, work)).toBe('done');
    const first = readTimes(run)[1]!;
    expect(first.wall).toBeGreaterThanOrEqual(0.06);
    const failing = timed(run, 1, () => work().then(() => Promise.reject(new Error('stopped'))));
    await expect(failing).rejects.toThrow('stopped');
    expect(readTimes(run)[1]!.wall).toBeGreaterThanOrEqual(first.wall + 0.06);
    if (process.platform === 'linux') expect(readTimes(run)[1]!.cpu).toBeGreaterThan(first.cpu!);
  });

  test.runIf(process.platform === 'linux')('run times include child processes', async () => {
    const run = mkdtempSync(join(root, 'times-'));
    const burn = ['-e', 'while (process.cpuUsage().user < 300_000);'];
    await timed(run, 1, () => promisify(execFile)(process.execPath, burn));
    expect(readTimes(run)[1]!.cpu).toBeGreaterThanOrEqual(0.3);
  });

  test('cpuHoursIn adds up the CPU hours in several folders, and is null if any are unknown', () => {
    const loop = (cpu: number | null, ...numbers: number[]): TimedLoop => {
      const path = mkdtempSync(join(root, 'hours-'));
      writeFileSync(join(path, 'times.json'), sealedJson({ 1: { wall: 1, cpu: 1800 }, 2: { wall: 1, cpu } }));
      return { path, generations: numbers.map((generation) => ({ generation })) };
    };
    expect(cpuHoursIn([loop(900, 1, 2), loop(450, 2)])).toBe(1.38);
    expect(cpuHoursIn([loop(900, 1, 2), loop(null, 1, 2)])).toBeNull();
    expect(cpuHoursIn([loop(900, 1, 2), { ...loop(900, 1), path: join(root, 'none') }])).toBeNull();
    // The times of earlier generations are lost if their file was damaged or deleted during the loop
    expect(cpuHoursIn([loop(900, 1, 2, 3)])).toBeNull();
  });

  test('the total CPU time is null if the CPU time of any generation is unknown', () => {
    expect(totalOf([])).toEqual({ wall: 0, cpu: 0 });
    expect(
      totalOf([
        { wall: 1, cpu: 2 },
        { wall: 10, cpu: 20 },
      ]),
    ).toEqual({ wall: 11, cpu: 22 });
    expect(
      totalOf([
        { wall: 1, cpu: 2 },
        { wall: 10, cpu: null },
      ]),
    ).toEqual({ wall: 11, cpu: null });
    expect(totalOf([{ wall: 1, cpu: 2 }, undefined])).toBeNull();
  });
});

describe('the film', () => {
  const folder = loopFolder(join(root, 'run'));
  const ledger = writeRun(folder);

  test('the film has a frame for the start and for each generation, with its figures and a game', async () => {
    const frames = await framesOf(ledger, folder, strengthsOf(ledger));
    expect(frames.map(({ verdict, games }) => [verdict, games])).toEqual([
      ['the start', 0],
      ['accepted', 6],
      ['rejected', 12],
      ['undecided', 18],
    ]);
    expect(frames.map(({ player, gain }) => [player, gain?.elo])).toEqual([
      ...[
        ['the start', undefined],
        ['the start', 300],
        ['generation 1', -20],
        ['generation 1', undefined],
      ],
    ]);
    expect(frames.map(({ spent }) => spent)).toEqual([
      ...[{ wall: 0, cpu: 0 }, { wall: 1000, cpu: 2000 }, { wall: 3600, cpu: 7200 }, null],
    ]);
    // Of the games of 20 to 25 plies, with results by seed, the second and fifth are draws
    const [none, ...games] = frames.map(({ game }) => game);
    expect(none).toBeNull();
    expect(games[0]?.title).toBe('Game 3 of 6: 1-0');
    expect(games[0]?.boards).toHaveLength(23);
    expect(games[0]?.moves.slice(0, 2)).toEqual(['start', expect.stringMatching(/^1\. \S+ \([+-]\d+\.\d\d\)$/)]);
  });

  test('the film is one small self-contained file with a valid script', async () => {
    const html = await renderFilm(ledger, folder);
    expect(html.length).toBeLessThan(2 ** 20);
    const [whole, script] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? ['', ''];
    expect(() => new Script(script)).not.toThrow();
    expect(html.replaceAll('http://www.w3.org/', '')).not.toMatch(/https?:|\bsrc=|@import|\burl\((?!#)/);
    expect(html.replace(whole, '')).not.toMatch(/NaN|undefined|\[object/);
    // Four frames, and beside them the shipped weights and the other engine
    expect(html).toContain('data-places="4"');
    expect(html).toContain('data-places="6"');
    for (const text of ['−40 ± 25', '+300 ± 30', '2.00', '1.00 hours elapsed']) expect(html).toContain(text);
  });

  test('the film of thousands of generations has a colour scale for each piece', () => {
    const board = new Array<number>(64).fill(-1);
    const boards = Array.from({ length: 12 }, (_, i) => (i === 3 ? board.with(5, -70) : board));
    const frames = new Array<number[][]>(2000).fill(boards);
    expect(scalesOf(frames)).toEqual([1, 70, 1, 1, 1, 1]);
  });

  test('the film works for a run with missing games and for a run without generations', async () => {
    rmSync(folder.games(2), { recursive: true });
    expect((await framesOf(ledger, folder, strengthsOf(ledger))).map(({ game }) => game === null)).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(await renderFilm(ledger, folder)).toContain('generation 1 against itself');
    const begun = await renderFilm({ ...ledger, generations: [], final: null }, folder);
    expect(begun).toContain('Generation 0: the start');
  });
});
