import { beforeEach, describe, expect, test } from 'vitest';
import { parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { state } from '../../../engine/board/position.js';
import { endgameValue } from '../../../engine/eval/endgame/endgame.js';
import { evaluate, gamePhase, rawScore, traceEvaluate } from '../../../engine/eval/kernel.js';
import { dangerValue, scaledEndgame, taper } from '../../../engine/eval/score.js';
import { MATERIAL, PSQT, recentre, TEMPO, TERMS, WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { setWeights } from '../../../engine/eval/weights-in-use.js';
import { traceCounts } from '../../../engine/eval/workspace.js';
import { dangerAt } from '../../../tuner/passes/curves.js';
import { seedOf } from '../board/walks.js';
import { randomPositions, randomWeights } from './positions.js';

const weights = randomWeights(7);
const positions = randomPositions(seedOf('trace'), 2000);
/** Positions with features that random games rarely reach. */
const RARE: readonly string[] = [
  '6k1/B7/1p6/8/8/8/8/6K1 w - - 0 1', // a bishop shut in
  '4k3/8/8/8/8/8/6PP/6KR w - - 0 1', // a rook shut in
  '4k3/8/8/8/8/8/P7/RK6 w - - 0 1',
];
/**
 * Weighted sums of the parts of a trace; the value of a phase is the linear part plus White's danger minus Black's, each by the danger
 * curve.
 */
const sumsOf = (counts: ArrayLike<number>, values: ArrayLike<number>): number[] => {
  const sums = [0, 0, 0, 0, 0];
  for (let part = 0; part < 5; part++) {
    let sum = 0;
    for (let i = 0; i < WEIGHT_COUNT; i++) sum += counts[part * WEIGHT_COUNT + i] * values[i];
    sums[part] = sum;
  }
  return sums;
};
const worth = ([linear, white, black]: number[], danger = dangerValue): number =>
  linear + danger(white) - danger(black);
/** The endgame value, scaled by the terms of the side ahead. */
const endgame = (sums: number[]): number => {
  const eg = worth(sums);
  return scaledEndgame(eg, sums[eg < 0 ? 4 : 3]);
};
/** Returns the trace of a position. */
const traceOf = (fen: string): Int32Array => {
  parseFen(fen);
  traceEvaluate();
  return traceCounts.slice();
};

beforeEach(() => setWeights(weights.mg, weights.eg));

describe('the trace', () => {
  test('the trace matches a hand count, White minus Black', () => {
    const counts = traceOf('4k3/8/8/8/4P3/6n1/PP6/4K3 b - - 0 1').slice(0, TEMPO + 1);
    const wanted = new Int32Array(TEMPO + 1);
    wanted[MATERIAL] = 3;
    wanted[MATERIAL + 1] = -1;
    for (const square of [8, 9, 28]) wanted[PSQT + square] = 1;
    wanted[PSQT + 64 + 46] = -1;
    wanted[TEMPO] = -1;
    expect(counts).toEqual(wanted);
    // At the start only the side-to-move term is nonzero
    const start = traceOf(STARTPOS);
    const uneven = Array.from(start.subarray(0, 3 * WEIGHT_COUNT).entries()).filter(([, count]) => count !== 0);
    expect(uneven).toEqual([[TEMPO, 1]]);
    expect(start.subarray(3 * WEIGHT_COUNT, 4 * WEIGHT_COUNT)).toEqual(start.subarray(4 * WEIGHT_COUNT));
  });

  test('every term occurs in the traced positions', () => {
    const met = new Int32Array(WEIGHT_COUNT);
    for (const fen of [...positions, ...RARE]) {
      const counts = traceOf(fen);
      for (let i = 0; i < counts.length; i++) met[i % WEIGHT_COUNT] |= counts[i];
    }
    const unmet = TERMS.filter(({ offset, size }) => met.subarray(offset, offset + size).every((times) => times === 0));
    expect(unmet.map(({ name }) => name)).toEqual([]);
  });

  test('the trace reproduces the evaluation', () => {
    for (const fen of positions) {
      const counts = traceOf(fen);
      const mg = worth(sumsOf(counts, weights.mg));
      const eg = endgame(sumsOf(counts, weights.eg));
      const white = taper(mg, eg, gamePhase());
      expect({ ...rawScore(), white: traceEvaluate(), own: evaluate() + 0 }, fen).toEqual({
        mg,
        eg,
        white,
        own: (state.stm === 0 ? endgameValue(white) : 0 - endgameValue(white)) + 0,
      });
    }
  });

  test('the trace is cleared before each evaluation', () => {
    const once = traceOf(positions[1]);
    traceEvaluate();
    expect(traceCounts).toEqual(once);
  });

  test('each traced count is the change in raw score per unit of weight', () => {
    for (const fen of positions.slice(0, 12)) {
      const counts = traceOf(fen);
      const sums = [sumsOf(counts, weights.mg), sumsOf(counts, weights.eg)];
      for (let i = 0; i < WEIGHT_COUNT; i++) {
        const changed = (phase: number, by: number): number[] =>
          sums[phase].map((sum, part) => sum + by * counts[part * WEIGHT_COUNT + i]);
        const moved = { mg: weights.mg.with(i, weights.mg[i] + 1), eg: weights.eg.with(i, weights.eg[i] - 2) };
        setWeights(moved.mg, moved.eg);
        const { mg, eg } = rawScore();
        const expected = [worth(changed(0, 1)), endgame(changed(1, -2))];
        if (mg !== expected[0] || eg !== expected[1]) expect([mg, eg], `${fen} term ${i}`).toEqual(expected);
      }
      setWeights(weights.mg, weights.eg);
    }
  });
});

describe('recentre', () => {
  const centred = (): { mg: Float64Array; eg: Float64Array } => {
    const mg = Float64Array.from(weights.mg, (value, i) => value + i / 7);
    const eg = Float64Array.from(weights.eg, (value, i) => value - i / 11);
    for (let square = 0; square < 64; square++) {
      // Pawns never stand on these squares, so their weights are zero
      if (square < 8 || square >= 56) mg[PSQT + square] = eg[PSQT + square] = 0;
    }
    return { mg, eg };
  };

  test('recentre does not change any evaluation', () => {
    const before = centred();
    const after = centred();
    recentre(after.mg, after.eg);
    expect(after).not.toEqual(before);
    for (const fen of positions) {
      const counts = traceOf(fen);
      for (const phase of ['mg', 'eg'] as const) {
        const [old, now] = [before, after].map((values) => worth(sumsOf(counts, values[phase]), dangerAt));
        expect(now, fen).toBeCloseTo(old, 6);
      }
    }
  });

  test('recentre gives each table a mean of zero and is idempotent', () => {
    const { mg, eg } = centred();
    recentre(mg, eg);
    for (const values of [mg, eg]) {
      for (let type = 0; type < 6; type++) {
        const table = values.slice(PSQT + 64 * type, PSQT + 64 * type + 64);
        expect(table.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 6);
      }
      for (const square of [0, 7, 56, 63]) expect(values[PSQT + square]).toBe(0);
    }
    const again = { mg: mg.slice(), eg: eg.slice() };
    recentre(again.mg, again.eg);
    again.mg.forEach((value, i) => void expect(value).toBeCloseTo(mg[i], 6));
    again.eg.forEach((value, i) => void expect(value).toBeCloseTo(eg[i], 6));
  });
});

test('the terms fill the weight vector without gaps or overlaps, and have unique names', () => {
  let next = 0;
  for (const { offset, shape, size } of TERMS) {
    expect([offset, size]).toEqual([next, shape.reduce((product, length) => product * length, 1)]);
    next += size;
  }
  expect(next).toBe(WEIGHT_COUNT);
  expect(new Set(TERMS.map(({ name }) => name)).size).toBe(TERMS.length);
});
