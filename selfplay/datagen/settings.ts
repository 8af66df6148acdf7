// The options of `npm run selfplay`, and the settings of a run that derive from them.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { UserError } from '../common/errors.js';
import { flag, parsed, type SettingsOf, text, whole } from '../common/options.js';
import { OUTPUT_OPTIONS } from '../common/outputs.js';
import { WEIGHTS_HELP } from '../common/weights.js';
import { ADJUDICATION_OPTIONS } from '../games/adjudication.js';
import { parseTimeControl, type TimeControl } from '../games/clock.js';

/** Default ratio of the hard to the soft node limit. */
const HARD_FACTOR = 8;

export const SELFPLAY_OPTIONS = {
  games: whole('number of games', { min: 1, default: 1000 }),
  'soft-nodes': whole('soft node limit per move: no new iteration begins beyond it', {
    min: 1,
    identity: true,
    defaultText: '5000',
  }),
  nodes: whole('hard node limit per move; the soft limit if --soft-nodes is missing', {
    min: 1,
    identity: true,
    defaultText: `${HARD_FACTOR} times the soft limit`,
  }),
  tc: parsed('time control instead of nodes, for example 1+0.08 (seconds); not reproducible', selfplayTimeControl, {
    identity: true,
    conflicts: ['soft-nodes', 'nodes'],
  }),
  seed: whole('seed: the same seed gives the same games', { default: 1, identity: true }),
  workers: whole('number of threads', { min: 1, max: 256, default: 2 }),
  out: text('folder of the run; an existing run in it is continued', { default: 'runs/selfplay' }),
  weights: text(WEIGHTS_HELP, { default: 'shipped' }),
  openings: text('book of start positions: EPD, FEN or PGN, also .gz or .zst'),
  'min-plies': whole('minimum number of random plies before a game', { max: 100, default: 8, identity: true }),
  'max-plies': whole('maximum number of random plies before a game', { max: 100, default: 9, identity: true }),
  'keep-lost': flag('keep openings that a short search scores as lost; by default, they are replaced', {
    identity: true,
  }),
  jitter: whole('maximum random change to each piece-square entry in a game, in centipawns', {
    max: 200,
    default: 0,
    identity: true,
  }),
  hash: whole("size of each worker's transposition table in MiB", { min: 1, max: 2048, default: 4, identity: true }),
  ...ADJUDICATION_OPTIONS,
  pgn: text('PGN file for the games'),
  positions: text('file for all positions: FEN | centipawns | 1.0, with score and result for White'),
  ...OUTPUT_OPTIONS,
};

export type SelfplayOptions = SettingsOf<typeof SELFPLAY_OPTIONS>;

/** Settings of a run, with either a clock or both node limits. */
export interface SelfplaySettings extends Omit<SelfplayOptions, 'weights' | 'openings' | 'force'> {
  weights: WeightSet;
  /** Start positions by game number; empty for the standard one. */
  book: readonly string[];
  /** The command line, for the manifest. */
  command: string;
}

/** Returns the soft and hard node limits of the options, or neither with a time control; throws a UserError if the hard limit is lower. */
export function nodeLimits({ softNodes, nodes, tc }: SelfplayOptions): { softNodes?: number; nodes?: number } {
  if (tc !== undefined) return {};
  const soft = softNodes ?? nodes ?? 5000;
  const hard = (softNodes === undefined ? undefined : nodes) ?? HARD_FACTOR * soft;
  if (hard >= soft) return { softNodes: soft, nodes: hard };
  throw new UserError(`--nodes must be at least --soft-nodes (${soft}), not ${hard}`, 2);
}

function selfplayTimeControl(value: string): TimeControl {
  const control = parseTimeControl(value);
  if (control.moves === 0) return control;
  throw new UserError('--tc takes time+increment in self-play, such as 1+0.08', 2);
}
