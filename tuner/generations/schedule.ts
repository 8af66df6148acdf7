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
  /** The first generation whose games the fit uses, and the number of games since then. */
  window: { first: number; games: number };
  /** Share of the labels' scores in the target of the fit. */
  blend: number;
}

/** Labels of a generation, and nodes per label. */
export interface LabelEffort {
  /** Positions per game of the window in the last round, and per game of the generation itself in each round before. */
  perGame: number;
  draftPerGame: number;
  /** Labels over all rounds. */
  total: number;
  nodes: number;
}

type Played = Pick<Effort, 'games' | 'nodes'>;

/** Effort of the first generation. Weak weights gain little from more nodes or games. */
const FIRST: Played = { games: 1200, nodes: 100 };
/**
 * The same for a start with piece values, which profits from more nodes. The first EVEN_GENERATIONS generations cost the same; later ones
 * double.
 */
const FIRST_WITH_PIECES: Played = { games: 2400, nodes: 200 };
const EVEN_GENERATIONS = 3;

/** Nodes per move up to which better moves are worth more than more games, and the maximum if the number of games is given. */
const USUAL_NODES = 200;
const MOST_NODES = 5000;

/** Minimum number of match games, and the share of the self-play nodes available to the match. */
const LEAST_MATCH = 400;
const MATCH_SHARE = 3 / 8;

/** Returns the effort of a generation; given settings are kept. */
export function effortOf(settings: LoopSettings, generations: readonly GenerationEntry[], generation: number): Effort {
  const budget = budgetOf(settings, generation);
  const pairs = Math.round((MATCH_SHARE * budget.games * budget.nodes) / (2 * settings.matchNodes));
  const matchGames = settings.matchGames ?? Math.max(LEAST_MATCH, 2 * pairs);
  const match = { matchGames, ...boundsOf(settings, matchGames) };
  const played = playedOf(settings, generations, generation);
  const window = windowOf(settings, generations, generation);
  const labels = hasLabels(settings, generations, generation) ? labelsOf(settings, played, window.games) : null;
  return { ...played, ...match, labels, window, blend: labels === null ? 0 : settings.blend };
}

/** Returns the window of a generation's fit. Games of weights without useful scores are too poor to be labelled. */
function windowOf(
  settings: LoopSettings,
  generations: readonly GenerationEntry[],
  generation: number,
): Effort['window'] {
  const isUsed = (earlier: number): boolean =>
    earlier > generation - settings.window &&
    (hasLabels(settings, generations, earlier) || !hasLabels(settings, generations, generation));
  let first = generation;
  let { games } = playedOf(settings, generations, generation);
  while (first > 1 && isUsed(first - 1)) games += playedOf(settings, generations, --first).games;
  return { first, games };
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

/** Returns the self-play of a generation, less the games that its labels replace. */
function playedOf(settings: LoopSettings, generations: readonly GenerationEntry[], generation: number): Played {
  const { games, nodes } = budgetOf(settings, generation);
  if (settings.games !== undefined || !hasLabels(settings, generations, generation)) return { games, nodes };
  return { games: Math.round((1 - settings.labelShare) * games), nodes };
}

/** Returns whether a generation has labels: the scores of all-zero weights are useless. */
function hasLabels(
  { from, labelShare }: LoopSettings,
  generations: readonly GenerationEntry[],
  generation: number,
): boolean {
  const hasScores = from !== 'zero' || generations.slice(0, generation - 1).some(({ accepted }) => accepted);
  return labelShare > 0 && hasScores;
}

/** Approximate moves per self-play game. */
export const PLIES = 160;
/** Nodes of a label for each node of a move. Deeper labels are better, but fewer. */
const LABEL_FACTOR = 10;
const MOST_LABEL_NODES = 10_000;
/** Labels per game in a round before the last, as a share of those in the last. */
const DRAFT_SHARE = 0.5;

function labelsOf(
  { labelShare, labelRounds, labelNodes, perGame: most }: LoopSettings,
  { games, nodes }: Played,
  windowGames: number,
): LabelEffort {
  const each = labelNodes ?? Math.min(MOST_LABEL_NODES, LABEL_FACTOR * nodes);
  const affordable = ((labelShare / (1 - labelShare)) * PLIES * nodes * games) / each;
  const drafts = labelRounds - 1;
  const perGame = Math.max(1, Math.min(most, Math.round(affordable / (windowGames + DRAFT_SHARE * drafts * games))));
  const draftPerGame = Math.ceil(DRAFT_SHARE * perGame);
  return { nodes: each, perGame, draftPerGame, total: windowGames * perGame + drafts * games * draftPerGame };
}

function after({ games, nodes }: Played, given: Partial<Played>): Played {
  const most = given.games === undefined ? USUAL_NODES : MOST_NODES;
  if (given.nodes === undefined && nodes < most) return { games, nodes: Math.min(2 * nodes, most) };
  return { games: given.games ?? 2 * games, nodes };
}
