// Schedule: how many games the next generation plays and how many nodes it gives a move, from what the last fit says. Each generation
// costs twice the one before. Where chance took much of what the games could teach, the double goes into games; else into nodes, because
// better moves are then what is missing. Later generations gain less, and their matches may take longer to see it.

import type { Gain } from '../fit/gain.js';
import type { GenerationEntry, LoopSettings } from './settings.js';

/** What a generation costs: self-play games, nodes per move, labels, and the maximum number of match games. */
export interface Effort {
  games: number;
  nodes: number;
  matchGames: number;
  /** null if the fit takes the games as they are. */
  labels: LabelEffort | null;
}

/** Positions labelled of each game that the fit uses, and nodes of each. */
export interface LabelEffort {
  perGame: number;
  nodes: number;
}

type Played = Pick<Effort, 'games' | 'nodes'>;

/** The first generation's. Weights that know little see no more with more nodes, and a few games teach them what they can learn. */
const FIRST: Played = { games: 1000, nodes: 100 };
/** Weights with piece values profit from more nodes; so many of their generations cost the same before costs double. */
const FIRST_OF_KNOWING: Played = { games: 2000, nodes: 200 };
const EVEN_GENERATIONS = 3;

/** Nodes per move above which self-play games add hardly more information. */
const MOST_NODES = 5000;

/** The share of what there was to learn that chance may take. */
const CHANCE = 0.1;

/** A match has at least so many games to decide in, and nodes for this share of those of the self-play. */
const LEAST_MATCH = 300;
const MATCH_SHARE = 3 / 8;

/** Returns the effort of a generation; given settings are kept. The result of the last fit applies to all later ones. */
export function effortOf(settings: LoopSettings, generations: readonly GenerationEntry[], generation: number): Effort {
  const knows = settings.from !== 'zero';
  const { games, nodes } = { ...(knows ? FIRST_OF_KNOWING : FIRST), ...settings };
  let played: Played = { games, nodes };
  const lost = generations.slice(0, generation - 1).map(({ fit }) => lostToChance(fit.gain));
  for (let number = knows ? EVEN_GENERATIONS : 1; number < generation; number++) {
    played = after(played, lost[number - 1] ?? lost.at(-1) ?? 1, settings);
  }
  const pairs = Math.round((MATCH_SHARE * played.games * played.nodes) / (2 * settings.matchNodes));
  // Weights that are all zero have nothing to say of a position
  const knowsPieces = knows || generations.slice(0, generation - 1).some(({ accepted }) => accepted);
  return {
    ...played,
    matchGames: settings.matchGames ?? Math.max(LEAST_MATCH, 2 * pairs),
    labels: knowsPieces ? labelsOf(played, settings, generation) : null,
  };
}

/** Moves of a game of self-play, about. */
export const PLIES = 160;
/** Labels of more nodes tell hardly more. */
const LABEL_FACTOR = 10;
const MOST_LABEL_NODES = 10_000;

function labelsOf({ games, nodes }: Played, settings: LoopSettings, generation: number): LabelEffort | null {
  const { labelShare: share, window, perGame } = settings;
  if (share === 0) return null;
  const each = settings.labelNodes ?? Math.min(MOST_LABEL_NODES, LABEL_FACTOR * nodes);
  const budget = (share / (1 - share)) * PLIES * nodes * games;
  // The games before are labelled anew, as what weaker weights said of them is out of date
  const labelled = games * Math.min(window, generation);
  return { nodes: each, perGame: Math.max(1, Math.min(perGame, Math.round(budget / (each * labelled)))) };
}

function after({ games, nodes }: Played, lost: number, given: Partial<Played>): Played {
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
