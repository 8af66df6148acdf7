// STAGES: the stages of a generation, in order. A stage is an object with its progress line, its cost, and its work, which returns its part
// of the ledger entry. After an interruption, a stage runs again and continues from its files. The options and the ledger of a loop are in
// ../generations, because the film and the reports also read them.

import { readWeights, weightsHash } from '../../selfplay/common/weights.js';
import { isAccepted } from '../generations/acceptance.js';
import { PLIES } from '../generations/schedule.js';
import { type GenerationEntry, POOL_WEIGHTS } from '../generations/settings.js';
import { unplayed } from '../generations/story.js';
import { matchEntry, matchLine } from '../weights/shipped-ledger.js';
import type { LoopContext } from './context.js';
import { SHARE_OF_MATCH, type StageCost } from './estimate.js';
import { fitGeneration, label, selfplay } from './learning.js';
import { playPool, playPrevious } from './matches.js';

/** The ledger entry of a generation so far. */
export type PartialEntry = Partial<GenerationEntry> & { generation: number };

export interface Stage extends StageCost {
  /** Returns the progress line, or null if the generation skips the stage. */
  announce: (context: LoopContext, entry: PartialEntry) => string | null;
  /** Does the remaining work; throws Interrupted if the signal stops it. */
  run: (context: LoopContext, entry: PartialEntry) => Promise<Partial<GenerationEntry>>;
}

/** Estimates until a stage has been measured: nodes and positions per second and thread, passes per fit. */
const NODES_PER_SECOND = 750_000;
const POSITIONS_PER_SECOND = 2_000_000;
const PASSES = 600;

const secondsPerNode = (workers: number): number => 1 / (NODES_PER_SECOND * workers);

/** Returns whether the fit changed the initial weights. */
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
    run: async (context, { generation }) => {
      const { games, positions } = await selfplay(context, generation);
      return { games, nodes: context.effort(generation).nodes, positions };
    },
  },
  {
    name: 'label',
    guess: (_, workers) => secondsPerNode(workers),
    units: ({ games, labels }) => (labels === null ? 0 : games * labels.perGame * labels.nodes),
    announce: (context, { generation }) => {
      const { labels } = context.effort(generation);
      return labels === null ? null : `labels of ${labels.perGame} positions per game, ${labels.nodes} nodes each`;
    },
    run: async (context, { generation }) => {
      const labelled = await label(context, generation);
      const nodes = context.effort(generation).labels?.nodes ?? 0;
      return { labels: labelled === null ? null : { positions: labelled.positions, nodes } };
    },
  },
  {
    name: 'fit',
    guess: ({ perGame }, workers) => (perGame * PASSES) / (POSITIONS_PER_SECOND * workers),
    units: (_, fitted) => fitted,
    announce: () => 'fitting the weights',
    run: async (context, { generation }) => {
      const { fit } = await fitGeneration(context, generation);
      const hashOf = (number: number): string => weightsHash(readWeights(context.folder.weights(number)));
      return { played: hashOf(context.baseOf(generation)), weights: hashOf(generation), fit };
    },
  },
  {
    name: 'match',
    guess: ({ matchNodes }, workers) => matchNodes * PLIES * secondsPerNode(workers),
    units: ({ matchGames }) => SHARE_OF_MATCH * matchGames,
    announce: (_, entry) => (isNew(entry) ? 'match against the previous weights' : null),
    run: async (context, entry) => {
      if (!isNew(entry)) return { match: null, line: unplayed({ claim: entry.fit?.claim ?? null }), accepted: false };
      const match = await playPrevious(context, entry.generation);
      return { match: matchEntry(match), line: matchLine(match), accepted: isAccepted(match) };
    },
  },
  {
    name: 'pool',
    like: 'match',
    guess: () => 0,
    units: (_effort, _fitted, { poolGames, engine }) => poolGames * (POOL_WEIGHTS.length + engine.length),
    announce: ({ ledger }, { accepted }) =>
      accepted && ledger.settings.poolGames > 0 ? 'matches against the pool' : null,
    run: async (context, { generation, accepted }) => ({ pool: accepted ? await playPool(context, generation) : [] }),
  },
];
