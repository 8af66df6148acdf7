// programRows(): a producer that selects and resolves positions as tracedGames() does, but reads their rows from another engine's program.

import { UserError } from '../../selfplay/common/errors.js';
import { loadWeights } from '../../selfplay/common/weights.js';
import { thousands } from '../../selfplay/common/wording.js';
import type { Dataset } from '../dataset/dataset.js';
import { findRepeats } from '../dataset/repeats.js';
import { HEFT } from '../model/heft.js';
import { countFen, emptySummary } from '../trace/data-summary.js';
import { type Loaded, traceData } from '../trace/load.js';
import type { LoadObserver } from '../trace/pool.js';
import { toVector } from '../weights/weights-file.js';
import { givenWeights, USUAL_START } from './given-weights.js';
import type { Producer } from './producer.js';
import { type Head, readHead, traceWith } from './trace-program.js';
import type { GamesSettings } from './traced-games.js';

/** Returns the producer of the program's rows on the data. Starts the program to read its header; throws a UserError if there is none. */
export async function programRows(settings: GamesSettings, command: string): Promise<Producer> {
  const head = await readHead({ command });
  const { source } = head;
  return {
    model: source.model,
    data: settings.data,
    usualStart: USUAL_START,
    samples: true,
    provenance: { engine: source.model.engine },
    weights: (nameOrFile) => givenWeights(source, nameOrFile),
    load: (_, observer) => load(settings, command, head, observer),
    positions: async ({ fens }, wanted) => new Map(wanted.map((row) => [row, fens[row]])),
  };
}

async function load(settings: GamesSettings, command: string, head: Head, observer: LoadObserver): Promise<Loaded> {
  const { data, columns, workers } = settings;
  // Heft's search, with its own evaluation, resolves the positions
  const weights = toVector(HEFT, loadWeights('shipped'));
  const games = await traceData({ data, columns, workers, filter: settings, weights, positionsOnly: true }, observer);
  const { dataSummary, fens } = games;
  const { rows, hasRow } = await traceWith(head, fens, {
    command,
    workers,
    signal: observer.signal,
    onRows: (count) => count % 10_000 === 0 && observer.onReading?.({ games: dataSummary.games, kept: count }),
  });
  const isKept = (_: unknown, row: number): boolean => hasRow[row] === 1;
  const kept = Uint32Array.from(hasRow.keys()).filter(isKept);
  if (kept.length === 0)
    throw new UserError(
      `--trace ${command}: the program skipped all ${thousands(fens.length)} positions; print rows for some`,
    );
  const { result, score, game, opening } = games.dataset;
  const dataset: Dataset = {
    ...rows.finish(),
    result: result.filter(isKept),
    score: score.filter(isKept),
    game: game.filter(isKept),
    opening,
  };
  dataSummary.skipped.known += fens.length - kept.length;
  // The first occurrence of a position identifies it, even if the program has skipped this occurrence
  const keys = Uint32Array.from({ length: 2 * kept.length }, (_, i) =>
    i % 2 === 0 ? games.firstSame[kept[i / 2]] : 0,
  );
  const { first, distinct, repeated, contradicting } = findRepeats(keys, dataset.result);
  const { phases, men, balance } = emptySummary();
  Object.assign(dataSummary, { kept: kept.length, phases, men, balance, distinct, repeated, contradicting });
  for (const row of kept) {
    phases[games.dataset.phase[row]]++;
    countFen(dataSummary, fens[row]);
  }
  const features = games.candidates.length / fens.length;
  return {
    ...games,
    dataset,
    firstSame: first,
    candidates: games.candidates.filter((_, at) => hasRow[Math.floor(at / features)] === 1),
    fens: fens.filter(isKept),
    leaves: [],
  };
}
