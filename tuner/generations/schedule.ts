// Schedule: games, nodes per move and labels of the next generation. Each generation costs twice as much as the previous one. Up to the
// usual nodes the additional budget is spent on nodes, then on games. A share of the budget is spent on labels. Later generations gain less,
// so their matches may be longer, and the bounds of their SPRT are closer together.

import type { GenerationEntry, LoopSettings } from './settings.js';

/** What a generation costs: self-play games, nodes per move, labels, and its match. */
export interface Effort {
  games: number;
  nodes: number;
  /** Maximum number of games of the match, and the bounds of its SPRT in normalized Elo. */
  matchGames: number;
  elo0: number;
  elo1: number;
  /** Null if the fit uses the games directly. */
  labels: LabelEffort | null;
  /** Share of the labels' scores in the target of the fit. */
  blend: number;
}

/** Labelled positions per game of the generation, and nodes per label. Earlier games have weaker moves, and their labels fit worse. */
export interface LabelEffort {
  perGame: number;
  /** Positions per game of each round before the last, and over all rounds. */
  draftPerGame: number;
  totalPerGame: number;
  nodes: number;
}

type Played = Pick<Effort, 'games' | 'nodes'>;

/** Effort of the first generation. Weak weights gain little from more nodes or games. */
const FIRST: Played = { games: 1000, nodes: 100 };
/** The same for a start with piece values, which profits from more nodes; this many generations cost the same before costs double. */
const FIRST_WITH_PIECES: Played = { games: 2000, nodes: 200 };
const EVEN_GENERATIONS = 3;

/** Nodes per move up to which better moves are worth more than more games, and the most if the number of games is given. */
const USUAL_NODES = 200;
const MOST_NODES = 5000;

/** Minimum number of match games, and the share of the self-play nodes available to the match. */
const LEAST_MATCH = 400;
const MATCH_SHARE = 3 / 8;

/** Returns the effort of a generation; given settings are kept. */
export function effortOf(settings: LoopSettings, generations: readonly GenerationEntry[], generation: number): Effort {
  const { games, nodes } = budgetOf(settings, generation);
  const pairs = Math.round((MATCH_SHARE * games * nodes) / (2 * settings.matchNodes));
  const matchGames = settings.matchGames ?? Math.max(LEAST_MATCH, 2 * pairs);
  const match = { matchGames, ...boundsOf(settings, matchGames) };
  const labels = givesScores(settings, generations, generation) ? labelsOf(settings, nodes) : null;
  if (labels === null) return { games, nodes, ...match, labels, blend: 0 };
  // The labels replace some of the games
  const played = settings.games ?? Math.round((1 - settings.labelShare) * games);
  return { games: played, nodes, ...match, labels, blend: settings.blend };
}

/** Returns the bounds of the SPRT, which fall with the error of the longest match, because such a match can prove smaller differences. */
function boundsOf({ elo0, elo1, matchGames }: LoopSettings, games: number): Pick<Effort, 'elo0' | 'elo1'> {
  if (matchGames !== undefined) return { elo0, elo1 };
  const scaled = (bound: number): number => Number((bound * Math.sqrt(LEAST_MATCH / games)).toPrecision(2));
  return { elo0: scaled(elo0), elo1: scaled(elo1) };
}

/** Returns the self-play of a generation that spends its whole budget on games. */
function budgetOf(settings: LoopSettings, generation: number): Played {
  const hasPieces = settings.from !== 'zero';
  const { games, nodes } = { ...(hasPieces ? FIRST_WITH_PIECES : FIRST), ...settings };
  let budget: Played = { games, nodes };
  for (let number = hasPieces ? EVEN_GENERATIONS : 1; number < generation; number++) budget = after(budget, settings);
  return budget;
}

/** Returns whether the weights that a generation starts from give useful scores; all-zero weights do not. */
const givesScores = ({ from }: LoopSettings, generations: readonly GenerationEntry[], generation: number): boolean =>
  from !== 'zero' || generations.slice(0, generation - 1).some(({ accepted }) => accepted);

/** Approximate moves per self-play game. */
export const PLIES = 160;
/** Nodes of a label for each node of a move. Deeper labels are better, but fewer. */
const LABEL_FACTOR = 10;
const MOST_LABEL_NODES = 10_000;
/** Labels of a round before the last, as a share of those of the last. */
const DRAFT_SHARE = 0.5;

function labelsOf(settings: LoopSettings, nodes: number): LabelEffort | null {
  const { labelShare: share, labelRounds, perGame } = settings;
  if (share === 0) return null;
  const each = settings.labelNodes ?? Math.min(MOST_LABEL_NODES, LABEL_FACTOR * nodes);
  const budget = (share / (1 - share)) * PLIES * nodes;
  const last = Math.round(budget / each / (1 + DRAFT_SHARE * (labelRounds - 1)));
  const most = Math.max(1, Math.min(perGame, last));
  const draft = Math.ceil(DRAFT_SHARE * most);
  return { nodes: each, perGame: most, draftPerGame: draft, totalPerGame: most + (labelRounds - 1) * draft };
}

function after({ games, nodes }: Played, given: Partial<Played>): Played {
  const most = given.games === undefined ? USUAL_NODES : MOST_NODES;
  if (given.nodes === undefined && nodes < most) return { games, nodes: Math.min(2 * nodes, most) };
  return { games: given.games ?? 2 * games, nodes };
}
