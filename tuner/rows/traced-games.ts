// tracedGames(): Heft's evaluation traced on games and labelled positions.

import { loadWeights } from '../../selfplay/common/weights.js';
import { HEFT } from '../model/heft.js';
import { newIntake } from '../trace/chunks.js';
import { startsOf, traceData } from '../trace/load.js';
import { traceChunks } from '../trace/pool.js';
import type { FilterSettings } from '../trace/sample.js';
import type { Producer } from './producer.js';

export interface GamesSettings extends FilterSettings {
  data: readonly string[];
  columns?: string | undefined;
  workers: number;
  /** The leaves of labels are read only if a fit uses them. */
  leafRounds?: number;
}

/** Returns the producer of Heft's rows on the data. */
export function tracedGames(settings: GamesSettings): Producer {
  const { data, columns, workers, leafRounds = 0 } = settings;
  const load = { data, columns, workers, filter: settings, withLeaves: leafRounds > 0 };
  return {
    model: HEFT,
    data,
    usualStart: 'shipped',
    weights: loadWeights,
    provenance: {},
    samples: true,
    load: (weights, observer) => traceData({ ...load, weights }, observer),
    /** Traces the chunks of the rows again so that positions are resolved as in the fit. */
    async positions({ chunkRows }, wanted, weights, observer) {
      const starts = startsOf([...chunkRows, 0]);
      const fens = new Map<number, string>();
      await traceChunks({ ...load, weights }, newIntake(), observer, {
        wantedOf: (index) =>
          wanted.filter((row) => row >= starts[index] && row < starts[index + 1]).map((row) => row - starts[index]),
        onResult: (index, _, result) => {
          for (const { row, fen } of result.fens) fens.set(starts[index] + row, fen);
        },
      });
      return fens;
    },
  };
}
