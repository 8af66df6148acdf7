// LoopContext: the state that the stages of one loop share, and their observer.

import { createRandom } from '../../engine/kernel/random.js';
import type { MatchResult } from '../../selfplay/match/match.js';
import type { MatchSettings } from '../../selfplay/series/settings.js';
import type { LoopFolder } from '../generations/folder.js';
import { bestBefore } from '../generations/ledger.js';
import { type Effort, effortOf } from '../generations/schedule.js';
import type { Ledger } from '../generations/settings.js';
import { Pace, type StageCost } from './pace.js';

/** How far the work of a stage is, in games. */
export interface StageProgress {
  label: string;
  games: number;
  total: number;
  /** What else there is to see of it. */
  status: string;
}

/** Told how the loop goes; `signal` stops it. */
export interface LoopObserver {
  onStage: (text: string) => void;
  /** The seconds that the rest of the loop and the whole loop take, guessed at the beginning of each stage. */
  onPace: (left: number, whole: number) => void;
  onProgress: (progress: StageProgress) => void;
  /** Work without a known end; frequent texts are shown now and then, others at once. */
  onStatus: (text: string, atOnce?: boolean) => void;
  onMatch: (result: MatchResult, settings: MatchSettings) => void;
  onNote: (note: string) => void;
  signal: AbortSignal;
}

/** Thrown when the signal stopped the loop; the same command continues it. */
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

  /** Returns the generation whose weights this one plays and learns with. */
  baseOf(generation: number): number {
    return bestBefore(this.ledger.generations, generation);
  }

  /** Returns how many games a generation plays, with how many nodes a move, and how many its match may take. */
  effort(number: number): Effort {
    const { settings, generations } = this.ledger;
    return effortOf(settings, generations, number);
  }
}
