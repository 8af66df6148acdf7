// The design of a screening: every search varies all parameters at once and at random, so that each search contributes to the effect of each
// parameter. (Factorial design, Fisher 1935; two levels as in Plackett and Burman 1946.)

import { createRandom, type Random } from '../../engine/kernel/random.js';
import { PARAMS, setParam } from '../../engine/search/params.js';
import { UserError } from '../../selfplay/common/errors.js';

/** A parameter, or the nodes of a search, with its two values on both sides of the default. */
export interface Factor {
  readonly name: string;
  readonly low: number;
  readonly value: number;
  readonly high: number;
  /** Distance from the default in a reference search. */
  readonly near: number;
}

/** The factor that scales all others: searches with a number of nodes, and with twice as many. */
export const NODES = 'nodes';
/** A parameter that is 0 or 1, such as a new rule under test, is 1 in this share of the searches. */
const SWITCHED_ON = 0.25;

/** Whether the factor switches a part of the search on. */
export const isSwitch = ({ low, value, high }: Factor): boolean => low === 0 && value === 0 && high === 1;

/**
 * Returns the nodes and the named parameters, all but those of time management by default, with levels `step` declared steps around their
 * values. Throws a UserError for an unknown name.
 */
export function factorsOf(only: readonly string[] | undefined, nodes: number, step: number): Factor[] {
  const names = only ?? Object.keys(PARAMS).filter((name) => !name.startsWith('tm'));
  const unknown = names.find((name) => !Object.hasOwn(PARAMS, name));
  if (unknown !== undefined) throw new UserError(`--only: no search parameter is called ${unknown}`, 2);
  const spread = { low: Math.round(nodes * Math.SQRT1_2), high: Math.round(nodes * Math.SQRT2) };
  return [
    { name: NODES, value: nodes, ...spread, near: 0 },
    ...names.map((name) => {
      const { value, min, max, step: declared } = PARAMS[name];
      const distance = Math.max(1, Math.round(step * declared));
      const low = Math.max(min, value - distance);
      const high = Math.min(max, value + distance);
      // References keep all features
      return { name, low, value, high, near: max === 128 || max === 1 ? 0 : declared };
    }),
  ];
}

/** Returns the level of each factor in a search: ±0.5, and for a switch 1 or 0. */
export function levelsOf(factors: readonly Factor[], seed: number, position: number, round: number): Float64Array {
  const random = createRandom(seed, position, round);
  return Float64Array.from(factors, (factor) =>
    isSwitch(factor) ? (chance(random) < SWITCHED_ON ? 1 : 0) : chance(random) < 0.5 ? -0.5 : 0.5,
  );
}

const chance = (random: Random): number => random() / 0x100000000;

/**
 * Sets the parameters to their levels and returns the nodes of the search. In a reference search they stay within a declared step of their
 * defaults, on the side of their level: references differ, so that no single one is the truth, but all are good.
 */
export function applyLevels(factors: readonly Factor[], levels: Float64Array, isReference: boolean): number {
  let nodes = 0;
  for (const [at, { name, low, value, high, near }] of factors.entries()) {
    const [least, most] = isReference ? [Math.max(low, value - near), Math.min(high, value + near)] : [low, high];
    const chosen = levels[at] > 0 ? most : least;
    if (name === NODES) nodes = chosen;
    else setParam(name, chosen);
  }
  return nodes;
}
