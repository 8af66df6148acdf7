// Producer: the source of the rows of a fit, and their model: Heft's evaluation traced on games, or another engine's rows from a file or from
// its program.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import type { Model } from '../model/model.js';
import type { Loaded } from '../trace/load.js';
import type { LoadObserver } from '../trace/pool.js';

export interface Producer {
  readonly model: Model;
  /** Paths of the data, as they were given. */
  readonly data: readonly string[];
  /** Provenance of the model; empty for Heft's. */
  readonly provenance: Readonly<Record<string, unknown>>;
  /** Whether positions are sampled from games by the options of the fit. */
  readonly samples: boolean;
  /** Name of the default start weights of a fit. */
  readonly usualStart: string;
  /** Returns the weights of that name, or those of a weights file. */
  weights(nameOrFile: string): WeightSet;
  /** Reads all rows; `weights` are those that the rows are checked with, and Heft's positions resolved. */
  load(weights: Float64Array, observer: LoadObserver): Promise<Loaded>;
  /** Returns the positions of some rows, as FEN, where the data have them. */
  positions(
    loaded: Loaded,
    wanted: readonly number[],
    weights: Float64Array,
    observer: LoadObserver,
  ): Promise<Map<number, string>>;
}
