// The random numbers of a run. Each purpose has its own stream, given by the run's seed, the iteration and the pair, so that no draw
// depends on what was played before or at the same time.

import { createRandom, type Random } from '../../engine/kernel/random.js';

export type { Random } from '../../engine/kernel/random.js';

const PURPOSES = { direction: 1, rounding: 2, weights: 3, simulation: 4, optimum: 5 } as const;

/** Returns the stream of a purpose. */
export function streamOf(purpose: keyof typeof PURPOSES, ...numbers: number[]): Random {
  return createRandom(PURPOSES[purpose], ...numbers);
}

/** Returns a uniform number in [0, 1). */
export function randomUnit(random: Random): number {
  return random() / 2 ** 32;
}

/** Returns the whole number below or above the value, at random, so that the value is the mean. */
export function roundAtRandom(value: number, random: Random): number {
  return Math.floor(value + randomUnit(random));
}

/** Returns a normal number of mean 0 and variance 1 (Box and Muller's transform). */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - randomUnit(random))) * Math.cos(2 * Math.PI * randomUnit(random));
}
