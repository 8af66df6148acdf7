// STAGES: the stages of a generation, in order. Each has a progress line, a cost, and a function that does the work and returns a part of
// the ledger entry. After an interruption, a stage runs again and continues from its files, if there are any. The options and the ledger of
// a loop are in ../generations, because the film also uses them.

import { readWeights, weightsHash } from '../../selfplay/common/weights.js';
import { counted } from '../../selfplay/common/wording.js';
import { isAccepted } from '../generations/acceptance.js';
import { type Effort, PLIES } from '../generations/schedule.js';
import { type GenerationEntry, type LoopSettings, POOL_WEIGHTS } from '../generations/settings.js';
import { unplayed } from '../generations/story.js';
import { matchEntry, matchLine } from '../weights/shipped-ledger.js';
import type { LoopContext } from './context.js';
import { type RecordCost, SHARE_OF_MATCH, type StageCost } from './estimate.js';
import { FIXED_GAMES, fitGeneration, label, selfplay } from './learning.js';
import { playPool, playPrevious } from './matches.js';

/** The ledger entry of a generation so far. */
export type PartialEntry = Partial<GenerationEntry> & { generation: number };

export interface Stage extends StageCost {
  /** Returns the line that announces the stage, or null if the generation skips it. */
  announce: (context: LoopContext, entry: PartialEntry) => string | null;
  /** Returns the stage's part of the plan that the loop prints first, or null. */
  plan?: (settings: LoopSettings, effort: Effort) => string | null;
  /** Does the remaining work, and records its seconds and its `units`. Throws Interrupted if the signal stops it. */
  run: (context: LoopContext, entry: PartialEntry, record: RecordCost) => Promise<Partial<GenerationEntry>>;
}

/** Assumptions until a stage has been measured: nodes and positions per second and thread, and passes over the positions per fit. */
const NODES_PER_SECOND = 900_000;
const POSITIONS_PER_SECOND = 2_000_000;
const PASSES = 300;

const secondsPerNode = (workers: number): number => 1 / (NODES_PER_SECOND * workers);

/** Returns whether the fit changed the weights. */
const isNew = ({ played, weights }: PartialEntry): boolean => weights !== played;

export const STAGES: readonly Stage[] = [
  {
    name: 'selfplay',
    guess: (_, workers) => PLIES * secondsPerNode(workers),
    units: ({ games, nodes }) => games * nodes,
    announce: (context, { generation }) => {
      const { games, nodes } = context.effort(generation);
      return `${games} games at ${nodes} nodes per move`;
    },
    plan: (settings, { games, nodes }) => {
      const grows = settings.games === undefined || settings.nodes === undefined;
      return `${counted(games, 'games')} of self-play at ${counted(nodes, 'nodes')} per move${grows ? ', more in later generations' : ''}`;
    },
    run: async (context, { generation }, record) => {
      const { nodes } = context.effort(generation);
      const { games, positions, seconds, gamesThisSession } = await selfplay(context, generation);
      record(seconds, gamesThisSession * nodes);
      return { games, nodes, positions };
    },
  },
  {
    name: 'label',
    guess: (_, workers) => secondsPerNode(workers),
    units: ({ labels }) => (labels === null ? 0 : labels.total * labels.nodes),
    announce: (context, { generation }) => {
      const { labels } = context.effort(generation);
      if (labels === null) return null;
      const { labelRounds } = context.ledger.settings;
      const rounds = labelRounds === 1 ? '' : `, in ${labelRounds} rounds`;
      return `labels for ${labels.perGame} positions per game, ${labels.nodes} nodes each${rounds}`;
    },
    plan: ({ labelShare }) => (labelShare > 0 ? 'labels for their positions from deeper searches' : null),
    run: async (context, { generation }, record) => {
      const { labels } = context.effort(generation);
      const labelled = await label(context, generation);
      if (labels === null || labelled === null) return { labels: null };
      record(labelled.seconds, labelled.gamesThisSession * labels.perGame * labels.nodes);
      return { labels: { positions: labelled.positions, nodes: labels.nodes } };
    },
  },
  {
    name: 'fit',
    guess: ({ perGame }, workers) => (perGame * PASSES) / (POSITIONS_PER_SECOND * workers),
    units: ({ window }) => window.games + FIXED_GAMES,
    announce: () => 'fitting the weights',
    plan: () => 'a fit',
    run: async (context, { generation }, record) => {
      const { fit } = await fitGeneration(context, generation, record);
      const hashOf = (number: number): string => weightsHash(readWeights(context.folder.weights(number)));
      return { played: hashOf(context.baseOf(generation)), weights: hashOf(generation), fit };
    },
  },
  {
    name: 'match',
    guess: ({ matchNodes }, workers) => matchNodes * PLIES * secondsPerNode(workers),
    units: ({ matchGames }) => SHARE_OF_MATCH * matchGames,
    announce: (_, entry) => (isNew(entry) ? 'match against the previous weights' : null),
    plan: (_, { matchGames }) => `a match of at most ${counted(matchGames, 'games')}`,
    run: async (context, entry, record) => {
      if (!isNew(entry)) return { match: null, line: unplayed({ claim: entry.fit?.claim ?? null }), accepted: false };
      const match = await playPrevious(context, entry.generation);
      record(match.seconds, match.games);
      return { match: matchEntry(match), line: matchLine(match), accepted: isAccepted(match) };
    },
  },
  {
    name: 'pool',
    like: 'match',
    guess: () => 0,
    units: (_, { poolGames, engine }) => poolGames * (POOL_WEIGHTS.length + engine.length),
    announce: ({ ledger }, { accepted }) =>
      accepted && ledger.settings.poolGames > 0 ? 'matches against the pool' : null,
    run: async (context, { generation, accepted }) => ({ pool: accepted ? await playPool(context, generation) : [] }),
  },
];
