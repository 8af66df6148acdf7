// Fits the WDL model to scored results by maximum likelihood. Fisher scoring (Newton's method with the expected second
// derivatives) needs first derivatives only, always climbs, and is done in a dozen passes.

import { materialVariable, polynomial, type WdlModel } from '../../engine/strength/wdl.js';

/** Degree of the polynomials ln a and ln b in the material. */
export const DEGREE = 2;

/** Scored positions with the results of their games, all from the same side. */
export interface WdlSamples {
  score: Int16Array;
  /** In pawns, both sides. */
  material: Uint8Array;
  /** 0 lost, 1 drawn, 2 won. */
  result: Uint8Array;
}

export interface WdlFit {
  model: WdlModel;
  /** Mean log-likelihood of a position. */
  logLikelihood: number;
  passes: number;
}

const SIZE = DEGREE + 1;
const MAX_PASSES = 100;
/** Least chance that is divided by, or of which a logarithm is taken. */
const TINY = 1e-12;

/** Returns the model under which the results are most likely. */
export function fitWdl(samples: WdlSamples): WdlFit {
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
export function logLikelihood({ score, material, result }: WdlSamples, model: WdlModel): number {
  const table = curves(model);
  let sum = 0;
  for (let i = 0; i < score.length; i++) {
    const { a, b } = table[material[i]];
    const win = logistic((score[i] - a) / b);
    const loss = logistic((-score[i] - a) / b);
    sum += Math.log(Math.max(TINY, result[i] === 2 ? win : result[i] === 0 ? loss : 1 - win - loss));
  }
  return sum / Math.max(1, score.length);
}

function modelOf(parameters: readonly number[]): WdlModel {
  return { logA: parameters.slice(0, SIZE), logB: parameters.slice(SIZE) };
}

/** a and b by material. */
function curves(model: WdlModel): { a: number; b: number }[] {
  return Array.from({ length: 256 }, (_, material) => {
    const x = materialVariable(material);
    return { a: Math.exp(polynomial(model.logA, x)), b: Math.exp(polynomial(model.logB, x)) };
  });
}

const logistic = (u: number): number => 1 / (1 + Math.exp(-u));

// Solves (expected information) · step = gradient of the log-likelihood. Both are summed by material first, with respect to
// ln a and ln b; the derivatives by the coefficients are those times powers of the variable.
function scoringStep(samples: WdlSamples, model: WdlModel): number[] {
  const gradient = zeros(2 * SIZE);
  const information = Array.from(gradient, () => zeros(2 * SIZE));
  for (const [material, { slope, curvature }] of sumsByMaterial(samples, model).entries()) {
    const x = materialVariable(material);
    for (let i = 0; i < 2 * SIZE; i++) {
      const [p, k] = [Math.floor(i / SIZE), i % SIZE];
      gradient[i] += slope[p] * x ** k;
      for (let j = 0; j < 2 * SIZE; j++) {
        const [q, l] = [Math.floor(j / SIZE), j % SIZE];
        information[i][j] += curvature[p + q] * x ** (k + l);
      }
    }
  }
  return solve(information, gradient);
}

/** Derivatives by ln a and ln b, and the expected products of the two: aa, ab, bb. */
interface Sums {
  slope: [number, number];
  curvature: [number, number, number];
}

function sumsByMaterial({ score, material, result }: WdlSamples, model: WdlModel): Sums[] {
  const sums = Array.from({ length: 256 }, (): Sums => ({ slope: [0, 0], curvature: [0, 0, 0] }));
  const table = curves(model);
  for (let i = 0; i < score.length; i++) {
    const { a, b } = table[material[i]];
    const up = (score[i] - a) / b;
    const down = (-score[i] - a) / b;
    const win = logistic(up);
    const loss = logistic(down);
    const draw = Math.max(TINY, 1 - win - loss);
    const winA = (-win * (1 - win) * a) / b;
    const winB = -win * (1 - win) * up;
    const lossA = (-loss * (1 - loss) * a) / b;
    const lossB = -loss * (1 - loss) * down;
    const drawA = -winA - lossA;
    const drawB = -winB - lossB;
    const { slope, curvature } = sums[material[i]];
    if (result[i] === 2) {
      slope[0] += winA / Math.max(TINY, win);
      slope[1] += winB / Math.max(TINY, win);
    } else if (result[i] === 0) {
      slope[0] += lossA / Math.max(TINY, loss);
      slope[1] += lossB / Math.max(TINY, loss);
    } else {
      slope[0] += drawA / draw;
      slope[1] += drawB / draw;
    }
    const w = 1 / Math.max(TINY, win);
    const l = 1 / Math.max(TINY, loss);
    curvature[0] += winA * winA * w + lossA * lossA * l + (drawA * drawA) / draw;
    curvature[1] += winA * winB * w + lossA * lossB * l + (drawA * drawB) / draw;
    curvature[2] += winB * winB * w + lossB * lossB * l + (drawB * drawB) / draw;
  }
  return sums;
}

// Gaussian elimination; a trace of ridge keeps it solvable where the data tell too little
function solve(matrix: number[][], vector: readonly number[]): number[] {
  const n = vector.length;
  const rows = matrix.map((row, i) => [
    ...row.map((value, j) => (i === j ? value * (1 + 1e-9) + 1e-9 : value)),
    vector[i],
  ]);
  for (let column = 0; column < n; column++) {
    const pivot = rows
      .slice(column)
      .reduce((best, row) => (Math.abs(row[column]) > Math.abs(best[column]) ? row : best));
    rows.splice(rows.indexOf(pivot, column), 1);
    rows.splice(column, 0, pivot);
    for (let i = 0; i < n; i++) {
      if (i === column) continue;
      const factor = rows[i][column] / pivot[column];
      for (let j = column; j <= n; j++) rows[i][j] -= factor * pivot[j];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}

function zeros(length: number): number[] {
  return new Array<number>(length).fill(0);
}
