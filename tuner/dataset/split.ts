// splitByOpening() splits the data into training and held-out games. The games of an opening stay together, because positions of a game
// share its result, and games of an opening share positions. The side of an opening depends only on its hash, the seed and the held-out
// fraction. It therefore stays the same when data are added, unless all openings would fall on one side.

import { createRandom } from '../../engine/kernel/random.js';
import type { Dataset } from './dataset.js';

/** A split, with the number of games on each side. */
export interface Split {
  /** 1 for held-out positions, 0 for training positions. */
  heldOut: Uint8Array;
  trainGames: number;
  heldOutGames: number;
}

/**
 * Splits by opening. On average, `fraction` (in [0, 1)) of the openings are held out. If it is above 0 and there are at least two
 * openings, neither side is empty. With a single opening, all positions are for training.
 */
export function splitByOpening(dataset: Dataset, fraction: number, seed: number): Split {
  const { game, opening } = dataset;
  const games = [...new Set(game)];
  const draws = new Map(games.map((index) => [opening[index], drawOf(opening[index], seed)]));
  const held = heldOutOpenings(draws, fraction);
  const heldOutGames = games.filter((index) => held.has(opening[index])).length;
  const heldOut = Uint8Array.from(game, (index) => (held.has(opening[index]) ? 1 : 0));
  return { heldOut, trainGames: games.length - heldOutGames, heldOutGames };
}

/** Returns 1 for the rows of half of the held-out openings, rounded down, and 0 for all other rows. */
export function halfOfHeldOut(dataset: Dataset, { heldOut }: Split, seed: number): Uint8Array {
  const openings = [...new Set(dataset.game.filter((_, row) => heldOut[row] === 1))].map(
    (game) => dataset.opening[game],
  );
  const ordered = [...new Set(openings)].sort((a, b) => drawOf(a, seed + 1) - drawOf(b, seed + 1) || a - b);
  const half = new Set(ordered.slice(0, ordered.length >> 1));
  return heldOut.map((flag, row) => (flag === 1 && half.has(dataset.opening[dataset.game[row]]) ? 1 : 0));
}

/** Returns a random number in [0, 1) that depends only on the opening and the seed. */
const drawOf = (opening: number, seed: number): number => createRandom(seed, opening)() / 2 ** 32;

function heldOutOpenings(draws: ReadonlyMap<number, number>, fraction: number): Set<number> {
  const held = new Set<number>();
  if (fraction <= 0 || draws.size < 2) return held;
  for (const [opening, draw] of draws) if (draw < fraction) held.add(opening);

  // With few openings, all may fall on one side. The opening with the smallest or the largest random number then changes sides
  const ordered = [...draws].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  if (held.size === 0) held.add(ordered[0][0]);
  if (held.size === draws.size) held.delete(ordered[ordered.length - 1][0]);
  return held;
}
