// Whom a tuning run tells how far it is.

import type { FitObserver, FitResult } from './fit.js';
import type { BenchObserver, FitBench } from './fit-bench.js';

/** Told of the stages of a run; `signal` ends it with the best weights so far. */
export interface TuneObserver extends BenchObserver, Omit<FitObserver, 'onProgress'> {
  /** The fit goes on from where a checkpoint left it. */
  onContinue?: (epoch: number) => void;
  /** Called before the workers end, for what needs the data as well as the fit. */
  onFitted?: (bench: FitBench, fit: FitResult) => Promise<void>;
}
