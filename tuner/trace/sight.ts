// What the evaluation does not see. In one more pass over the data, with the fitted weights, a tracing worker adds up how the
// games of each kind of position ended against what was expected of them (residuals, from the held-out side), and what
// each feature of knowledge.ts would bring if it were a term (Rao's score test on the training side, in which the other
// terms may adjust). It also spells out the positions that were asked for. Sums by game, because games are the observations.

import { formatFen } from '../../engine/board/fen.js';
import { board } from '../../engine/board/position.js';
import { TERMS } from '../../engine/eval/terms.js';
import type { LossKind } from '../objective/objective.js';
import { countKnowledge, KNOWLEDGE } from './knowledge.js';

/** What the workers are told; rows are those of the first pass over the same chunk. */
export interface SightTask {
  k: number;
  loss: LossKind;
  /** 1: held out. */
  heldOut: Uint8Array;
  /** Whether residuals come from the held-out side (1) or, nothing being held out, from the training side (0). */
  side: 0 | 1;
  /** Rows whose positions are wanted. */
  wanted: number[];
}

/** Count of positions, sum of result − expectation, and the sum over games of that sum's square. */
export type Residual = [count: number, sum: number, squares: number];

/** Sums over positions for the features, coordinates being mg of all, then eg of all. */
export interface FeatureSums {
  /** Of slope · feature, of its square by game, of curvature · feature². Pairs of mg and eg: [mg·mg, mg·eg, eg·eg] by feature. */
  slope: Float64Array;
  squares: Float64Array;
  curvature: Float64Array;
  /** Feature by weight: curvature · feature · coefficient, and slope · slope by game. */
  cross: Float64Array;
  crossSquares: Float64Array;
}

export interface Sight {
  residuals: Record<string, Record<string, Residual>>;
  features: FeatureSums;
  fens: { row: number; fen: string }[];
}

export const FEATURES = KNOWLEDGE.length;
const FEATURE_INDICES = KNOWLEDGE.map((_, f) => f);

/** Returns sums of nothing for so many weights. */
export function emptySight(weights: number): Sight {
  const floats = (length: number): Float64Array => new Float64Array(length);
  return {
    residuals: {},
    features: {
      slope: floats(2 * FEATURES),
      squares: floats(3 * FEATURES),
      curvature: floats(3 * FEATURES),
      cross: floats(2 * FEATURES * weights),
      crossSquares: floats(2 * FEATURES * weights),
    },
    fens: [],
  };
}

/** Adds the sums of `more`. */
export function addSight(sum: Sight, more: Sight): void {
  for (const [name, groups] of Object.entries(more.residuals)) {
    for (const [group, values] of Object.entries(groups)) {
      const total = residualOf(sum, name, group);
      for (let i = 0; i < 3; i++) total[i] += values[i];
    }
  }
  for (const key of Object.keys(sum.features) as (keyof FeatureSums)[]) {
    const target = sum.features[key];
    more.features[key].forEach((value, i) => {
      target[i] += value;
    });
  }
  sum.fens.push(...more.fens);
}

function residualOf({ residuals }: Sight, name: string, group: string): Residual {
  residuals[name] ??= {};
  residuals[name][group] ??= [0, 0, 0];
  return residuals[name][group];
}

/** Collects the sums of one chunk. */
export class Seer {
  readonly sight: Sight;
  private readonly task: SightTask;
  private readonly weights: Float64Array;
  private readonly wanted: Set<number>;
  private row = 0;
  private readonly counts = new Float64Array(FEATURES);
  private readonly groups = new Map<string, number>();
  /** Slopes by feature and by weight, summed over the present game. */
  private readonly featureSlopes = new Float64Array(2 * FEATURES);
  private readonly weightSlopes: Float64Array;
  private readonly isTouched: Uint8Array;
  private touched: number[] = [];

  constructor(task: SightTask, weights: Float64Array) {
    this.task = task;
    this.weights = weights;
    this.wanted = new Set(task.wanted);
    this.sight = emptySight(weights.length);
    this.weightSlopes = new Float64Array(weights.length);
    this.isTouched = new Uint8Array(weights.length);
  }

  /** Adds the engine's present position, its trace and its result in half points. */
  see(coefficients: Int32Array, phase: number, result: number): void {
    const { task, row } = this;
    this.row++;
    if (this.wanted.has(row)) this.sight.fens.push({ row, fen: formatFen() });
    const evaluation = this.evaluate(coefficients, phase);
    const p = 1 / (1 + Math.exp((-task.k * evaluation) / 400));
    if (task.heldOut[row] === task.side) this.addResiduals(coefficients, phase, result / 2 - p, evaluation);
    if (task.heldOut[row] === 0) this.addFeatures(coefficients, phase, { p, target: result / 2, evaluation });
  }

  /** Closes the game that the latest positions belong to. */
  endGame(): void {
    const { features, residuals } = this.sight;
    for (const [key, sum] of this.groups) {
      const [name, group] = key.split('\t');
      residuals[name][group][2] += sum * sum;
    }
    this.groups.clear();
    const { featureSlopes, weightSlopes, touched } = this;
    for (let f = 0; f < FEATURES; f++) {
      const [mg, eg] = [featureSlopes[f], featureSlopes[FEATURES + f]];
      if (mg === 0 && eg === 0) continue;
      features.squares[3 * f] += mg * mg;
      features.squares[3 * f + 1] += mg * eg;
      features.squares[3 * f + 2] += eg * eg;
      for (const i of touched) {
        features.crossSquares[f * weightSlopes.length + i] += mg * weightSlopes[i];
        features.crossSquares[(FEATURES + f) * weightSlopes.length + i] += eg * weightSlopes[i];
      }
    }
    featureSlopes.fill(0);
    for (const i of touched) {
      weightSlopes[i] = 0;
      this.isTouched[i] = 0;
    }
    this.touched = [];
  }

  private evaluate(coefficients: Int32Array, phase: number): number {
    const terms = coefficients.length;
    let [mg, eg] = [0, 0];
    for (let term = 0; term < terms; term++) {
      mg += coefficients[term] * this.weights[term];
      eg += coefficients[term] * this.weights[terms + term];
    }
    return (mg * phase + eg * (24 - phase)) / 24;
  }

  private addResiduals(coefficients: Int32Array, phase: number, miss: number, evaluation: number): void {
    // Seen from the side that is ahead, a residual says whether evaluations are too bold or too timid
    if (evaluation !== 0) this.addTo('phase', PHASE_NAMES[Math.min(5, phase >> 2)], Math.sign(evaluation) * miss);
    const { name, sign } = materialOf();
    this.addTo('material', name, sign * miss);
    for (const { name: term, shape, offset, size } of TERMS) {
      const width = shape.length > 1 ? shape[shape.length - 1] : size;
      for (let from = offset; from < offset + size; from += width) {
        let sum = 0;
        for (let i = from; i < from + width; i++) sum += coefficients[i];
        const group = width === size ? term : `${term}[${(from - offset) / width}]`;
        if (sum !== 0) this.addTo('term', group, Math.sign(sum) * miss);
      }
    }
  }

  private addTo(name: string, group: string, miss: number): void {
    const total = residualOf(this.sight, name, group);
    total[0]++;
    total[1] += miss;
    const key = `${name}\t${group}`;
    this.groups.set(key, (this.groups.get(key) ?? 0) + miss);
  }

  private addFeatures(
    coefficients: Int32Array,
    phase: number,
    { p, target, evaluation }: { p: number; target: number; evaluation: number },
  ): void {
    const scale = this.task.k / 400;
    const spread = p * (1 - p);
    const squared = this.task.loss === 'mse';
    const slope = squared ? 2 * scale * (p - target) * spread : scale * (p - target);
    const curvature = squared ? 2 * (scale * spread) ** 2 : scale * scale * spread;
    const mg = phase / 24;
    const eg = 1 - mg;
    const { features } = this.sight;
    const { weightSlopes, isTouched, touched, counts } = this;
    const terms = coefficients.length;
    const size = weightSlopes.length;
    countKnowledge(counts, evaluation);
    const present = FEATURE_INDICES.filter((f) => counts[f] !== 0);
    for (let term = 0; term < terms; term++) {
      const count = coefficients[term];
      if (count === 0) continue;
      if (isTouched[term] === 0) touched.push(term, terms + term);
      isTouched[term] = 1;
      weightSlopes[term] += slope * count * mg;
      weightSlopes[terms + term] += slope * count * eg;
      const byMg = curvature * count * mg;
      const byEg = curvature * count * eg;
      for (const f of present) {
        const value = counts[f];
        const middle = f * size + term;
        const end = (FEATURES + f) * size + term;
        features.cross[middle] += byMg * mg * value;
        features.cross[middle + terms] += byEg * mg * value;
        features.cross[end] += byMg * eg * value;
        features.cross[end + terms] += byEg * eg * value;
      }
    }
    for (const f of present) {
      const value = counts[f];
      features.slope[f] += slope * mg * value;
      features.slope[FEATURES + f] += slope * eg * value;
      this.featureSlopes[f] += slope * mg * value;
      this.featureSlopes[FEATURES + f] += slope * eg * value;
      const square = curvature * value * value;
      features.curvature[3 * f] += square * mg * mg;
      features.curvature[3 * f + 1] += square * mg * eg;
      features.curvature[3 * f + 2] += square * eg * eg;
    }
  }
}

const PHASE_NAMES = ['0–3', '4–7', '8–11', '12–15', '16–19', '20–24'];
const WORTH = [1, 3, 3, 5, 9];
const LETTERS = ['', 'N', 'B', 'R', 'Q'];

/** Returns the kind of material, first the side with more of it, and 1 or −1 for whose that is; equal sides count as White's. */
function materialOf(): { name: string; sign: number } {
  const counts = [new Int32Array(6), new Int32Array(6)];
  for (let square = 0; square < 64; square++)
    if ((board[square] & 7) < 6) counts[board[square] >> 3][board[square] & 7]++;
  const surplus = LETTERS.map((_, type) => counts[0][type] - counts[1][type]);
  const balance = surplus.reduce((sum, count, type) => sum + count * WORTH[type], 0);
  const side = [1, -1].map((sign) =>
    surplus
      .map((count, type) => (type > 0 && sign * count > 0 ? LETTERS[type].repeat(sign * count) : ''))
      .reverse()
      .join(''),
  );
  const lead = balance !== 0 ? balance : (surplus.findLast((count) => count !== 0) ?? 0);
  const sign = lead < 0 ? -1 : 1;
  const [more, less] = sign > 0 ? side : [side[1], side[0]];
  const pieces = more === '' && less === '' ? '' : `${more || '–'} against ${less || '–'}`;
  const pawns = sign * surplus[0];
  const pawnText =
    pawns === 0
      ? ''
      : `${pawns > 0 ? '+' : '−'}${Math.min(3, Math.abs(pawns))}${Math.abs(pawns) >= 3 ? ' or more' : ''} P`;
  return { name: [pieces, pawnText].filter(Boolean).join(', ') || 'equal', sign };
}
