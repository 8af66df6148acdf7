// The two SPSA methods, which differ in their gains and in the distribution of directions. Both play θ + cε against θ − cε and then move
// all variables at once: θ += R · c · ε · (wins − losses of θ + cε). Kiiski (2011): ε is Gaussian, c is the standard deviation, and R is
// the apply factor. Spall (1992) in the form of fishtest and OpenBench: ε is ±1, and c and R follow sequences that end at c_end and r_end.

import { createRandom, type Random } from '../../engine/kernel/random.js';
import type { Variable } from './variable.js';

export interface SpsaMethodSettings {
  method: 'kiiski' | 'spall';
  /** Kiiski's apply factor: 0.002 as published. */
  factor: number;
  /** Spall's exponents, and A as a share of the iterations. */
  alpha: number;
  gamma: number;
  aRatio: number;
  iterations: number;
}

/** Perturbation of a variable in an iteration, and the rate of its step. */
export interface SpsaGain {
  c: number;
  rate: number;
}

/** The defaults of fishtest and OpenBench, and Kiiski's published apply factor. */
export const DEFAULT_METHOD = { factor: 0.002, alpha: 0.602, gamma: 0.101, aRatio: 0.1 };

/** Returns Spall's constants of a variable: c_k = c / k^γ and a_k = a / (A + k)^α = R_k · c_k². */
export function spallConstants(
  { cEnd, rEnd }: Variable,
  settings: SpsaMethodSettings,
): { a: number; c: number; A: number } {
  const { iterations, alpha, gamma, aRatio } = settings;
  const A = aRatio * iterations;
  return { a: rEnd * cEnd ** 2 * (A + iterations) ** alpha, c: cEnd * iterations ** gamma, A };
}

/** Returns the variable's gain in iteration `k`, numbered from 1. */
export function gainAt(variable: Variable, settings: SpsaMethodSettings, k: number): SpsaGain {
  if (settings.method === 'kiiski') return { c: variable.cEnd, rate: settings.factor };
  const { a, c, A } = spallConstants(variable, settings);
  const ck = c / k ** settings.gamma;
  // With a perturbation below one half, both sides would mostly play with the same integer
  const played = variable.kind === 'int' ? Math.max(ck, 0.5) : ck;
  return { c: played, rate: a / (A + k) ** settings.alpha / played ** 2 };
}

/** Returns a direction: a signed length in units of c for each variable. */
export function drawDirection(method: SpsaMethodSettings['method'], count: number, random: Random): number[] {
  return Array.from({ length: count }, () => (method === 'spall' ? (random() & 1 ? 1 : -1) : gaussian(random)));
}

// The random numbers of a run. Each purpose has its own stream for a seed, an iteration and a pair, so the numbers do not depend on the
// order of the games

const PURPOSES = { direction: 1, rounding: 2, weights: 3, simulation: 4, optimum: 5 } as const;

/** Returns the stream of a purpose. */
export function streamOf(purpose: keyof typeof PURPOSES, ...numbers: number[]): Random {
  return createRandom(PURPOSES[purpose], ...numbers);
}

/** Returns a uniform number in [0, 1). */
export const randomUnit = (random: Random): number => random() / 2 ** 32;

/** Returns the value rounded down or up at random, with the value as the mean. */
export const roundAtRandom = (value: number, random: Random): number => Math.floor(value + randomUnit(random));

/** Returns a standard normal number (Box–Muller transform). */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - randomUnit(random))) * Math.cos(2 * Math.PI * randomUnit(random));
}
