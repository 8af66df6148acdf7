// Weights and positions for tests of the evaluation.

import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { traceEvaluate } from '../../../engine/eval/kernel.js';
import { TERMS, WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { traceCounts } from '../../../engine/eval/workspace.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { randomWalks } from '../board/walks.js';

export interface Vectors {
  mg: number[];
  eg: number[];
}

/** Returns random whole weights within ±limit, drawn separately for middlegame and endgame. */
export function randomWeights(seed: number, limit = 300): Vectors {
  const random = createRandom(seed);
  const values = (): number[] => Array.from({ length: WEIGHT_COUNT }, () => randomBelow(random, 2 * limit + 1) - limit);
  return { mg: values(), eg: values() };
}

/** Returns the FENs of positions from random games, some of them with bare kings or many promoted pieces. */
export function randomPositions(seed: number, count: number): string[] {
  const fens: string[] = [];
  randomWalks(seed, 60, 90, ({ random }) => {
    if (randomBelow(random, 4) === 0) fens.push(formatFen());
  });
  const random = createRandom(seed, 1);
  return Array.from({ length: count }, () => fens[randomBelow(random, fens.length)]);
}

/** Returns the nonzero counts of the named terms in a position, White minus Black, by name and index. Requires tracing. */
export function countsOf(fen: string, ...names: string[]): Record<string, number> {
  parseFen(fen);
  traceEvaluate();
  return cellsOf(names, (index) => {
    const [linear, white, black] = [0, 1, 2].map((part) => traceCounts[part * WEIGHT_COUNT + index]);
    return linear + white - black;
  });
}

/** Returns the nonzero counts of the scale terms of a side, by name and index. Requires tracing. */
export function scaleCountsOf(fen: string, us: number): Record<string, number> {
  parseFen(fen);
  traceEvaluate();
  const names = TERMS.filter(({ act }) => act === 'factor').map(({ name }) => name);
  return cellsOf(names, (index) => traceCounts[(3 + us) * WEIGHT_COUNT + index]);
}

function cellsOf(names: readonly string[], timesOf: (index: number) => number): Record<string, number> {
  const cells: [string, number][] = [];
  for (const { name, shape, offset, size } of TERMS) {
    if (!names.includes(name)) continue;
    for (let i = 0; i < size; i++) {
      const times = timesOf(offset + i);
      if (times !== 0) cells.push([name + cellName(shape, i), times]);
    }
  }
  return Object.fromEntries(cells);
}

function cellName(shape: readonly number[], index: number): string {
  if (shape.length === 1 && shape[0] === 1) return '';
  let rest = index;
  const indices = shape.toReversed().map((length) => {
    const at = rest % length;
    rest = (rest - at) / length;
    return at;
  });
  return ` ${indices.reverse().join(' ')}`;
}

/** Returns the FEN with the colours exchanged and the board turned upside down. */
export function flipColors(fen: string): string {
  const swapCase = (text: string): string =>
    text.replace(/[a-z]/gi, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    );
  const [placement, side, castling, ep, ...clocks] = fen.split(' ');
  const ranks = placement.split('/').toReversed().join('/');
  const flippedEp = ep.replace(/[36]/, (rank) => (rank === '3' ? '6' : '3'));
  return [swapCase(ranks), side === 'w' ? 'b' : 'w', swapCase(castling), flippedEp, ...clocks].join(' ');
}
