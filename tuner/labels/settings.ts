// The options of `npm run tune -- label`, and the identity of a labelling run.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { benchSignature } from '../../selfplay/common/bench-signature.js';
import { choice, identityOf, list, type SettingsOf, text, whole } from '../../selfplay/common/options.js';
import { OUTPUT_OPTIONS } from '../../selfplay/common/outputs.js';
import type { Identity } from '../../selfplay/common/run-files.js';
import { WEIGHTS_HELP, weightsHash } from '../../selfplay/common/weights.js';
import { RESOLUTIONS, SAMPLE_OPTIONS } from '../trace/sample.js';
import { LABEL_COLUMNS } from './label.js';

export const LABEL_OPTIONS = {
  data: list('games: folder of a self-play run or of PGN files, or a single shard or PGN file; repeatable', {
    required: true,
  }),
  ...SAMPLE_OPTIONS,
  // Fewer positions than in a fit, because each one costs a search
  'per-game': whole('maximum number of positions from a recorded game', { min: 1, default: 12, identity: true }),
  resolve: choice(
    'positions to label: the sampled ones, or the quiet positions at the ends of their principal variations',
    RESOLUTIONS,
    { default: 'none' as const, identity: true },
  ),
  nodes: whole('soft node limit of each search: no new iteration begins beyond it', {
    min: 1,
    default: 10_000,
    identity: true,
  }),
  weights: text(`weights to search with: ${WEIGHTS_HELP}`, { default: 'shipped' }),
  workers: whole('number of threads', { min: 1, max: 256, default: 2 }),
  out: text('folder of the labels; an interrupted run is continued', { default: 'runs/labels' }),
  ...OUTPUT_OPTIONS,
};

export type LabelOptions = SettingsOf<typeof LABEL_OPTIONS>;

/** The settings of a labelling run. */
export interface LabelSettings extends Omit<LabelOptions, 'weights' | 'json' | 'force'> {
  weights: WeightSet;
  /** The command line, for the manifest. */
  command: string;
}

/** Returns everything that affects the labels, except the games. */
export function labelIdentity(settings: LabelSettings): Identity {
  return {
    ...identityOf(LABEL_OPTIONS, settings),
    columns: LABEL_COLUMNS,
    weightsHash: weightsHash(settings.weights),
    bench: benchSignature(),
  };
}
