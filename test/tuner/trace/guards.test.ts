import { beforeEach, describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { makeMove } from '../../../engine/board/kernel.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { QUEEN } from '../../../engine/board/types.js';
import { gamePhase, rawScore, traceEvaluate } from '../../../engine/eval/kernel.js';
import { WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { setWeights } from '../../../engine/eval/weights-in-use.js';
import { traceCounts } from '../../../engine/eval/workspace.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { weightLabel } from '../../../tuner/model/names.js';
import { probeFault, rebuildFault } from '../../../tuner/trace/guards.js';

const random = createRandom(11);
const weights = Float64Array.from({ length: 2 * WEIGHT_COUNT }, () => randomBelow(random, 401) - 200);
// A large queen value, so that a wrong count does not change the side that is ahead in the endgame
for (const phase of [0, WEIGHT_COUNT]) weights[phase + QUEEN] = 4000;
const FENS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1',
  '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
  '4k3/PPP5/8/8/8/8/6pp/4K3 b - - 0 1',
];

beforeEach(() => setWeights(weights.subarray(0, WEIGHT_COUNT), weights.subarray(WEIGHT_COUNT)));

describe('the evaluation and its trace', () => {
  test('the evaluation and its trace agree in every position of random games from several starts', () => {
    for (const fen of FENS) {
      parseFen(fen);
      for (let ply = 0; ply < 60; ply++) {
        const evaluation = traceEvaluate();
        expect(rebuildFault(traceCounts, weights, gamePhase(), evaluation), `${fen} after ${ply} plies`).toBeNull();
        const moves = legalMoves();
        if (moves.length === 0) break;
        makeMove(moves[randomBelow(random, moves.length)]);
      }
    }
  });

  test.each(FENS)('each weight changes the evaluation by its traced count in %s', (fen) => {
    parseFen(fen);
    const before = { ...rawScore() };
    traceEvaluate();
    const counts = traceCounts.slice();
    expect(probeFault(counts, weights, { setWeights, rawScore })).toBeNull();
    expect(rawScore(), 'the weights are as before').toEqual(before);
  });
});

describe('the guards', () => {
  const traced = (): Int32Array => {
    parseFen(FENS[1].replace('ppqp', 'pp1p'));
    traceEvaluate();
    return traceCounts.slice();
  };

  test.each([0, 1, 5, 200, WEIGHT_COUNT - 1])('the guards detect an error in term %i', (term) => {
    const counts = traced();
    counts[term] += 1;
    expect(probeFault(counts, weights, { setWeights, rawScore })).toContain(weightLabel(HEFT, term));
    counts[term] += 1;
    expect(rebuildFault(counts, weights, gamePhase(), traceEvaluate())).toMatch(/the trace gives .* \(largest term/);
  });

  test('the guards detect exchanged sides', () => {
    const counts = traced().map((count) => -count);
    expect(rebuildFault(counts, weights, gamePhase(), traceEvaluate())).not.toBeNull();
  });
});
