// effortOf(): games, nodes per move, labels and match length of a generation. By default, the nodes per move double until they reach
// USUAL_NODES. After that, the number of games is multiplied by `growth`. Few large generations spend less time on fits and matches than
// many small ones. A share of the budget is spent on labels. Later generations gain less, so their matches may be longer, with SPRT bounds
// that are closer together.

import type { GenerationEntry, LoopSettings } from './settings.js';

/** The work of a generation: self-play games, nodes per move, labels and match. */
export interface Effort {
  games: number;
  nodes: number;
  /** Maximum number of games of the match, and the bounds of its SPRT in normalized Elo. */
  matchGames: number;
  elo0: number;
  elo1: number;
  /** Null if the fit uses the games directly. */
  labels: LabelEffort | null;
  /** The first generation whose games the fit uses, and the number of games from it on. */
  window: { first: number; games: number };
  /** Share of the labels' scores in the target of the fit. */
  blend: number;
}

/** The labels of a generation. */
export interface LabelEffort {
  /** Maximum number of positions per game: in the last round, from the games of the window; in earlier rounds, from this generation's. */
  perGame: number;
  draftPerGame: number;
  /** Maximum number of labels in all rounds together, and nodes per label. */
  total: number;
  nodes: number;
}

type Played = Pick<Effort, 'games' | 'nodes'>;

/** Self-play of the first generation from zero. Weak weights gain little from more nodes or games. */
const FIRST: Played = { games: 1200, nodes: 100 };
/**
 * Self-play of the first generation from weights with piece values, which gain more from nodes. The first EVEN_GENERATIONS generations have
 * the same budget. After that, the number of games grows.
 */
const FIRST_WITH_PIECES: Played = { games: 2400, nodes: 200 };
const EVEN_GENERATIONS = 3;

/** Up to USUAL_NODES per move, better moves are worth more than additional games. MAX_NODES is the limit if `--games` is given. */
const USUAL_NODES = 200;
const MAX_NODES = 5000;

/** Minimum number of match games; the nodes of a longer match are MATCH_SHARE of the nodes in the generation's budget. */
const MIN_MATCH = 400;
const MATCH_SHARE = 3 / 8;

/** Returns the effort of a generation. Settings given by the user take precedence over the schedule. */
export function effortOf(settings: LoopSettings, generations: readonly GenerationEntry[], generation: number): Effort {
  const { from, labelShare } = settings;
  // In a run from zero, an earlier generation must have been accepted, because scores of all-zero weights are useless
  const hasLabels = (number: number): boolean =>
    labelShare > 0 && (from !== 'zero' || generations.slice(0, number - 1).some(({ accepted }) => accepted));
  const playedIn = (number: number): Played => {
    const { games, nodes } = budgetOf(settings, number);
    const isShared = settings.games === undefined && hasLabels(number);
    return { games: isShared ? Math.round((1 - labelShare) * games) : games, nodes };
  };
  // Games played by all-zero weights are too poor to be labelled later
  const isUsed = (earlier: number): boolean =>
    earlier > generation - settings.window && (hasLabels(earlier) || !hasLabels(generation));

  const budget = budgetOf(settings, generation);
  const pairs = Math.round((MATCH_SHARE * budget.games * budget.nodes) / (2 * settings.matchNodes));
  const matchGames = settings.matchGames ?? Math.max(MIN_MATCH, 2 * pairs);
  const match = { matchGames, ...boundsOf(settings, matchGames) };
  const played = playedIn(generation);
  const window = { first: generation, games: played.games };
  while (window.first > 1 && isUsed(window.first - 1)) window.games += playedIn(--window.first).games;
  const labels = hasLabels(generation) ? labelsOf(settings, played, window.games) : null;
  return { ...played, ...match, labels, window, blend: labels === null ? 0 : settings.blend };
}

/** Returns the bounds of the SPRT. They scale with the error of a match of full length, because a longer match can prove smaller gains. */
function boundsOf({ elo0, elo1, matchGames }: LoopSettings, games: number): Pick<Effort, 'elo0' | 'elo1'> {
  if (matchGames !== undefined) return { elo0, elo1 };
  const scaled = (bound: number): number => Number((bound * Math.sqrt(MIN_MATCH / games)).toPrecision(2));
  return { elo0: scaled(elo0), elo1: scaled(elo1) };
}

/** Returns the budget of a generation, expressed as self-play without labels. */
function budgetOf(settings: LoopSettings, generation: number): Played {
  const hasPieces = settings.from !== 'zero';
  const { games, nodes } = { ...(hasPieces ? FIRST_WITH_PIECES : FIRST), ...settings };
  let budget: Played = { games, nodes };
  for (let number = hasPieces ? EVEN_GENERATIONS : 1; number < generation; number++) budget = after(budget, settings);
  return budget;
}

/** Approximate plies per self-play game. */
export const PLIES = 160;
/** Nodes per label, as a multiple of the nodes per move. Larger searches give better labels, but fewer of them. */
const LABEL_FACTOR = 10;
const MAX_LABEL_NODES = 10_000;
/** Labels per game in the rounds before the last, as a share of the labels in the last round. */
const DRAFT_SHARE = 0.5;

function labelsOf(
  { labelShare, labelRounds, labelNodes, perGame: most }: LoopSettings,
  { games, nodes }: Played,
  windowGames: number,
): LabelEffort {
  const each = labelNodes ?? Math.min(MAX_LABEL_NODES, LABEL_FACTOR * nodes);
  const affordable = ((labelShare / (1 - labelShare)) * PLIES * nodes * games) / each;
  const drafts = labelRounds - 1;
  const perGame = Math.max(1, Math.min(most, Math.round(affordable / (windowGames + DRAFT_SHARE * drafts * games))));
  const draftPerGame = Math.ceil(DRAFT_SHARE * perGame);
  return { nodes: each, perGame, draftPerGame, total: windowGames * perGame + drafts * games * draftPerGame };
}

function after({ games, nodes }: Played, given: Partial<Played> & Pick<LoopSettings, 'growth'>): Played {
  const most = given.games === undefined ? USUAL_NODES : MAX_NODES;
  if (given.nodes === undefined && nodes < most) return { games, nodes: Math.min(2 * nodes, most) };
  return { games: given.games ?? Math.round(given.growth * games), nodes };
}
