// What a tuning run reports while it goes on.

import type { FitObserver, FitResult } from './fit.js';
import type { FitSetup, SetupObserver } from './setup.js';

/** Told of the stages of a run; `signal` ends it with the best weights so far. */
export interface TuneObserver extends SetupObserver, Omit<FitObserver, 'onProgress'> {
  /** The fit goes on from where a checkpoint left it. */
  onContinue?: (epoch: number) => void;
  /** Called before the workers end, for what needs the data as well as the fit. */
  onFitted?: (setup: FitSetup, fit: FitResult) => Promise<void>;
}
