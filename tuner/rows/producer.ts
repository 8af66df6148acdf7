// Producer: the source of the rows of a fit, with its options and its model. A producer traces Heft's evaluation on games, or reads another
// engine's rows from a file or from its program.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { list, text } from '../../selfplay/common/options.js';
import type { Model } from '../model/model.js';
import type { Loaded } from '../trace/load.js';
import type { LoadObserver } from '../trace/pool.js';

/**
 * Options that conflict with `--rows`. The rows of a file are used unchanged, because its author has selected and resolved the positions.
 */
const OF_GAMES = ['data', 'columns', 'mixed', 'per-game', 'skip-plies', 'max-score', 'skip-decided', 'resolve'];

export const ROWS_OPTIONS = {
  rows: list("rows of another engine's evaluation (docs/any-engine.md) instead of --data; repeatable", {
    default: [] as readonly string[],
    conflicts: OF_GAMES,
    defaultText: 'none',
  }),
  trace: text(
    "program that prints the rows of another engine for the positions of --data, for example './engine trace'",
    { conflicts: ['rows', 're-resolve'], defaultText: "Heft's own" },
  ),
};

export interface Producer {
  readonly model: Model;
  /** Paths of the data, as given. */
  readonly data: readonly string[];
  /** Provenance of the model; empty for Heft's. */
  readonly provenance: Readonly<Record<string, unknown>>;
  /** Whether positions are sampled from games by the options of the fit. */
  readonly samples: boolean;
  /** Name of the default start weights of a fit. */
  readonly usualStart: string;
  /** Returns the weights with that name, or reads them from the file. */
  weights(nameOrFile: string): WeightSet;
  /** Reads all rows. Rows traced by Heft are checked, and their positions resolved, with `weights`. */
  load(weights: Float64Array, observer: LoadObserver): Promise<Loaded>;
  /** Returns the positions of some rows as FEN, if available. */
  positions(
    loaded: Loaded,
    wanted: readonly number[],
    weights: Float64Array,
    observer: LoadObserver,
  ): Promise<Map<number, string>>;
}
