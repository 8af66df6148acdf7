// Entry point of a labelling thread: tinypool calls the default export with a game.

import '../../engine/kernel-node.js';
import { workerData } from 'node:worker_threads';
import { setHashSize, setWeights } from '../../engine/engine.js';
import type { SourcedGame } from '../../selfplay/records/game-kind.js';
import { RecordError } from '../../selfplay/records/record.js';
import { type Labelling, labelGame } from './label.js';

/** Data that the pool passes to each thread. */
export interface LabelWorkerData {
  labelling: Labelling;
  /** Weights of the search: middlegame and endgame values by weight index. */
  mg: Int32Array;
  eg: Int32Array;
}

export interface LabelTask {
  game: SourcedGame;
  index: number;
}

/** The labels of a game, or a `fault` for an illegal game. It is not a RecordError, because errors lose their class between threads. */
export interface LabelAnswer {
  labels: string[];
  fault?: string;
}

// Tinypool prepends its own data
const { labelling, mg, eg } = (workerData as [unknown, LabelWorkerData])[1];
setHashSize(1);
setWeights(mg, eg);

/** Labels one game. */
export default function label({ game, index }: LabelTask): LabelAnswer {
  try {
    return { labels: labelGame(game, index, labelling) };
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return { labels: [], fault: error.message };
  }
}
