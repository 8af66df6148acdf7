// writeSimulation(): rows of a made-up engine whose true weights are known. Each position's expected result is exactly what these give, and
// the positions of a game share its result: the first position draws it, each other is accepted with the chance that it ends so.

import { closeSync, openSync, writeSync } from 'node:fs';
import { createRandom } from '../../engine/kernel/random.js';

interface Table {
  name: string;
  family: string;
  shape: number[];
  orders: string[];
  /** Standard deviation of the true values around a smooth course. */
  spread: number;
  /** How many places a side has of each row: least and most. */
  pieces: [number, number];
}

const SINGLES = ['tempo', 'bishopPair', 'trappedRook', 'openFile', 'outpost'];

/** 300 terms: values of pieces, piece squares, tables by count, by rank and by file, and single values. */
const TABLES: readonly Table[] = [
  { name: 'material', family: 'material', shape: [5], orders: ['kinds'], spread: 0, pieces: [0, 2] },
  { name: 'pieceSquares', family: 'squares', shape: [3, 64], orders: ['kinds', 'squares'], spread: 6, pieces: [1, 3] },
  { name: 'knightMobility', family: 'mobility', shape: [9], orders: ['steps'], spread: 3, pieces: [0, 2] },
  { name: 'bishopMobility', family: 'mobility', shape: [14], orders: ['steps'], spread: 3, pieces: [0, 2] },
  { name: 'rookMobility', family: 'mobility', shape: [15], orders: ['steps'], spread: 3, pieces: [0, 2] },
  { name: 'queenMobility', family: 'mobility', shape: [28], orders: ['steps'], spread: 3, pieces: [0, 1] },
  { name: 'passedPawn', family: 'pawns', shape: [2, 8], orders: ['kinds', 'steps'], spread: 4, pieces: [0, 1] },
  { name: 'isolatedPawn', family: 'pawns', shape: [8], orders: ['files'], spread: 4, pieces: [0, 2] },
  { name: 'doubledPawn', family: 'pawns', shape: [8], orders: ['files'], spread: 4, pieces: [0, 1] },
  ...SINGLES.map((name) => ({
    name,
    family: 'others',
    shape: [],
    orders: [],
    spread: 20,
    pieces: [0, 1] as [number, number],
  })),
];

const MATERIAL = [100, 300, 320, 500, 900];
/** Of the logistic function, in the units of the tuner. */
export const TRUE_K = 2;

export interface Simulation {
  /** All mg, then all eg. */
  truth: Float64Array;
  start: Float64Array;
  terms: number;
  header: string;
}

type Random = () => number;
const uniform = (random: Random): number => random() / 2 ** 32;
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - uniform(random))) * Math.cos(2 * Math.PI * uniform(random));
const sizeOf = ({ shape }: Table): number => shape.reduce((product, length) => product * length, 1);

/** Returns the true weights and the header, whose start weights are material only. */
export function simulation(seed: number): Simulation {
  const random = createRandom(seed, 7);
  const values = [0, 1].map((phase) =>
    TABLES.flatMap((table) => {
      const { shape, orders, spread } = table;
      if (table.name === 'material') return MATERIAL.map((value) => value * (phase === 0 ? 0.95 : 1.1));
      const width = shape.at(-1) ?? 1;
      const rows = sizeOf(table) / width;
      return Array.from({ length: rows }, () => {
        const [slope, bend, side] = [25 * normal(random), 12 * normal(random), 12 * normal(random)];
        return Array.from({ length: width }, (_, i) => {
          const board = orders.at(-1) === 'squares';
          const x = board ? ((i >> 3) - 3.5) / 3.5 : width > 1 ? (2 * i) / (width - 1) - 1 : 0;
          const y = board ? Math.abs((i & 7) - 3.5) / 3.5 - 0.5 : 0;
          return slope * x + bend * (x * x - 0.33) + side * y + spread * normal(random);
        });
      }).flat();
    }),
  );
  const isMaterial = TABLES.flatMap((table) => Array<boolean>(sizeOf(table)).fill(table.name === 'material'));
  const start = values.map((list) => list.map((_, i) => (isMaterial[i] ? MATERIAL[i] : 0)));
  let offset = 0;
  const terms = TABLES.map(({ name, family, shape, orders }) => {
    const size = shape.reduce((product, length) => product * length, 1);
    const weights = Array.from({ length: size }, (_, i) => [start[0][offset + i], start[1][offset + i]]);
    offset += size;
    return {
      name,
      label: name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
      family,
      shape,
      orders,
      weights,
    };
  });
  return {
    truth: Float64Array.from(values.flat()),
    start: Float64Array.from(start.flat()),
    terms: offset,
    header: JSON.stringify({ format: 'heft-rows', version: 1, engine: 'Simulated 1.0', terms }),
  };
}

/** Draws a position: its phase, and the coefficients by term. */
function position(random: Random, terms: number): { phase: number; counts: Map<number, number> } {
  const counts = new Map<number, number>();
  const add = (term: number, by: number): void => void counts.set(term, (counts.get(term) ?? 0) + by);
  const phase = Math.floor(uniform(random) * 25);
  let offset = 0;
  for (const table of TABLES) {
    const size = sizeOf(table);
    const width = table.shape.at(-1) ?? 1;
    const [least, most] = table.pieces;
    for (const side of [1, -1]) {
      if (table.name === 'material') {
        // Both sides have about the same, or all games would be decided
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
  if (offset !== terms) throw new Error('the tables have other sizes');
  return { phase, counts };
}

/** Writes a file of rows: `games` games of `perGame` positions, results drawn from the truth. */
export function writeSimulation(
  file: string,
  simulated: Simulation,
  games: number,
  perGame: number,
  seed: number,
): void {
  const { truth, terms, header } = simulated;
  const random = createRandom(seed, 11);
  const fd = openSync(file, 'w');
  writeSync(fd, `${header}\nresult\tgame\tphase\trow\n`);
  let text = '';
  for (let game = 0; game < games; game++) {
    let result: string | null = null;
    for (let left = perGame; left > 0; ) {
      const { phase, counts } = position(random, terms);
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
}
