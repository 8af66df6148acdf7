// Claims of a fit, and data that are too few for one.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { formatFen } from '../../../engine/board/fen.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { projectFile } from '../../../selfplay/common/program.js';
import { loadWeights, weightsHash } from '../../../selfplay/common/weights.js';
import { replay } from '../../../selfplay/records/record.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { claimOf, type ResultShares, resultsOf } from '../../../tuner/fit/claim.js';
import { type Gain, gainOf, gamesNeeded, isClear, observationsIn } from '../../../tuner/fit/gain.js';
import { knownDeviations } from '../../../tuner/fit/problem.js';
import { tune } from '../../../tuner/fit/tune.js';
import { DEFAULTS } from '../../../tuner/fit/tune-settings.js';
import { endOfRange, isAtEnd } from '../../../tuner/objective/fit-k.js';
import { playGames } from '../../support/games.js';
import { runProgram } from '../../support/program.js';
import { slowTest } from '../../support/slow.js';

const MIXED: ResultShares = { won: 0.4, drawn: 0.2, lost: 0.4 };
const gain = (mean: number, error: number | null, observations = 400, optimism = 0.002): Gain => ({
  mean,
  error,
  observations,
  optimism,
});
const basis = (changes: Partial<Parameters<typeof claimOf>[0]> = {}) => ({
  gain: gain(0.01, 0.001),
  heldOut: gain(0.009, 0.003, 40, 0),
  trainGames: 400,
  games: 440,
  results: MIXED,
  usesResultsOnly: true,
  isResolvedAnew: false,
  certainty: 2,
  ...changes,
});

/** Rows of games with their openings. Every position counts once. */
const rows = (openings: number[], rowsOfGame: number[]) => ({
  dataset: { game: Uint32Array.from(rowsOfGame), opening: Uint32Array.from(openings) },
  positionWeights: new Float64Array(rowsOfGame.length).fill(1),
});
const gainOver = (openings: number[], game: number[], falls: number[], same?: number[]): Gain =>
  gainOf(
    Float64Array.from(falls),
    rows(openings, game) as unknown as Parameters<typeof gainOf>[1],
    undefined,
    same && Uint32Array.from(same),
  );

describe('a gain', () => {
  slowTest('observations are counted correctly beyond 2^24 positions', () => {
    const count = 2 ** 24 + 1;
    const dataset = { game: new Uint32Array(count), opening: Uint32Array.of(7, 8) };
    dataset.game[0] = 1;
    const observed = { dataset, positionWeights: new Float64Array(count).fill(1) };
    expect(observationsIn(observed as unknown as Parameters<typeof gainOf>[1])).toBe(2);
  });

  test('a gain has the standard error of a mean over openings, with n − 1 degrees of freedom', () => {
    const { mean, error, observations } = gainOver([1, 2, 3], [0, 1, 2], [1, 2, 6]);
    expect([mean, observations]).toEqual([3, 3]);
    // The variance of 1, 2 and 6 is 7
    expect(error).toBeCloseTo(Math.sqrt(7 / 3), 12);
  });

  test('games with the same opening or the same positions count as one observation', () => {
    expect(gainOver([1, 1, 2, 2], [0, 1, 2, 3], [1, 1, 3, 3]).observations).toBe(2);
    const shared = gainOver([1, 2, 3, 4], [0, 1, 2, 3], [1, 2, 1, 2], [0, 1, 0, 1]);
    expect(shared.observations).toBe(2);
    expect(shared.error).toBeCloseTo(0.5, 12);
  });

  test('a gain excludes the optimism but includes its uncertainty in the error', () => {
    const of = rows([1, 2, 3], [0, 1, 2]) as unknown as Parameters<typeof gainOf>[1];
    const { mean, error, optimism } = gainOf(Float64Array.of(1, 2, 6), of, { optimism: 0.5, optimismError: 2 });
    expect([mean, optimism]).toEqual([2.5, 0.5]);
    expect(error).toBeCloseTo(Math.sqrt(7 / 3 + 4), 12);
  });

  test('a gain from one game has no standard error, and a gain from few observations is not clear', () => {
    const one = gainOver([1], [0, 0], [0.1, 0.2]);
    expect(one.error).toBeNull();
    expect(isClear(one, 0.1)).toBe(false);
    expect(isClear(gain(1, 1e-9, 29), 2)).toBe(false);
    expect(isClear(gain(1, 1e-9, 30), 2)).toBe(true);
  });

  test('gamesNeeded estimates the number of games at which a gain becomes clear', () => {
    // The limit is 0.001 and the noise 0.003 / r: 0.001 r − 0.003 = 0.0004 √r at r = 3.78
    expect(gamesNeeded(gain(-0.002, 0.0004, 100, 0.006), 100)).toBe(400);
    expect(gamesNeeded(gain(-0.003, 0.0004, 100, 0.006), 100)).toBeNull();
    expect(gamesNeeded(gain(-0.0025, 0.0004, 100, 0.006), 100)).toBe(900);
  });
});

describe('a claim', () => {
  test('a claim of a clear gain states its error and the change in the held-out error', () => {
    expect(claimOf(basis())).toEqual({
      isProven: true,
      text: 'expected gain on other games 0.01000 ± 0.00100; held-out error falls by 0.00900 ± 0.00300',
    });
  });

  test.each<[string, Parameters<typeof basis>[0], RegExp]>([
    [
      'few games',
      { gain: gain(0.2, 0.01, 12), trainGames: 12, games: 13 },
      /^undecided, weights unchanged, about 40 games are needed: 12 training games are too few for a standard error$/,
    ],
    [
      'few openings',
      { gain: gain(0.2, 0.01, 8) },
      /about 2,000 games are needed: 400 training games \(8 independent\) are too few/,
    ],
    [
      'few openings and no gain',
      { gain: gain(-0.002, 0.001, 18, 0.001), trainGames: 3600, games: 4000 },
      /about 7,000 games are needed: 3,600 training games \(18 independent\) are too few/,
    ],
    [
      'few openings and most games held out',
      { gain: gain(-0.002, 0.001, 29, 0.001), trainGames: 400, games: 1000 },
      /about 2,000 games are needed: 400 training games/,
    ],
    [
      'a gain within its errors',
      { gain: gain(0.0015, 0.001) },
      /about \d+ games are needed: the expected gain .* 0.00150 ± 0.00100, is not significant$/,
    ],
    [
      'wins only',
      { results: { won: 1, drawn: 0, lost: 0 } },
      /games with more varied results are needed: all training games were won by White$/,
    ],
    ['mostly draws', { results: { won: 0.01, drawn: 0.96, lost: 0.03 } }, /96\.0 % of the training games were drawn$/],
    [
      'a worse held-out error',
      { heldOut: gain(-0.005, 0.004, 40, 0) },
      /the held-out error rises by 0.00500 ± 0.00400$/,
    ],
  ])('a fit with %s is undecided, with the reason', (_, changes, text) => {
    const claim = claimOf(basis(changes));
    expect(claim.isProven).toBe(false);
    expect(claim.text).toMatch(text);
    expect(claim.text).toMatch(/^undecided, weights unchanged, .* needed: /);
    // Without a test the fitted weights are kept
    expect(claimOf(basis({ ...changes, certainty: 0 })).isProven).toBe(true);
  });

  test('a claim states whether positions were resolved with the new weights', () => {
    const { text } = claimOf(basis({ isResolvedAnew: true }));
    expect(text).toMatch(/falls by 0\.00900 ± 0\.00300 \(on positions resolved with the new weights\)$/);
    expect(claimOf(basis({ isResolvedAnew: true, heldOut: null })).text).toMatch(
      /^expected gain on other games 0\.01000 ± 0\.00100 \(on positions/,
    );
    expect(claimOf(basis({ isResolvedAnew: true, gain: gain(0.0015, 0.001) })).text).toMatch(
      /0\.00150 ± 0\.00100 \(on positions resolved with the new weights\), is not significant$/,
    );
  });

  test('a fit is kept despite a small rise in the held-out error, and despite one-sided results if it uses scores', () => {
    expect(claimOf(basis({ heldOut: gain(-0.003, 0.004, 40, 0) })).isProven).toBe(true);
    expect(claimOf(basis({ results: { won: 1, drawn: 0, lost: 0 }, usesResultsOnly: false })).isProven).toBe(true);
  });

  test('resultsOf counts each training game once', () => {
    const game = Uint32Array.of(0, 0, 0, 1, 2, 3);
    const result = Uint8Array.of(2, 2, 2, 0, 1, 2);
    expect(resultsOf({ game, result }, Uint8Array.of(0, 0, 0, 0, 0, 1))).toEqual({
      won: 1 / 3,
      drawn: 1 / 3,
      lost: 1 / 3,
    });
  });

  test('resultsOf counts all results of a block of lines without games', () => {
    const game = Uint32Array.of(0, 0, 0, 0, 1, 1);
    const result = Uint8Array.of(2, 1, 2, 0, 2, 0);
    expect(resultsOf({ game, result }, new Uint8Array(6))).toEqual({ won: 0.5, drawn: 0.125, lost: 0.375 });
  });

  test('a K at either end of its range is reported', () => {
    expect([0.2501, 0.3, 2, 9.5, 9.9999].map(isAtEnd)).toEqual([true, false, false, false, true]);
    expect(endOfRange(9.9999)).toMatch(/^K 10\.00 is at an end of its range \(0\.25 to 10\): /);
  });
});

test('knownDeviations returns the valid deviations in the provenance of the start weights', () => {
  const families = {
    'mobility, curvature': [0.5, 12],
    'mobility, mirror': [-1, 2],
    'passed, distance': 'x',
    odd: [null],
  };
  const start = { ...loadWeights('material'), provenance: { families } };
  expect([...knownDeviations(start)]).toEqual([['mobility, curvature', 0.5]]);
  expect([...knownDeviations({ ...start, provenance: { families: null } })]).toEqual([]);
});

describe('tune with little data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heft-claim-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const OPEN = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3';
  const CLOSED = '8/8/4k3/8/8/4K3/4P3/8 w - - 5 60';
  const lines = (count: number, result: string): string =>
    Array.from({ length: count }, (_, i) => `${i % 2 === 0 ? OPEN : CLOSED} [${result}]\n`).join('');
  writeFileSync(join(folder, 'one.txt'), lines(1, '1.0'));
  writeFileSync(join(folder, 'won.txt'), lines(40, '1.0'));
  // One game per opening
  const games = playGames(80, 2).filter((_, index) => index % 2 === 0);
  writeFileSync(join(folder, 'drawn.vf'), Buffer.concat(games.map((game) => encodeGame({ ...game, result: 1 }))));
  writeFileSync(join(folder, 'few.vf'), Buffer.concat(games.slice(0, 13).map(encodeGame)));
  const OTHERS = 'games with more varied results are needed: ';

  test.each([
    [
      'one.txt',
      `about 40 ${OTHERS}1 training game is too few for a standard error; all training games were won by White`,
    ],
    [
      'won.txt',
      // Two different positions
      `about 40 ${OTHERS}1 training game is too few for a standard error; all training games were won by White`,
    ],
    ['drawn.vf', 'games with more varied results are needed: all training games were drawn'],
    ['few.vf', 'about 40 games are needed: NN training games are too few for a standard error'],
  ])('tune on %s leaves the weights unchanged and gives the reason', async (file, reason) => {
    const { claim, gain, before, weights } = await tune({
      ...DEFAULTS,
      data: [join(folder, file)],
      start: 'material',
      workers: 1,
      only: ['material', 'tempo', 'bishopPair'],
    });
    expect(claim?.isProven).toBe(false);
    const text = claim?.text.replace(/\b\d\d(?= training)/, 'NN');
    // Few held-out games can also show a loss
    const loss = '(; the held-out error rises by [\\d.]+ ± [\\d.]+)?';
    expect(text).toMatch(new RegExp(`^undecided, weights unchanged, ${reason}${loss}$`));
    expect(gain?.error === null).toBe(file !== 'drawn.vf');
    expect(weightsHash(weights)).toBe(weightsHash(before));
  });

  test('copies of the same games or positions are no further evidence', async () => {
    const only = { ...DEFAULTS, start: 'material', workers: 1, only: ['material', 'tempo', 'bishopPair', 'psqt'] };
    const shuffled = join(folder, 'shuffled.vf');
    writeFileSync(join(folder, 'ordered.vf'), Buffer.concat(games.map(encodeGame)));
    writeFileSync(shuffled, Buffer.concat(games.toReversed().map(encodeGame)));
    const played = await tune({ ...only, data: [join(folder, 'ordered.vf')] });
    const twice = await tune({ ...only, data: [join(folder, 'ordered.vf'), shuffled] });
    expect(twice.gain?.observations).toBe(played.gain?.observations);
    expect(twice.gain?.mean).toBeCloseTo(played.gain?.mean as number, 2);
    expect([played, twice].map(({ claim }) => claim?.isProven)).toEqual([false, false]);

    const fens = new Set<string>();
    for (const game of games) replay(game, () => fens.add(formatFen()), 0);
    const random = createRandom(3);
    const once = [...fens].map((fen) => `${fen} [${['1.0', '0.5', '0.0'][randomBelow(random, 3)]}]\n`).join('');
    const claims = [1, 10].map(async (copies) => {
      const file = join(folder, `${copies}.txt`);
      writeFileSync(file, once.repeat(copies));
      return (await tune({ ...only, start: 'zero', data: [file] })).claim?.isProven;
    });
    expect(await Promise.all(claims)).toEqual([false, false]);
  });

  test('tune on one position prints which data are needed, and the report states the claim', async () => {
    const program = fileURLToPath(projectFile('dist/tuner/commands/tune-main.js'));
    const { code, stdout } = await runProgram(program, ['--data', 'one.txt', '--out', 'one', '--workers', '1'], folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^K +10\.0000 \(at an end of its range\)$/m);
    expect(stdout).toMatch(
      /^not kept {9}undecided, weights unchanged, about 40 games with more varied results are needed/m,
    );
    expect(stdout).toContain('no study: standard errors require at least 30 games from different openings');
    expect(stdout).not.toMatch(/expected gain|NaN/);
    const report = readFileSync(join(folder, 'one/report.html'), 'utf8');
    expect(report).toContain('1 game: undecided, weights unchanged');
  });
});
