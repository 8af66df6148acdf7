// LoopContext: the state that the stages of one loop share, and their observer.

import { createRandom } from '../../engine/kernel/random.js';
import type { MatchResult, MatchSettings } from '../../selfplay/match/match.js';
import type { Competitor } from '../../selfplay/series/settings.js';
import type { LoopFolder } from '../generations/folder.js';
import { bestBefore } from '../generations/ledger.js';
import { type Effort, effortOf } from '../generations/schedule.js';
import type { Ledger } from '../generations/settings.js';
import { type StageCost, TimeEstimate } from './estimate.js';

/** Progress of a stage, in games. */
export interface StageProgress {
  label: string;
  games: number;
  total: number;
  /** Further status text. */
  status: string;
}

/** Estimated seconds for the rest of a loop, and for the whole loop. */
export interface LoopTimes {
  left: number;
  whole: number;
}

/** Callbacks for the progress of a loop. `signal` stops the loop. */
export interface LoopObserver {
  onStage: (text: string) => void;
  /** Called at the beginning of each stage, with times in seconds. */
  onTimeLeft: (times: LoopTimes) => void;
  /** Extends the times of one of several runs to all runs; absent if there is only one run. */
  extended?: (times: LoopTimes) => LoopTimes;
  onProgress: (progress: StageProgress) => void;
  /** Shows the state of work of unknown length, at intervals unless `atOnce` is set. */
  onStatus: (text: string, atOnce?: boolean) => void;
  onMatch: (result: MatchResult, settings: MatchSettings) => void;
  onNote: (note: string) => void;
  signal: AbortSignal;
}

/** Thrown if the signal stops the loop; the same command continues it. */
export class Interrupted extends Error {}

export type LoopContext = ReturnType<typeof loopContext>;

/** Returns the context of a loop. `guests` are the engines of `--engine`. */
export function loopContext(
  folder: LoopFolder,
  ledger: Ledger,
  guests: readonly Competitor[],
  { workers, observer, stages }: { workers: number; observer: LoopObserver; stages: readonly StageCost[] },
) {
  const effort = (number: number): Effort => effortOf(ledger.settings, ledger.generations, number);
  return {
    folder,
    ledger,
    guests,
    workers,
    observer,
    estimate: new TimeEstimate(ledger.settings, workers, effort, stages),
    /** Returns the effort of a generation (generations/schedule.ts). */
    effort,
    /** Returns the seed of a generation's games and openings; generation 0 stands for the final match. */
    seedOf: (generation: number): number => createRandom(ledger.settings.seed, generation)() >>> 1,
    /** Returns the generation whose weights this one starts from. */
    baseOf: (generation: number): number => bestBefore(ledger.generations, generation),
  };
}
