import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../engine/kernel/random.js';
import { factorsOf, isSwitch, levelsOf, NODES } from '../../scripts/screening/design.js';
import { effectsOf, type Searched } from '../../scripts/screening/effects.js';
import { slowTest } from '../support/slow.js';

/** From games of Heft against itself. */
const FENS = `
rn1qk2r/pbppbp1p/4pnp1/1B6/5P2/1PN1PN2/P1PP2PP/R1BQ1RK1 w kq - 4 8
2k3r1/1p1r4/p1n1pqB1/2pp1p2/P7/N2PP1QR/1PP2PP1/2K4R b - - 0 24
2kr4/4b1p1/p1b1p3/4P1r1/PpP3R1/1P2B2P/4R1P1/2N3K1 b - - 4 44
8/k6p/8/PP6/8/1K3B2/5b2/8 b - - 8 77
r1bqkbnr/p2p1pp1/n1p1p2p/1p6/4P3/PP3N2/1BPPBPPP/RN1QK2R b KQkq - 1 6
8/5k2/p5p1/B3K2p/PPb1PP2/8/6P1/8 b - - 0 52
8/4k3/3np3/3p3p/p2P3P/4P1PN/1nN2P2/6K1 w - - 2 27
4B3/8/1k2KP2/8/6n1/8/8/8 b - - 2 71
rnbq1bnr/2p1p1pp/pp1pkp2/3Q4/4P3/3P4/PPP2PPP/RNB1KB1R b KQ - 1 9
6k1/2p5/3b4/p2P4/4K3/1P4p1/P3R3/8 b - - 2 47
r1bq1b1r/pp1k1ppp/1nn5/2p1P1P1/2PP3P/P7/1P1P4/RNBQKBNR b KQ - 0 10
1rbqk1nr/3nbpp1/4p2p/p2pP3/2pP3P/2P2N2/P1N1BPPR/R1BQ2K1 b k - 1 14
5k2/5p2/5p2/p5r1/PpB1K3/6P1/2P1N3/8 b - - 4 49
rnb1k2r/1p3p1p/5n2/p2p4/P6R/1PN5/2P1NPP1/R3KB2 w Qkq - 0 14
rnbqkbnr/1p1p1pp1/4p2p/p7/2P1P3/P1P4N/1P3PPP/RNBQKB1R b KQkq - 0 6
2kr3r/pp2bbpp/2n1p3/2p5/2B1N2q/3P1P2/PP4PP/R1BQ1K1R w - - 1 15
r1bqk2r/pp2b1pp/4pp2/2n1P3/1nPN1P2/2N5/P3B1PP/R1BQ1RK1 b kq - 2 15
7n/1Q4b1/4pk2/4p3/p1P1B3/6q1/PP1PP3/n1BK4 w - - 1 30
rnbqk2r/1pp1ppbp/3p2p1/p2P4/8/P1P2P1N/1P1P2PP/RNBQKB1R w KQkq - 0 7
rnb1kbnr/1p3p1p/p2pp3/2p2P2/3P3q/2N5/PPP1PNPP/R1BQKB1R b KQkq - 2 8
r1bqk3/2pp1pp1/1p5n/p6p/3bP3/2NB1P2/PP4PP/R2Q1R1K b q - 1 12
r6k/p4p2/5p1p/3b4/4p3/8/1P3PP1/3R1BK1 w - - 0 36
rn1qkb1r/pp2p1pp/2pp3n/5p2/2b2P1P/NP2P3/P1PP2P1/R1BQK1NR w KQkq - 0 7
1r3rk1/1Bqb2pp/P7/4p3/nQ3p2/1Np1P1P1/2N2P1P/R5K1 b - - 1 30
rnbq1rk1/1pp1bpp1/3p1n1p/p3p3/P3P3/3P1N2/1PPNBPPP/R1BQ1RK1 b - - 6 8
r7/8/2n1kp2/2Pppb1p/1p5n/4P3/P2B1NPK/R3R3 b - - 1 37
rnbqk2r/pp2ppb1/5n2/2pp2p1/P5p1/3P1P1P/RPP1PN2/1NBQKB1R w Kkq - 0 9
8/8/5q1P/8/5k2/8/4Q3/7K w - - 73 104
rnbqk2r/2ppbpp1/1p2pn1p/p7/3P4/4P3/PPP1BPPP/RNBQK1NR b KQkq - 4 7
r4r2/1p2n2R/p1b2k2/2p2pN1/P1B2P2/2N3P1/1PP5/2K5 b - - 0 27
r1b1kb1r/ppp1pppp/2n1qn2/3p4/3P1B2/P1P2P2/1P2P1PP/RN1QKBNR b KQkq - 1 7
8/8/8/8/4Bp2/4b1k1/4K2p/8 b - - 59 139
r2r1nk1/p1np2p1/b1pNppq1/2P4P/QP6/P3P2P/1B1R1PB1/3R2K1 b - - 0 28
2kr3r/pppn1p1p/3q1n2/1P1p1b2/3Q1P2/2N5/P1P1PPBP/2KR3R b - - 6 13
rnb1kbnr/p3pppp/2p5/3p4/Pp1P1qP1/5N1P/1PPNPP2/R1BQKB1R w KQkq - 0 7
1r1q1r2/2pppn1k/6n1/N2P1p1p/1PP2P2/1Q4BP/1P2PP2/R4RK1 b - - 0 21
8/7k/7P/4K3/3p4/8/p2r4/2R5 w - - 0 52
r1bq1bnr/p1p1pkpp/n4p2/1Q1p4/1P2P3/P6P/2PP1PP1/RNB1KBNR b KQ - 0 6
r3kb1r/ppqbppp1/2pp1n1p/7P/Q1PP4/2N5/PP2PPB1/R1B1K1NR w KQkq - 4 11
5k2/8/1p1pP3/2pP1p1p/2P1r3/1P2PKP1/1P1B4/8 w - - 4 37
`;

const folder = mkdtempSync(join(tmpdir(), 'heft-screening-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the design', () => {
  const factors = factorsOf(['rfpMargin', 'lmrDepth'], 1000, 2);

  test('the nodes double, and parameters stay within their ranges', () => {
    const [nodes, rfpMargin, lmrDepth] = factors;
    expect(nodes).toMatchObject({ name: NODES, low: 707, high: 1414 });
    expect(rfpMargin).toMatchObject({ name: 'rfpMargin', low: 34, value: 50, high: 66 });
    expect(lmrDepth).toMatchObject({ low: 2, value: 3, high: 5, near: 0 });
  });

  test('levels are balanced, independent of each other and the same for the same seed', () => {
    const rows = Array.from({ length: 4000 }, (_, round) => levelsOf(factors, 7, round % 50, round));
    for (const [a, b] of [
      [0, 1],
      [1, 2],
      [0, 2],
    ]) {
      expect(Math.abs(rows.reduce((sum, row) => sum + row[a], 0))).toBeLessThan(120);
      expect(Math.abs(rows.reduce((sum, row) => sum + row[a] * row[b], 0))).toBeLessThan(60);
    }
    expect(levelsOf(factors, 7, 3, 5)).toEqual(levelsOf(factors, 7, 3, 5));
    expect(rows.some((row, i) => row.some((level, k) => level !== levelsOf(factors, 8, i % 50, i)[k]))).toBe(true);
  });

  test('a switch is on in a quarter of the searches', () => {
    const trial = { name: 'trial', low: 0, value: 0, high: 1, near: 0 };
    expect(isSwitch(trial)).toBe(true);
    const on = Array.from({ length: 4000 }, (_, round) => levelsOf([trial], 1, 0, round)[0]);
    expect(on.reduce((sum, level) => sum + level, 0) / 4000).toBeCloseTo(0.25, 1);
  });
});

test('effects are found in searches that depend on their levels, in doublings of nodes', () => {
  const factors = factorsOf(['rfpMargin', 'qsMoves', 'seDepth'], 1000, 1);
  const random = createRandom(5);
  const noise = (): number => random() / 0x100000000 - 0.5;
  // Centipawns of error: 40, less 10 for a doubling, plus 10 for a high rfpMargin, and as much less for a high seDepth
  const searches: Searched[] = Array.from({ length: 200 }, (_, position) => ({
    position,
    references: [
      [1, 0],
      [1, 0],
    ],
    rounds: new Map(
      Array.from({ length: 40 }, (_, round) => {
        const [nodes, rfpMargin, , seDepth] = levelsOf(factors, 3, position, round);
        const score = Math.round(40 - 10 * nodes + 10 * rfpMargin - 10 * seDepth + 20 * noise());
        return [round, [noise() < 0.1 * nodes ? 1 : 2, score]];
      }),
    ),
  }));
  const [score, move] = effectsOf(searches, factors, 3);
  const found = score?.map(({ effect }) => effect) ?? [];
  for (const [at, effect] of [1, -1, 0, 1].entries()) expect(found[at]).toBeCloseTo(effect, 1);
  const [, ...others] = move ?? [];
  for (const { effect, error } of others) expect(Math.abs(effect) / error).toBeLessThan(3.5);
});

test('no scale without a visible effect of the nodes', () => {
  const searched: Searched = {
    position: 0,
    references: [[1, 0]],
    rounds: new Map([10, 20, 0, 5, 9, 8].map((score, round) => [round, [1, score]])),
  };
  expect(effectsOf([searched], factorsOf(['rfpMargin'], 1000, 1), 1)).toEqual([null, null]);
});

describe('the command', () => {
  const program = fileURLToPath(new URL('../../dist/scripts/screening/main.js', import.meta.url));
  const positions = join(folder, 'positions.fen');
  writeFileSync(positions, FENS.trimStart());
  const screening = (...words: string[]) =>
    spawnSync(process.execPath, [program, '--positions', positions, ...words], { encoding: 'utf8' });
  const run = (out: string, rounds: string, ...words: string[]) => {
    const fixed = ['--nodes', '1000', '--reference-nodes', '10000', '--step', '100', '--hash', '1'];
    return screening('--out', join(folder, out), '--rounds', rounds, '--only', 'lmrDepth', ...fixed, ...words);
  };

  slowTest('a search without late move reductions is worse; a continued run gives the same file and table', () => {
    const whole = run('whole', '30');
    expect(whole.stderr).not.toContain('error');
    const [, effect, error] = /\| lmrDepth \| 2, 3, 103 \|.*\| (-\d+) ± (\d+) \|\n$/.exec(whole.stdout) ?? [];
    expect(Number(effect)).toBeLessThan(-Number(error));
    run('parts', '10');
    const file = join(folder, 'parts', 'games.jsonl');
    appendFileSync(file, '[17');
    expect(run('parts', '30', '--workers', '1').stdout).toBe(whole.stdout);
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(folder, 'whole', 'games.jsonl'), 'utf8'));
  });

  slowTest('another run in the folder, a damaged line and an unknown name are refused', () => {
    run('other', '2', '--count', '4');
    expect(run('other', '2', '--count', '4', '--seed', '2').stderr).toContain('holds a screening with seed 1 (now 2)');
    const file = join(folder, 'other', 'games.jsonl');
    appendFileSync(file, '{"index":1,"answer":[1,2],"checksum":"0123456789abcdef"}\n');
    expect(run('other', '2', '--count', '4').stderr).toMatch(/games\.jsonl:\d+: damaged line/);
    expect(screening('--only', 'lmrdepth').stderr).toContain('no search parameter is called lmrdepth');
  });
});
