import { beforeEach, describe, expect, test } from 'vitest';
import { parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { makeMove, unmakeMove } from '../../../engine/board/kernel.js';
import { legalMoves, parseUciMove } from '../../../engine/board/rules.js';
import { evaluate, gamePhase, rawScore, traceEvaluate } from '../../../engine/eval/kernel.js';
import { egOf, MAX_PHASE, mgOf, packScore, taper } from '../../../engine/eval/score.js';
import { MATERIAL, PSQT, TEMPO, TERMS, WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { currentWeights, setWeights } from '../../../engine/eval/weights-in-use.js';
import { seedOf } from '../board/walks.js';
import { flipColors, randomPositions, randomWeights } from './positions.js';

const weights = randomWeights(5);
const positions = randomPositions(seedOf('evaluate'), 400);
beforeEach(() => setWeights(weights.mg, weights.eg));

// The engine may return -0, which adding zero turns into 0
const evaluationOf = (fen: string): number => {
  parseFen(fen);
  return evaluate() + 0;
};

describe('evaluate', () => {
  test('evaluate returns the same score when the colours are exchanged', () => {
    const values = new Set<number>();
    for (const fen of [STARTPOS, ...positions]) {
      values.add(evaluationOf(fen));
      expect(evaluationOf(flipColors(fen)), fen).toBe(evaluationOf(fen));
    }
    expect(values.size).toBeGreaterThan(100);
  });

  test('evaluate changes sign with the side to move if the side-to-move terms are zero', () => {
    const { mg, eg } = randomWeights(5);
    for (const { name, offset, size } of TERMS) {
      if (!/^tempo$|ToMove$/.test(name)) continue;
      mg.fill(0, offset, offset + size);
      eg.fill(0, offset, offset + size);
    }
    setWeights(mg, eg);
    const white = '4k3/pp3p2/8/8/2N5/8/PPP5/4K3 w - - 0 1';
    expect(evaluationOf(white)).not.toBe(0);
    expect(evaluationOf(white.replace(' w ', ' b '))).toBe(0 - evaluationOf(white));
  });

  test('evaluate matches a hand calculation of material, psqt and phase', () => {
    const mg = Array(WEIGHT_COUNT).fill(0);
    const eg = Array(WEIGHT_COUNT).fill(0);
    Object.assign(mg, { [MATERIAL]: 80, [MATERIAL + 1]: 310, [TEMPO]: 10 });
    Object.assign(eg, { [MATERIAL]: 120, [MATERIAL + 1]: 290, [TEMPO]: 6 });
    // Pawn on e4, knight on g6 from its own side's view, and a king's square
    mg[PSQT + 28] = 24;
    eg[PSQT + 28] = -8;
    mg[PSQT + 64 + 46] = 40;
    eg[PSQT + 5 * 64 + 4] = 7;
    setWeights(mg, eg);
    parseFen('4k3/8/8/8/4P3/6n1/8/4K3 w - - 0 1');
    // The knight stands on g3: g6 for Black. Both kings stand on their e1
    expect(rawScore()).toEqual({ mg: 80 + 24 - 310 - 40 + 10, eg: 120 - 8 - 290 + 6 });
    expect(gamePhase()).toBe(1);
    expect(traceEvaluate()).toBe(Math.trunc((-236 * 1 + -172 * 23) / 24));
    parseFen('4k3/8/8/8/4P3/6n1/8/4K3 b - - 0 1');
    expect(rawScore()).toEqual({ mg: 80 + 24 - 310 - 40 - 10, eg: 120 - 8 - 290 - 6 });
  });

  test('evaluate is correct after makeMove, unmakeMove and setWeights', () => {
    parseFen('r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1');
    const before = rawScore();
    for (const move of legalMoves()) {
      makeMove(move);
      unmakeMove(move);
      expect(rawScore()).toEqual(before);
    }
    const other = randomWeights(6);
    setWeights(other.mg, other.eg);
    expect(currentWeights()).toEqual(other);
    expect(rawScore()).not.toEqual(before);
    makeMove(parseUciMove('e1g1'));
    const moved = rawScore();
    parseFen('r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 1 1');
    expect(rawScore()).toEqual(moved);
  });
});

test.each([
  [STARTPOS, 24],
  ['4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1', 0],
  ['4k3/8/8/8/8/8/8/NBRQK3 w - - 0 1', 8],
  ['qqqqkqqq/8/8/8/8/8/8/4K3 w - - 0 1', 24],
])('the phase of %s is %i', (fen, phase) => {
  parseFen(fen);
  expect(gamePhase()).toBe(phase);
});

describe('a score', () => {
  const VALUES = [0, 1, -1, 2, -300, 4095, -4096, 9999, -9999, 32000, -32000];

  test('a packed score holds both values, even after a subtraction', () => {
    for (const mg of VALUES) {
      for (const eg of VALUES) {
        expect([mgOf(packScore(mg, eg)), egOf(packScore(mg, eg))]).toEqual([mg, eg]);
        const difference = (packScore(mg >> 1, eg >> 1) - packScore(-700, 500)) | 0;
        expect([mgOf(difference), egOf(difference)]).toEqual([(mg >> 1) + 700, (eg >> 1) - 500]);
      }
    }
  });

  test('a score is tapered by phase and rounded towards zero, symmetrically for both sides', () => {
    expect(MAX_PHASE).toBe(24);
    expect([taper(100, 200, 24), taper(100, 200, 0), taper(100, 200, 12)]).toEqual([100, 200, 150]);
    expect([taper(1, 0, 23), taper(-1, 0, 23), taper(0, 47, 12), taper(0, -47, 12)]).toEqual(
      [0, -0, 23, -23].map((x) => x | 0),
    );
    for (let phase = 0; phase <= 24; phase++) {
      for (const mg of VALUES) {
        for (const eg of VALUES) {
          const value = taper(mg, eg, phase);
          expect(taper(-mg, -eg, phase) + value).toBe(0);
          expect(Math.abs(value - (mg * phase + eg * (24 - phase)) / 24)).toBeLessThan(1);
          expect(Math.abs(value)).toBeLessThanOrEqual(Math.max(Math.abs(mg), Math.abs(eg)));
        }
      }
    }
  });
});
