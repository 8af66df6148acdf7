// Schedule: how many games the next generation plays and how many nodes it gives a move, from what the last fit says. Each generation
// costs twice the one before. Where chance took much of what the games could teach, the double goes into games; else into nodes, because
// better moves are then what is missing.

import type { Gain } from '../fit/gain.js';
import type { GenerationEntry } from './ledger.js';
import type { LoopSettings } from './loop-settings.js';

/** What a generation's self-play costs: games, and nodes a move. */
export interface Effort {
  games: number;
  nodes: number;
}

/** The first generation's. Weights that know little see no more with more nodes, and a few games teach them what they can learn. */
const FIRST: Effort = { games: 1000, nodes: 100 };

/** Self-play with more nodes a move than these teaches hardly more from as many games. */
const MOST_NODES = 5000;

/** The share of what there was to learn that chance may take. */
const CHANCE = 0.1;

/** Returns the effort of a generation; what the settings give stays as it is. What the last fit said holds for all that come after it. */
export function effortOf(settings: LoopSettings, generations: readonly GenerationEntry[], generation: number): Effort {
  const { games, nodes } = { ...FIRST, ...settings };
  let effort = { games, nodes };
  const lost = generations.slice(0, generation - 1).map(({ fit }) => lostToChance(fit.gain));
  for (let number = 1; number < generation; number++) {
    effort = after(effort, lost[number - 1] ?? lost.at(-1) ?? 1, settings);
  }
  return effort;
}

function after({ games, nodes }: Effort, lost: number, given: Partial<Effort>): Effort {
  const needsGames = lost > CHANCE || nodes >= MOST_NODES;
  if (given.games === undefined && (needsGames || given.nodes !== undefined)) return { games: 2 * games, nodes };
  return { games, nodes: given.nodes ?? Math.max(nodes, Math.min(2 * nodes, MOST_NODES)) };
}

/** Returns the share of what the games could teach that chance took; 1 where nothing is known of it. It falls as 1 / games. */
function lostToChance(gain: Gain | null): number {
  if (gain === null) return 1;
  const lost = gain.optimism / 2;
  return lost / Math.max(lost, gain.mean + lost);
}
