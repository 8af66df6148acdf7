// LoopContext: the state that the stages of one loop share, and their observer.

import { createRandom } from '../../engine/kernel/random.js';
import type { SelfplayProgress } from '../../selfplay/datagen/run.js';
import type { MatchResult } from '../../selfplay/match/match.js';
import type { RunProgress } from '../../selfplay/records/sharded-run.js';
import type { MatchSettings } from '../../selfplay/series/settings.js';
import type { TuneObserver } from '../fit/tune.js';
import { bestBefore, type Ledger } from './ledger.js';
import type { LoopFolder } from './loop-folder.js';
import { Pace } from './loop-story.js';
import { type Effort, effortOf } from './schedule.js';

/** Told how the loop goes; `signal` stops it. */
export interface LoopObserver {
  onStage: (text: string) => void;
  /** The seconds that the rest of the loop and the whole loop take, guessed at the beginning of each stage. */
  onPace: (left: number, whole: number) => void;
  onSelfplay: (progress: SelfplayProgress, total: number) => void;
  onLabel: (progress: RunProgress) => void;
  fitObserver: TuneObserver;
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

  constructor(folder: LoopFolder, ledger: Ledger, workers: number, observer: LoopObserver) {
    this.folder = folder;
    this.ledger = ledger;
    this.workers = workers;
    this.observer = observer;
    this.pace = new Pace(ledger.settings, workers, (number) => this.effort(number));
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
