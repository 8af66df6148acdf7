// writeSimulation(): rows of a simulated engine with known true weights. The expected result of each position follows exactly from them,
// and all positions of a game have the same result: the first position draws it, and others are accepted with the probability of that
// result.

import { closeSync, openSync, writeSync } from 'node:fs';
import type { Pair, WeightSet } from '../../engine/eval/weight-set.js';
import { createRandom } from '../../engine/kernel/random.js';
import { HEFT } from '../../tuner/model/heft.js';
import { widthOf } from '../../tuner/model/model.js';

/** A term of the simulated engine: a table of Heft's or some rows of it, and the number of pieces that a side has per row. */
interface Table {
  name: string;
  from: string;
  rows: readonly [first: number, last: number];
  pieces: readonly [least: number, most: number];
}

const whole = (name: string, ...pieces: [number, number]): Table => ({ name, from: name, rows: [0, 0], pieces });

/** 300 terms: piece values, piece squares, tables by count and by rank, and single values. */
const TABLES: readonly Table[] = [
  whole('material', 0, 2),
  { name: 'pieceSquares', from: 'psqt', rows: [1, 3], pieces: [1, 3] },
  whole('knightMobility', 0, 2),
  whole('bishopMobility', 0, 2),
  whole('rookMobility', 0, 2),
  whole('queenMobility', 0, 1),
  whole('pawnPhalanx', 0, 2),
  whole('pawnSupported', 0, 2),
  whole('passedSupport', 0, 1),
  whole('passedPath', 0, 1),
  ...['tempo', 'bishopPair', 'bishopTrapped', 'rookSeventh', 'pawnDoubled'].map((name) => whole(name, 0, 1)),
];

/** K of the logistic function, in the units of the tuner. */
export const TRUE_K = 2;

export interface Simulation {
  /** All mg, then all eg. */
  truth: Float64Array;
  terms: number;
  header: string;
}

type Random = () => number;
const uniform = (random: Random): number => random() / 2 ** 32;

/** A table with its shape. */
interface Shaped extends Table {
  shape: number[];
  orders: readonly string[];
  values: Pair[];
}

function shaped(weights: WeightSet): Shaped[] {
  return TABLES.map((table) => {
    const term = HEFT.terms.find(({ name }) => name === table.from);
    if (term === undefined) throw new Error(`Heft has no term ${table.from}`);
    const width = widthOf(term);
    const [first, last] = table.rows;
    const values = weights.terms[term.name].slice(first * width, (last + 1) * width);
    const shape = last > first ? [last - first + 1, width] : [width];
    return { ...table, shape, orders: term.orders.slice(-shape.length), values };
  });
}

/** Returns the true weights, which are Heft's, and the header, whose start weights are round material values. */
export function simulation(weights: WeightSet): Simulation {
  const tables = shaped(weights);
  const values = tables.flatMap((table) => table.values);
  const terms = tables.map(({ name, from, shape, orders, values: pairs }) => {
    const isMaterial = from === 'material';
    const start = pairs.map((_, i) =>
      isMaterial ? [100, 300, 300, 500, 900].slice(i, i + 1).flatMap((x) => [x, x]) : [0, 0],
    );
    return {
      name,
      family: HEFT.terms.find((term) => term.name === from)?.family ?? name,
      shape,
      orders,
      weights: start,
    };
  });
  return {
    truth: Float64Array.from([...values.map(([mg]) => mg), ...values.map(([, eg]) => eg)]),
    terms: values.length,
    header: JSON.stringify({ format: 'heft-rows', version: 1, engine: 'Simulated 1.0', terms }),
  };
}

/** Draws a position: its phase and its coefficients by term. */
function position(random: Random, tables: readonly Shaped[]): { phase: number; counts: Map<number, number> } {
  const counts = new Map<number, number>();
  const add = (term: number, by: number): void => void counts.set(term, (counts.get(term) ?? 0) + by);
  const phase = Math.floor(uniform(random) * 25);
  let offset = 0;
  for (const { name, pieces: places, shape } of tables) {
    const size = shape.reduce((product, length) => product * length, 1);
    const width = shape[shape.length - 1];
    const [least, most] = places;
    for (const side of [1, -1]) {
      if (name === 'material') {
        // The material of both sides is similar; otherwise every game would be decided
        if (side === 1 && uniform(random) < 0.6)
          add(Math.floor(5 * uniform(random) ** 2), uniform(random) < 0.5 ? 1 : -1);
        continue;
      }
      for (let row = 0; row < size / width; row++) {
        const pieces = least + Math.floor(uniform(random) * (most - least + 1));
        for (let i = 0; i < pieces; i++) add(offset + row * width + Math.floor(width * uniform(random)), side);
      }
    }
    offset += size;
  }
  return { phase, counts };
}

/** Writes a file of rows: `games` games of `perGame` positions, with results drawn from the true weights. */
export function writeSimulation(
  file: string,
  weights: WeightSet,
  games: number,
  perGame: number,
  seed: number,
): Simulation {
  const simulated = simulation(weights);
  const tables = shaped(weights);
  const { truth, terms, header } = simulated;
  const random = createRandom(seed, 11);
  const fd = openSync(file, 'w');
  writeSync(fd, `${header}\nresult\tgame\tphase\trow\n`);
  let text = '';
  for (let game = 0; game < games; game++) {
    let result: string | null = null;
    for (let left = perGame; left > 0; ) {
      const { phase, counts } = position(random, tables);
      let score = 0;
      for (const [term, count] of counts)
        score += (count * (truth[term] * phase + truth[terms + term] * (24 - phase))) / 24;
      const p = 1 / (1 + Math.exp((-TRUE_K * score) / 400));
      const draw = Math.min(p, 1 - p) * 0.8;
      const u = uniform(random);
      if (result === null) result = u < draw ? '0.5' : u < p + draw / 2 ? '1' : '0';
      else if (u > (result === '0.5' ? draw : (result === '1' ? p : 1 - p) - draw / 2)) continue;
      const row = [...counts].filter(([, count]) => count !== 0).map(([term, count]) => `${term}:${count}`);
      text += `${result}\tg${game}\t${phase}\t${row.join(' ')}\n`;
      left--;
    }
    if (text.length > 1 << 20) {
      writeSync(fd, text);
      text = '';
    }
  }
  writeSync(fd, text);
  closeSync(fd);
  return simulated;
}
