// LoopContext: the state that the stages of one loop share, and their observer.

import { createRandom } from '../../engine/kernel/random.js';
import type { MatchResult } from '../../selfplay/match/match.js';
import type { MatchSettings } from '../../selfplay/series/settings.js';
import type { LoopFolder } from '../generations/folder.js';
import { bestBefore } from '../generations/ledger.js';
import { type Effort, effortOf } from '../generations/schedule.js';
import type { Ledger } from '../generations/settings.js';
import { Pace, type StageCost } from './pace.js';

/** Progress of a stage, in games. */
export interface StageProgress {
  label: string;
  games: number;
  total: number;
  /** Further status text. */
  status: string;
}

/** Callbacks for the progress of a loop; `signal` stops it. */
export interface LoopObserver {
  onStage: (text: string) => void;
  /** Estimated seconds for the rest of the loop and for the whole loop, at the beginning of each stage. */
  onPace: (left: number, whole: number) => void;
  onProgress: (progress: StageProgress) => void;
  /** Work without a known end; frequent texts are shown at intervals, others at once. */
  onStatus: (text: string, atOnce?: boolean) => void;
  onMatch: (result: MatchResult, settings: MatchSettings) => void;
  onNote: (note: string) => void;
  signal: AbortSignal;
}

/** Thrown if the signal stops the loop; the same command continues it. */
export class Interrupted extends Error {}

export class LoopContext {
  readonly folder: LoopFolder;
  readonly ledger: Ledger;
  readonly workers: number;
  readonly observer: LoopObserver;
  readonly pace: Pace;

  constructor(
    folder: LoopFolder,
    ledger: Ledger,
    workers: number,
    observer: LoopObserver,
    stages: readonly StageCost[],
  ) {
    this.folder = folder;
    this.ledger = ledger;
    this.workers = workers;
    this.observer = observer;
    this.pace = new Pace(ledger.settings, workers, (number) => this.effort(number), stages);
  }

  /** Returns the seed of a generation's games and openings; 0 is the final match. */
  seedOf(generation: number): number {
    return createRandom(this.ledger.settings.seed, generation)() >>> 1;
  }

  /** Returns the generation whose weights this one starts from. */
  baseOf(generation: number): number {
    return bestBefore(this.ledger.generations, generation);
  }

  /** Returns the self-play games of a generation, the nodes per move, and the maximum number of match games. */
  effort(number: number): Effort {
    const { settings, generations } = this.ledger;
    return effortOf(settings, generations, number);
  }
}
