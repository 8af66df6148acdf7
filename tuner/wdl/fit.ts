// fitWdl(): the WDL model fitted by maximum likelihood to scored positions and their results. Fisher scoring (Newton's method with the
// expected second derivatives) needs only first derivatives, always ascends, and converges in a dozen passes.

import { materialVariable, polynomial, type WdlModel } from '../../engine/strength/wdl.js';
import { factorize, invertFactorized } from '../matrix/cholesky.js';
import { logistic } from '../passes/curves.js';

/** Degree of the polynomials ln a and ln b in the material. */
const DEGREE = 2;

/** A scored position and the result of its game, both from the same side's point of view. `score` is in centipawns. */
export interface WdlSample {
  score: number;
  /** Material of both sides in pawns. */
  material: number;
  /** 0 lost, 1 drawn, 2 won. */
  result: number;
  /** Number of its game. */
  game: number;
}

export interface WdlFit {
  model: WdlModel;
  /** Mean log-likelihood of a position. */
  logLikelihood: number;
  passes: number;
}

const SIZE = DEGREE + 1;
const MAX_PASSES = 100;
/** Lower bound on probabilities in divisions and logarithms. */
const TINY = 1e-12;

/** Returns the maximum-likelihood model. */
export function fitWdl(samples: readonly WdlSample[]): WdlFit {
  let parameters = [Math.log(100), ...zeros(DEGREE), Math.log(100), ...zeros(DEGREE)];
  let best = logLikelihood(samples, modelOf(parameters));
  let passes = 0;
  for (let step = 1; passes < MAX_PASSES && step > 1e-6; passes++) {
    const direction = scoringStep(samples, modelOf(parameters));
    const moved = (by: number): number[] => parameters.map((value, i) => value + by * direction[i]);
    let found = logLikelihood(samples, modelOf(moved(step)));
    while (!(found > best) && step > 1e-6) {
      step /= 2;
      found = logLikelihood(samples, modelOf(moved(step)));
    }
    if (!(found > best)) break;
    parameters = moved(step);
    const gain = found - best;
    best = found;
    step = Math.min(1, 2 * step);
    if (gain < 1e-12) break;
  }
  return { model: modelOf(parameters), logLikelihood: best, passes };
}

/** Returns the mean log-likelihood of the results under the model. */
export function logLikelihood(samples: readonly WdlSample[], model: WdlModel): number {
  const table = curves(model);
  let sum = 0;
  for (const { score, material, result } of samples) {
    const { a, b } = table[material];
    const win = logistic((score - a) / b);
    const loss = logistic((-score - a) / b);
    sum += Math.log(Math.max(TINY, result === 2 ? win : result === 0 ? loss : 1 - win - loss));
  }
  return sum / Math.max(1, samples.length);
}

function modelOf(parameters: readonly number[]): WdlModel {
  return { logA: parameters.slice(0, SIZE), logB: parameters.slice(SIZE) };
}

/** Returns a and b by material in pawns. */
function curves(model: WdlModel): { a: number; b: number }[] {
  return Array.from({ length: 256 }, (_, material) => {
    const x = materialVariable(material);
    return { a: Math.exp(polynomial(model.logA, x)), b: Math.exp(polynomial(model.logB, x)) };
  });
}

// Solves (expected information) · step = gradient of the log-likelihood. Both sides of this equation are first summed by material, as
// derivatives with respect to ln a and ln b. Multiplied by powers of the variable, these give the derivatives with respect to the
// coefficients
function scoringStep(samples: readonly WdlSample[], model: WdlModel): number[] {
  const size = 2 * SIZE;
  const gradient = zeros(size);
  const information = { size, values: new Float64Array(size * size) };
  for (const [material, { slope, curvature }] of sumsByMaterial(samples, model).entries()) {
    const x = materialVariable(material);
    for (let i = 0; i < size; i++) {
      const [p, k] = [Math.floor(i / SIZE), i % SIZE];
      gradient[i] += slope[p] * x ** k;
      for (let j = 0; j < size; j++) {
        const [q, l] = [Math.floor(j / SIZE), j % SIZE];
        information.values[i * size + j] += curvature[p + q] * x ** (k + l);
      }
    }
  }
  const { values } = information;
  // A small ridge keeps the system solvable with little data
  for (let i = 0; i < size; i++) values[i * size + i] = values[i * size + i] * (1 + 1e-9) + 1e-9;
  if (!factorize(information)) return zeros(size);
  invertFactorized(information);
  return gradient.map((_, i) => gradient.reduce((sum, slope, j) => sum + values[i * size + j] * slope, 0));
}

/** Derivatives with respect to ln a and ln b, and the expected products of these: aa, ab, bb. */
interface Sums {
  slope: [number, number];
  curvature: [number, number, number];
}

function sumsByMaterial(samples: readonly WdlSample[], model: WdlModel): Sums[] {
  const sums = Array.from({ length: 256 }, (): Sums => ({ slope: [0, 0], curvature: [0, 0, 0] }));
  const table = curves(model);
  for (const { score, material, result } of samples) {
    const { a, b } = table[material];
    const up = (score - a) / b;
    const down = (-score - a) / b;
    const win = logistic(up);
    const loss = logistic(down);
    const draw = Math.max(TINY, 1 - win - loss);
    const winA = (-win * (1 - win) * a) / b;
    const winB = -win * (1 - win) * up;
    const lossA = (-loss * (1 - loss) * a) / b;
    const lossB = -loss * (1 - loss) * down;
    const drawA = -winA - lossA;
    const drawB = -winB - lossB;
    const [chance, byA, byB] = [
      [loss, lossA, lossB],
      [draw, drawA, drawB],
      [win, winA, winB],
    ][result];
    const { slope, curvature } = sums[material];
    slope[0] += byA / Math.max(TINY, chance);
    slope[1] += byB / Math.max(TINY, chance);
    const w = 1 / Math.max(TINY, win);
    const l = 1 / Math.max(TINY, loss);
    curvature[0] += winA * winA * w + lossA * lossA * l + (drawA * drawA) / draw;
    curvature[1] += winA * winB * w + lossA * lossB * l + (drawA * drawB) / draw;
    curvature[2] += winB * winB * w + lossB * lossB * l + (drawB * drawB) / draw;
  }
  return sums;
}

const zeros = (length: number): number[] => new Array<number>(length).fill(0);
