// QuadraticFit: fits a quadratic to all pairs of a run, separately for each variable. The expected net wins of the plus side (θ + cε)
// follow from the slope of the objective midway between the two sides. At the optimum, the slope is zero.
//
// The values follow the results, so they are not independent observations. Noise that moves a variable looks like a force that pulls it
// back, as in a random walk that is mistaken for a stationary series (Dickey and Fuller). The interval is therefore computed by a grid
// bootstrap (Hansen 1999). It contains the optima for which replays of the run with simulated noise often deviate as much as the run.

import { createRandom } from '../../engine/kernel/random.js';
import { gaussian } from './method.js';
import type { Variable } from './variable.js';

/** Optimum of a variable according to the fit. */
export interface Optimum {
  /** Null if the pairs do not show a maximum. */
  at: number | null;
  /** Ends of the 95 % interval; null for an end that is open within the variable's range. */
  low: number | null;
  high: number | null;
}

/** Statistics of a variable over consecutive iterations, in units of c. */
interface Block {
  /** Distance from the start value to the value in the first iteration. */
  centre: number;
  /** Sums of the squared distance between the sides, and of distance times score; their ratio is the slope in games. */
  weight: number;
  product: number;
  /** Step of the variable per unit of `product`. */
  gain: number;
}

const NOTHING: Optimum = { at: null, low: null, high: null };
/** Number of blocks after a merge. At twice as many, pairs of blocks are merged. */
const BLOCKS = 128;
const REPLAYS = 199;
/** An optimum is rejected if a smaller share of the replays deviates as much as the run. */
const OUTSIDE = 0.05;
/** Precision of the ends in units of c. */
const PRECISION = 0.02;
const MIN_ITERATIONS = 50;

/** Collects the statistics of a run for the fit. */
export class QuadraticFit {
  private readonly blocks: Block[][];
  private readonly open: Block[];
  private stride = 1;
  private count = 0;
  private squares = 0;

  constructor(private readonly variables: readonly Variable[]) {
    this.blocks = variables.map(() => []);
    this.open = variables.map(emptyBlock);
  }

  /** Adds an iteration: the values of both sides in each pair, wins minus losses of the plus sides, and the step rate of each variable. */
  add(
    pairs: readonly { plus: readonly number[]; minus: readonly number[] }[],
    score: number,
    rates: readonly number[],
  ): void {
    for (const [i, { start, cEnd }] of this.variables.entries()) {
      const block = this.open[i];
      let distance = 0;
      let middle = 0;
      for (const { plus, minus } of pairs) {
        distance += (plus[i] - minus[i]) / cEnd / pairs.length;
        middle += ((plus[i] + minus[i]) / 2 - start) / cEnd / pairs.length;
      }
      if (this.count % this.stride === 0) block.centre = middle;
      block.weight += distance ** 2;
      block.product += distance * score;
      // A step is R·c·ε·score, and the distance 2·c·ε
      block.gain += rates[i] / 2 / this.stride;
    }
    this.squares += score ** 2;
    this.count++;
    if (this.count % this.stride === 0) this.close();
  }

  /** Returns the optimum of each variable, within its range. */
  optima(): Optimum[] {
    if (this.count < MIN_ITERATIONS) return this.variables.map(() => NOTHING);
    const noise = this.squares / this.count;
    return this.variables.map((variable, i) => optimumOf(variable, this.blocks[i], noise));
  }

  private close(): void {
    for (const [i, blocks] of this.blocks.entries()) {
      blocks.push(this.open[i]);
      this.open[i] = emptyBlock();
    }
    if (this.blocks[0].length < 2 * BLOCKS) return;
    this.stride *= 2;
    for (const [i, blocks] of this.blocks.entries()) {
      this.blocks[i] = Array.from({ length: BLOCKS }, (_, at) => merged(blocks[2 * at], blocks[2 * at + 1]));
    }
  }
}

const emptyBlock = (): Block => ({ centre: 0, weight: 0, product: 0, gain: 0 });

const merged = (a: Block, b: Block): Block => ({
  centre: a.centre,
  weight: a.weight + b.weight,
  product: a.product + b.product,
  gain: (a.gain + b.gain) / 2,
});

/** Weighted sums of a regression of the slope on the position. */
interface Sums {
  w: number;
  wx: number;
  wxx: number;
  y: number;
  yx: number;
}

function optimumOf({ start, min, max, cEnd }: Variable, blocks: readonly Block[], noise: number): Optimum {
  const sums: Sums = { w: 0, wx: 0, wxx: 0, y: 0, yx: 0 };
  for (const { centre, weight, product } of blocks) addTo(sums, centre, weight, product);
  const determinant = sums.w * sums.wxx - sums.wx ** 2;
  // Model: slope = level − fall · position
  const fall = -(sums.w * sums.yx - sums.wx * sums.y) / determinant;
  const level = (sums.wxx * sums.y - sums.wx * sums.yx) / determinant;
  if (!(determinant > 0) || !(fall > 0)) return NOTHING;
  const [least, most] = [(min - start) / cEnd, (max - start) / cEnd];
  const best = Math.min(most, Math.max(least, level / fall));
  const isUsual = (place: number): boolean => isWithin(place, blocks, sums, noise);
  const low = endOf(best, least, isUsual);
  const high = endOf(best, most, isUsual);
  if (low === null && high === null) return NOTHING;
  const value = (place: number | null): number | null => (place === null ? null : start + place * cEnd);
  return { at: value(best), low: value(low), high: value(high) };
}

function addTo(sums: Sums, place: number, weight: number, product: number): void {
  sums.w += weight;
  sums.wx += weight * place;
  sums.wxx += weight * place ** 2;
  sums.y += product;
  sums.yx += product * place;
}

// Returns the slope at the position in units of its standard error
function deviation({ w, wx, wxx, y, yx }: Sums, place: number, noise: number): number {
  const [x, xx, xy] = [wx - place * w, wxx - 2 * place * wx + place ** 2 * w, yx - place * y];
  const determinant = w * xx - x ** 2;
  return determinant <= 0 ? 0 : (xx * y - x * xy) / Math.sqrt(noise * xx * determinant);
}

/** Returns whether the replays often deviate as much as this run if the optimum is at the position. */
function isWithin(place: number, blocks: readonly Block[], sums: Sums, noise: number): boolean {
  const own = Math.abs(deviation(sums, place, noise));
  const pull = Math.max(0, (place * sums.y - sums.yx) / (sums.wxx - 2 * place * sums.wx + place ** 2 * sums.w));
  const allowed = OUTSIDE * (REPLAYS + 1) - 1;
  let beyond = 0;
  const draws = noiseOf(blocks.length);
  for (let replay = 0; replay < REPLAYS; replay++) {
    const replayed: Sums = { w: 0, wx: 0, wxx: 0, y: 0, yx: 0 };
    let at = blocks[0].centre;
    for (let i = 0; i < blocks.length; i++) {
      const { weight, gain } = blocks[i];
      const product = weight * pull * (place - at) + Math.sqrt(noise * weight) * draws[replay * blocks.length + i];
      addTo(replayed, at, weight, product);
      at += gain * product;
    }
    if (Math.abs(deviation(replayed, place, noise)) >= own && ++beyond > allowed) return true;
  }
  return false;
}

// Returns the end of the likely positions between the optimum and the end of the range; null if all are likely
function endOf(best: number, limit: number, isUsual: (place: number) => boolean): number | null {
  let inside = best;
  let outside = best;
  for (let step = Math.sign(limit - best) / 4; outside === best || isUsual(outside); step *= 2) {
    if (outside === limit) return null;
    inside = outside;
    const isPast = step * (best + step - limit) >= 0;
    outside = isPast ? limit : best + step;
  }
  while (Math.abs(outside - inside) > Math.max(PRECISION, 0.02 * Math.abs(outside - best))) {
    const middle = (inside + outside) / 2;
    if (isUsual(middle)) inside = middle;
    else outside = middle;
  }
  return outside;
}

/** The numbers returned by the last call of noiseOf(). */
let drawn = new Float64Array(0);

/** Returns the normal numbers for all replays of this many blocks, the same on each call. */
function noiseOf(blocks: number): Float64Array {
  if (drawn.length !== REPLAYS * blocks) {
    const random = createRandom(REPLAYS, blocks);
    drawn = Float64Array.from({ length: REPLAYS * blocks }, () => gaussian(random));
  }
  return drawn;
}
