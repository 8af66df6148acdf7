// The options of `npm run selfplay` and the settings of a run, which derive from them.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { UserError } from '../common/errors.js';
import { flag, parsed, type SettingsOf, text, whole } from '../common/options.js';
import { OUTPUT_OPTIONS } from '../common/outputs.js';
import { WEIGHTS_HELP } from '../common/weights.js';
import { ADJUDICATION_OPTIONS } from '../games/adjudication.js';
import { parseTimeControl, type TimeControl } from '../games/clock.js';

/** The hard limit is this many times the soft one when it is not given. */
const HARD_FACTOR = 8;

export const SELFPLAY_OPTIONS = {
  games: whole({ min: 1, default: 1000, help: 'number of games' }),
  'soft-nodes': whole({
    min: 1,
    identity: true,
    defaultText: '5000',
    help: 'soft limit of a move: no new iteration after this many nodes',
  }),
  nodes: whole({
    min: 1,
    identity: true,
    defaultText: `${HARD_FACTOR} times the soft limit`,
    help: 'hard limit of a move; without --soft-nodes, the soft limit',
  }),
  tc: parsed(selfplayTimeControl, {
    identity: true,
    conflicts: ['soft-nodes', 'nodes'],
    help: 'play by the clock instead, such as 1+0.08 (seconds); games are then not reproducible',
  }),
  seed: whole({ default: 1, identity: true, help: 'seed: the same seed gives the same games' }),
  workers: whole({ min: 1, max: 256, default: 2, help: 'number of threads' }),
  out: text({ default: 'runs/selfplay', help: 'folder of the run; a run in it is continued' }),
  weights: text({ default: 'shipped', help: WEIGHTS_HELP }),
  openings: text({ help: 'book of start positions: EPD, FEN or PGN, plain or .gz' }),
  'min-plies': whole({ max: 100, default: 8, identity: true, help: 'minimum number of random plies before a game' }),
  'max-plies': whole({ max: 100, default: 9, identity: true, help: 'maximum number of random plies before a game' }),
  'keep-lost': flag({ identity: true, help: 'keep openings that a short search finds lost' }),
  jitter: whole({
    max: 200,
    default: 0,
    identity: true,
    help: 'each game adds random values up to this many centipawns to every entry of the piece-square tables',
  }),
  hash: whole({ min: 1, max: 2048, default: 4, identity: true, help: 'transposition table of each worker in MiB' }),
  ...ADJUDICATION_OPTIONS,
  pgn: text({ help: 'also write the games to this PGN file' }),
  positions: text({ help: "also write every position to this file: FEN | centipawns | 1.0, from White's side" }),
  ...OUTPUT_OPTIONS,
};

export type SelfplayOptions = SettingsOf<typeof SELFPLAY_OPTIONS>;

/** What a run is asked to do. Where a clock runs there are no limits of nodes, and otherwise both. */
export interface SelfplaySettings extends Omit<SelfplayOptions, 'weights' | 'openings' | 'force'> {
  weights: WeightSet;
  /** Start positions by game number; empty for the usual one. */
  book: readonly string[];
  /** The command line, for the manifest. */
  command: string;
}

/** Returns the soft and hard limit of nodes that the options give. */
export function nodeLimits({ softNodes, nodes, tc }: SelfplayOptions): { softNodes?: number; nodes?: number } {
  if (tc !== undefined) return {};
  const soft = softNodes ?? nodes ?? 5000;
  const hard = (softNodes === undefined ? undefined : nodes) ?? HARD_FACTOR * soft;
  if (hard >= soft) return { softNodes: soft, nodes: hard };
  throw new UserError(`the hard limit of nodes must be at least the soft one (${soft}), not ${hard}`, 2);
}

function selfplayTimeControl(value: string): TimeControl {
  const control = parseTimeControl(value);
  if (control.moves === 0) return control;
  throw new UserError('--tc of self-play takes time+increment, such as 1+0.08', 2);
}
