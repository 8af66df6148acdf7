// Spsa: computes the values after each iteration from the settings and the results, in the order of the iterations. Iteration k is played
// around the values after iteration k − ahead. Several iterations can therefore be played in parallel, and the trajectory does not depend
// on the order in which they end.

import { drawDirection, gainAt, roundAtRandom, type SpsaMethodSettings, streamOf } from './method.js';
import { QuadraticFit } from './quadratic-fit.js';
import type { Variable } from './variable.js';

export interface TrajectoryPoint {
  iteration: number;
  values: number[];
  /** Sum of squared steps so far, by variable, in units of c. */
  walk: number[];
}

/** Minimum number of stored points in a longer run. Above twice as many, every other point is dropped. */
const POINTS = 1000;

export class Trajectory {
  private kept: TrajectoryPoint[] = [];
  private last: TrajectoryPoint;
  private stride = 1;

  constructor(start: number[]) {
    this.last = { iteration: 0, values: start, walk: start.map(() => 0) };
    this.kept.push(this.last);
  }

  /** The stored points and the last one. */
  get points(): TrajectoryPoint[] {
    const { kept, last } = this;
    return kept.at(-1) === last ? [...kept] : [...kept, last];
  }

  /** Adds the values after the next iteration and its squared steps in units of c. */
  add(values: number[], squares: number[]): void {
    const walk = this.last.walk.map((sum, i) => sum + squares[i]);
    this.last = { iteration: this.last.iteration + 1, values, walk };
    if (this.last.iteration % this.stride !== 0) return;
    this.kept.push(this.last);
    if (this.kept.length <= 2 * POINTS) return;
    this.stride *= 2;
    this.kept = this.kept.filter(({ iteration }) => iteration % this.stride === 0);
  }
}

export interface SpsaSettings extends SpsaMethodSettings {
  variables: Variable[];
  /** Pairs of games per iteration. */
  pairs: number;
  /** Maximum number of parallel iterations. */
  ahead: number;
  seed: number;
}

/** The values of both sides of a pair. */
export interface Sides {
  plus: number[];
  minus: number[];
}

export class Spsa {
  readonly trajectory: Trajectory;
  /** Sums over all pairs, from which the optimum is fitted. */
  readonly fit: QuadraticFit;
  /** The values after the last iteration. */
  values: number[];
  /** Iterations applied. */
  done = 0;
  /** Values around which pending iterations may still be played. */
  private readonly recent = new Map<number, number[]>();

  constructor(readonly settings: SpsaSettings) {
    this.values = settings.variables.map(({ start }) => start);
    this.recent.set(0, this.values);
    this.trajectory = new Trajectory(this.values);
    this.fit = new QuadraticFit(settings.variables);
  }

  get isFinished(): boolean {
    return this.done >= this.settings.iterations;
  }

  /** Returns the values of both sides in a pair of iteration `k`; pairs are numbered from 0. */
  sides(k: number, pair: number): Sides {
    const { variables, seed } = this.settings;
    const centre = this.recent.get(Math.max(0, k - this.settings.ahead)) as number[];
    const direction = this.direction(k);
    const random = streamOf('rounding', seed, k, pair);
    const side = (sign: number): number[] =>
      variables.map((variable, i) => {
        const value = centre[i] + sign * gainAt(variable, this.settings, k).c * direction[i];
        return clip(variable.kind === 'int' ? roundAtRandom(value, random) : value, variable);
      });
    return { plus: side(1), minus: side(-1) };
  }

  /** Applies the result of the next iteration: wins minus losses of the plus sides. */
  apply(score: number): void {
    const { variables, ahead } = this.settings;
    const k = ++this.done;
    const pairs = Array.from({ length: this.settings.pairs }, (_, pair) => this.sides(k, pair));
    const gains = variables.map((variable) => gainAt(variable, this.settings, k));
    const rates = gains.map(({ rate }) => rate);
    this.fit.add(pairs, score, rates);
    const direction = this.direction(k);
    const steps = gains.map(({ c, rate }, i) => rate * c * direction[i] * score);
    this.values = variables.map((variable, i) => clip(this.values[i] + steps[i], variable));
    this.recent.set(k, this.values);
    this.recent.delete(k - ahead);
    const squares = steps.map((step, i) => (step / variables[i].cEnd) ** 2);
    this.trajectory.add(this.values, squares);
  }

  private direction(k: number): number[] {
    const { method, variables, seed } = this.settings;
    return drawDirection(method, variables.length, streamOf('direction', seed, k));
  }
}

const clip = (value: number, { min, max }: Variable): number => Math.min(max, Math.max(min, value));
