import { beforeAll, describe, expect, it } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { gamePhase } from '../../../engine/eval/evaluate.js';
import { TEMPO, TERM_COUNT } from '../../../engine/eval/terms.js';
import { enableTracing, traceCounts } from '../../../engine/eval/trace.js';
import { traceEvaluate } from '../../../engine/eval/traced.js';
import { setWeights } from '../../../engine/eval/weights-in-use.js';
import { createRandom } from '../../../engine/kernel/random.js';
import { loadWeights } from '../../../selfplay/common/weights.js';
import { replay } from '../../../selfplay/records/record.js';
import { joinParts, PartBuilder } from '../../../tuner/dataset/dataset.js';
import { derivativesAt, gradientOf, observe } from '../../../tuner/objective/observations.js';
import { evaluations, expectations } from '../../../tuner/objective/prediction.js';
import { certaintyOf } from '../../../tuner/study/certainty.js';
import { missingKnowledge } from '../../../tuner/study/missing.js';
import { countKnowledge, KNOWLEDGE } from '../../../tuner/trace/knowledge.js';
import { addSight, emptySight, Seer } from '../../../tuner/trace/sight.js';
import { toVector } from '../../../tuner/weights/weights-file.js';
import { playGames } from '../../support/games.js';

type Feature = (typeof KNOWLEDGE)[number];
const counts = new Float64Array(KNOWLEDGE.length);

function counted(fen: string, evaluation = 0): Partial<Record<Feature, number>> {
  parseFen(fen);
  countKnowledge(counts, evaluation);
  const entries = KNOWLEDGE.map((name, i): [Feature, number] => [name, counts[i]]);
  return Object.fromEntries(entries.filter(([, count]) => count !== 0));
}

describe('countKnowledge', () => {
  it.each<[string, string, number, Partial<Record<Feature, number>>]>([
    [
      'a passed, isolated, doubled pair',
      '4k3/8/8/8/P7/8/P7/4K3 w - - 0 1',
      0,
      { 'passed pawns': 1, 'doubled pawns': 1, 'isolated pawns': 2 },
    ],
    [
      'a far passed pawn that is blocked',
      '4k3/1n6/1P6/8/8/8/8/4K3 w - - 0 1',
      0,
      { 'passed pawns on ranks 5 to 7': 1, 'passed pawns with a piece in front': 1 },
    ],
    ['a bishop pair', '4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1', 0, { 'bishop pair': 1, 'bishop mobility': 14 }],
    [
      'a rook on an open file, one on a half-open',
      '4k3/7p/8/8/8/8/8/R3K2R w - - 0 1',
      0,
      { 'rooks on open files': 1, 'rooks on half-open files': 1 },
    ],
    ['a rook on the seventh', '6k1/R7/8/8/8/8/8/6K1 w - - 0 1', 0, { 'rooks on the seventh rank': 1 }],
    [
      'a defended knight no pawn can chase',
      '4k3/8/8/3N4/4P3/8/8/4K3 w - - 0 1',
      0,
      { 'knights on outposts': 1, 'knight mobility': 8 },
    ],
    ['a shelter of three', '6k1/8/8/8/8/8/5PPP/6K1 w - - 0 1', 0, { 'pawns sheltering the king': 3 }],
    [
      'a queen that a pawn attacks',
      '4k3/8/8/3q4/4P3/8/8/4K3 b - - 0 1',
      0,
      { 'pawns attacking pieces': 1, 'pieces attacked by cheaper ones': 1 },
    ],
    ['opposite bishops', '4k3/3b4/8/8/8/8/P7/2B1K3 w - - 0 1', 150, { 'ahead with opposite bishops': 1.5 }],
    ['a lead without pawns', '4k3/p7/8/8/8/8/8/2B1K3 w - - 0 1', 230, { 'ahead without pawns': 2.3 }],
  ])('sees %s', (_, fen, evaluation, wanted) => {
    expect(counted(fen, evaluation)).toMatchObject(wanted);
  });

  it('sees nothing at the start, and the opposite when the colours change', () => {
    expect(counted('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1')).toEqual({});
    for (const game of playGames(3, 4)) {
      replay(game, () => {
        const fen = formatFen();
        const there = counted(fen, 130);
        const back = counted(flipped(fen), -130);
        for (const name of KNOWLEDGE) expect(back[name] ?? 0, `${name} in ${fen}`).toBeCloseTo(-(there[name] ?? 0), 12);
        parseFen(fen);
      });
    }
  });
});

function flipped(fen: string): string {
  const [board, side] = fen.split(' ');
  const swap = (text: string): string =>
    text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
  return `${swap(board.split('/').reverse().join('/'))} ${side === 'w' ? 'b' : 'w'} - - 0 1`;
}

describe('missing knowledge', () => {
  const K = 1.6;
  const PLANTED: Feature = 'undefended pieces under attack';
  const VALUE = -200;
  /** Results drawn for each position. */
  const DRAWS = 10;
  const weights = toVector(loadWeights('material'));
  const builder = new PartBuilder();
  const fens: string[] = [];
  beforeAll(() => enableTracing());
  /** What an evaluation of material and squares alone would have counted, which knows nothing of what is planted. */
  const known = (): Int32Array => traceCounts.map((times, i) => (i < TEMPO ? times : 0));

  it('is found, with its value, where results follow from it', () => {
    setWeights(weights.subarray(0, TERM_COUNT), weights.subarray(TERM_COUNT));
    const random = createRandom(3);
    const results: number[] = [];
    for (const game of playGames(20, 6)) {
      replay(game, () => {
        const evaluation = traceEvaluate();
        const coefficients = known();
        countKnowledge(counts, evaluation);
        const score = evaluation + VALUE * counts[KNOWLEDGE.indexOf(PLANTED)];
        for (let draw = 0; draw < DRAWS; draw++) {
          const result = random() / 2 ** 32 < 1 / (1 + Math.exp((-K * score) / 400)) ? 2 : 0;
          builder.startGame(random());
          builder.add(coefficients, gamePhase(), result, 0);
          fens.push(formatFen());
          results.push(result);
        }
      });
    }
    const dataset = joinParts([builder.finish()]);
    const rows = fens.length;
    const observations = observe(dataset, new Uint8Array(rows), 0, K, 'mse');
    const free = Uint8Array.from({ length: 2 * TERM_COUNT }, (_, i) => (i % TERM_COUNT < TEMPO ? 1 : 0));
    const penalty = (1 / rows) * (K / 400) ** 2;
    const certainty = certaintyOf(observations, { weights, penalty, games: rows, free });

    const task = { k: K, loss: 'mse' as const, heldOut: new Uint8Array(rows), side: 0 as const, wanted: [7] };
    const halves = [0, rows >> 1, rows].slice(1).map((to, half) => {
      const from = half === 0 ? 0 : rows >> 1;
      const seer = new Seer({ ...task, heldOut: task.heldOut.slice(from, to), wanted: half === 0 ? [7] : [] }, weights);
      for (let row = from; row < to; row++) {
        parseFen(fens[row]);
        traceEvaluate();
        seer.see(known(), gamePhase(), results[row]);
        seer.endGame();
      }
      return seer.sight;
    });
    const sight = emptySight(weights.length);
    for (const half of halves) addSight(sight, half);
    expect(sight.fens).toEqual([{ row: 7, fen: fens[7] }]);
    const { slopes, total } = derivativesAt(observations, expectations(evaluations(dataset, weights), K));
    const missing = missingKnowledge(sight.features, certainty, gradientOf(dataset, slopes, TERM_COUNT), total);
    const planted = missing.find(({ name }) => name === PLANTED);
    expect([...missing].sort((a, b) => b.chiSquare - a.chiSquare)[0].name).toBe(PLANTED);
    expect(planted?.chiSquare).toBeGreaterThan(20);
    // Games of few nodes end early, so the middlegame value is the sure one
    expect(Math.abs((planted?.value[0] ?? 0) - VALUE)).toBeLessThan(3 * (planted?.error[0] ?? 0));
    expect(planted?.error[0]).toBeLessThan(60);

    const phases = Object.values(sight.residuals['phase']);
    expect(phases.reduce((sum, [count]) => sum + count, 0)).toBeLessThanOrEqual(rows);
    expect(sight.residuals['material']['equal'][0]).toBeGreaterThan(10);
  });
});
