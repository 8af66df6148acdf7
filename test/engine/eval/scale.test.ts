import { afterEach, describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { rawScore } from '../../../engine/eval/kernel.js';
import { scaledEndgame } from '../../../engine/eval/score.js';
import { TERMS, WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { currentWeights, setWeights } from '../../../engine/eval/weights-in-use.js';
import { seedOf } from '../board/walks.js';
import { countsOf, flipColors, randomPositions, scaleCountsOf } from './positions.js';

const shipped = currentWeights();
afterEach(() => setWeights(shipped.mg, shipped.eg));

const SCALES = TERMS.filter(({ act }) => act === 'factor');
const isScale = (index: number): boolean => SCALES.some(({ offset, size }) => index >= offset && index < offset + size);
const withScales = (values: readonly number[], value: number): number[] =>
  values.map((weight, index) => (isScale(index) ? value : weight));

/** Returns the endgame value of a position before and after scaling. */
function endgames(fen: string): [plain: number, scaled: number] {
  parseFen(fen);
  const { eg } = rawScore();
  setWeights(shipped.mg, withScales(shipped.eg, 0));
  const plain = rawScore().eg;
  setWeights(shipped.mg, shipped.eg);
  return [plain, eg];
}

describe('the endgame', () => {
  test('the endgame is not scaled by zero weights or by middlegame values of scale terms', () => {
    for (let eg = -32000; eg <= 32000; eg++) if (scaledEndgame(eg, 0) + 0 !== eg) expect(scaledEndgame(eg, 0)).toBe(eg);
    const scaled = { mg: withScales(shipped.mg, 900), eg: withScales(shipped.eg, 0) };
    for (const fen of randomPositions(seedOf('scale'), 200)) {
      setWeights(withScales(shipped.mg, 0), scaled.eg);
      parseFen(fen);
      const plain = rawScore();
      setWeights(scaled.mg, scaled.eg);
      expect(rawScore(), fen).toEqual(plain);
    }
  });

  test('only the weights of the side ahead scale the endgame, and the middlegame is not scaled', () => {
    // White has three pawns, Black two
    for (const fen of ['4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1', flipColors('4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1')]) {
      const none = withScales(shipped.eg, 0);
      const from = SCALES[0].offset;
      parseFen(fen);
      setWeights(shipped.mg, none);
      const plain = rawScore();
      setWeights(shipped.mg, none.with(from + 2, 50));
      expect(rawScore()).toEqual(plain);
      setWeights(shipped.mg, none.with(from + 3, -64));
      expect(rawScore()).toEqual({ mg: plain.mg, eg: Math.trunc(plain.eg / 2) });
      setWeights(shipped.mg, none.with(from + 3, -500));
      expect(rawScore().eg + 0).toBe(0);
    }
  });

  test('the endgame scale is symmetric in colour', () => {
    setWeights(
      shipped.mg,
      Array.from({ length: WEIGHT_COUNT }, (_, i) => (isScale(i) ? ((i * 37) % 60) - 40 : shipped.eg[i])),
    );
    for (const fen of randomPositions(seedOf('scale'), 100)) {
      const [white, black] = [fen, flipColors(fen)].map((side) => {
        parseFen(side);
        return rawScore().eg + 0;
      });
      expect(black, fen).toBe(0 - white + 0);
    }
  });
});

describe('the scale', () => {
  test('the endgame scale counts pawns, wings, passed pawns and a three-pawn lead', () => {
    const fen = '4k3/1p6/8/8/8/8/1P3PPP/4K3 w - - 0 1';
    const both = { 'scalePieces 0': 1, 'scaleWays 0': 1 };
    expect(scaleCountsOf(fen, 0)).toEqual({ 'scalePawns 4': 1, ...both, 'scaleWays 1': 1, 'scaleWays 2': 1 });
    expect(scaleCountsOf(fen, 1)).toEqual({ 'scalePawns 1': 1, ...both });
    expect(scaleCountsOf('4k3/7p/8/8/8/8/6PP/4K3 w - - 0 1', 0)).toEqual({ 'scalePawns 2': 1, 'scalePieces 0': 1 });
    expect(countsOf(fen, 'scalePawns')).toEqual({});
  });

  test.each([
    ['4k3/8/8/8/8/8/P7/4KB2', [1]],
    ['r3k3/8/8/8/8/8/P7/4K3', [2]],
    ['r3k3/8/8/8/8/8/P7/4KN2', [3]],
    ['3qk3/8/8/8/8/8/P7/3QK3', [4]],
    ['r2qk3/8/8/8/8/8/P7/3QK3', [6]],
    ['r2qk3/8/8/8/8/8/P7/1N1QK3', [7]],
  ])('the scale classifies the remaining pieces of %s', (board, [pieces]) => {
    expect(scaleCountsOf(`${board} w - - 0 1`, 0)).toMatchObject({ [`scalePieces ${pieces}`]: 1, 'scalePawns 1': 1 });
  });

  test.each([
    ['alone', '2b1k3/8/8/8/8/8/P7/2B1K3', 0],
    ['on the same colour', '4kb2/8/8/8/8/8/P7/2B1K3', null],
    ['one against a pair', '2b1kb2/8/8/8/8/8/P7/2B1K3', null],
    ['one bishop only', '4k3/8/8/8/8/8/P7/2B1K3', null],
    ['with knights', '1nb1k3/8/8/8/8/8/P7/1NB1K3', 1],
    ['with a knight', '2b1k3/8/8/8/8/8/P7/1NB1K3', 1],
    ['with a rook', '1nb1k3/8/8/8/8/8/P7/R1B1K3', 2],
    ['with rooks', 'r1b1k3/8/8/8/8/8/P7/R1B1K3', 2],
    ['with queens', '2bqk3/8/8/8/8/8/P7/2BQK3', 3],
  ])('the scale counts opposite bishops: %s', (_, board, others) => {
    const counts = Object.keys(scaleCountsOf(`${board} w - - 0 1`, 0)).filter((name) =>
      name.startsWith('scaleBishops'),
    );
    expect(counts).toEqual(others === null ? [] : [`scaleBishops ${others}`]);
    expect(scaleCountsOf(flipColors(`${board} w - - 0 1`), 1)).toEqual(scaleCountsOf(`${board} w - - 0 1`, 0));
  });
});

test.each([
  ['a queen against a rook', '3rk3/8/8/8/8/8/8/3QK3', true],
  ['a queen and a pawn against a rook', '3rk3/8/8/8/8/8/4P3/3QK3', true],
  ['two rooks against one', '3rk3/8/8/8/8/8/8/R2RK3', true],
  ['two minor pieces', '4k1n1/8/8/8/8/8/8/1NB1KB2', true],
  ['a rook against a bishop', '3bk3/8/8/8/8/8/8/3RK3', false],
  ['a queen against two rooks', '2rrk3/8/8/8/8/8/8/3QK3', false],
  ['a rook and a knight against a rook', '3rk3/8/8/8/8/8/8/2NRK3', false],
])('a lead is scaled only if it is worth at most a minor piece: %s', (_, board, isMore) => {
  const fen = `${board} w - - 0 1`;
  expect(Object.keys(scaleCountsOf(fen, 0)).length === 0).toBe(isMore);
  expect(Object.keys(scaleCountsOf(fen, 1))).not.toEqual([]);
  expect(scaleCountsOf(flipColors(fen), 1)).toEqual(scaleCountsOf(fen, 0));
});

describe('the shipped scale', () => {
  const factorOf = (board: string): number => {
    const [plain, scaled] = endgames(`${board} w - - 0 1`);
    expect(plain, board).toBeGreaterThan(40);
    return scaled / plain;
  };

  test('the shipped scale values an extra pawn least with opposite bishops, and most without bishops', () => {
    const opposite = factorOf('8/5k2/3b1p2/8/4PP2/3BK3/8/8');
    const like = factorOf('8/5k2/4bp2/8/4PP2/3BK3/8/8');
    const none = factorOf('8/5k2/5p2/8/4PP2/4K3/8/8');
    expect(opposite).toBeLessThan(0.7);
    expect(opposite).toBeLessThan(like - 0.2);
    expect(none).toBeGreaterThan(like + 0.2);
    expect(none).toBeGreaterThan(1);
    // Other pieces reduce the effect
    expect(factorOf('8/r4k2/3b1p2/8/4PP2/3BK3/7R/8')).toBeGreaterThan(opposite);
  });

  test('the shipped scale reduces a lead more with fewer pawns', () => {
    const pawns = SCALES[0];
    const byPawns = shipped.eg.slice(pawns.offset, pawns.offset + pawns.size);
    // Seven and eight pawns are too rare in endgames to differ reliably from six
    expect(byPawns.slice(0, 7)).toEqual(byPawns.slice(0, 7).toSorted((a, b) => a - b));
    expect(Math.min(...byPawns.slice(7))).toBeGreaterThan(byPawns[3]);
    expect(byPawns[0]).toBeLessThan(-30);
    expect(byPawns[8]).toBeGreaterThan(0);
  });

  test('the shipped scale has no middlegame values', () => {
    expect(shipped.mg.filter((value, index) => isScale(index) && value !== 0)).toEqual([]);
  });
});
