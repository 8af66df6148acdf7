// programRows(): the tuner's games, samples and quiet positions, with rows printed by another engine's program.

import { loadWeights } from '../../selfplay/common/weights.js';
import type { Dataset } from '../dataset/dataset.js';
import { HEFT } from '../model/heft.js';
import { type Loaded, traceData } from '../trace/load.js';
import type { LoadObserver } from '../trace/pool.js';
import { toVector } from '../weights/weights-file.js';
import { givenWeights, USUAL_START } from './given-weights.js';
import type { Producer } from './producer.js';
import { type Head, readHead, traceWith } from './trace-program.js';
import type { GamesSettings } from './traced-games.js';

/** Returns the producer of the program's rows on the data; starts the program to read its header. */
export async function programRows(settings: GamesSettings, command: string): Promise<Producer> {
  const head = await readHead({ command });
  const { source } = head;
  let fens: string[] = [];
  return {
    model: source.model,
    data: settings.data,
    usualStart: USUAL_START,
    samples: true,
    provenance: { engine: source.model.engine },
    weights: (nameOrFile) => givenWeights(source, nameOrFile),
    async load(_, observer) {
      const traced = await load(settings, command, head, observer);
      fens = traced.fens;
      return traced.loaded;
    },
    positions: (_, wanted) => Promise.resolve(new Map(wanted.map((row) => [row, fens[row]]))),
  };
}

async function load(
  settings: GamesSettings,
  command: string,
  head: Head,
  observer: LoadObserver,
): Promise<{ loaded: Loaded; fens: string[] }> {
  const { data, columns, workers } = settings;
  // Heft's search, with its own evaluation, resolves the positions
  const weights = toVector(HEFT, loadWeights('shipped'));
  const games = await traceData({ data, columns, workers, filter: settings, weights, positionsOnly: true }, observer);
  const { dataSummary, fens } = games;
  const { rows, hasRow } = await traceWith(head, fens, {
    command,
    workers,
    signal: observer.signal,
    onRows: (count) => count % 10_000 === 0 && observer.onReading?.({ ...dataSummary, kept: count }),
  });
  const kept = Uint32Array.from(hasRow.keys()).filter((row) => hasRow[row] === 1);
  dataSummary.skipped.known += fens.length - kept.length;
  dataSummary.kept = kept.length;
  const { result, score, game, opening } = games.dataset;
  const dataset: Dataset = {
    ...rows.finish(),
    result: result.filter((_, row) => hasRow[row] === 1),
    score: score.filter((_, row) => hasRow[row] === 1),
    game: game.filter((_, row) => hasRow[row] === 1),
    opening,
  };
  const placeOf = new Uint32Array(fens.length);
  for (const [place, row] of kept.entries()) placeOf[row] = place;
  const features = games.candidates.length / Math.max(1, fens.length);
  return {
    loaded: {
      ...games,
      dataset,
      // The program is expected to answer or skip all occurrences of a position alike, so if one has a row, so does the first
      firstSame: Uint32Array.from(kept, (row) => placeOf[games.firstSame[row]]),
      candidates: games.candidates.filter((_, at) => hasRow[Math.floor(at / features)] === 1),
    },
    fens: fens.filter((_, row) => hasRow[row] === 1),
  };
}
