// compareMethods() runs several methods on the same data from the same start weights. For each method, it returns the final errors, the
// time, and the epoch from which the error stays close to the final error of the best method.

import { METHODS } from '../methods/methods.js';
import type { CurvePoint, FitResult } from './fit.js';
import { type Problem, solve } from './problem.js';
import type { MethodOptions } from './tune-settings.js';

export interface ComparedRun extends Omit<CurvePoint, 'epoch'> {
  method: string;
  curve: CurvePoint[];
  stopped: FitResult['stopped'];
  /** Losses of the best weights after rounding. `train` and `heldOut` are the losses of the last epoch. */
  rounded: Pick<CurvePoint, 'train' | 'heldOut'>;
  /**
   * First epoch from which the error stays within the tolerance of the goal; null if there is none. For a method that selects by held-out
   * error, any error below the goal also counts.
   */
  reached: { epoch: number; seconds: number } | null;
}

export interface Comparison {
  runs: ComparedRun[];
  /** Final held-out error (train error if nothing is held out) of the run with the smallest final train error. */
  goal: number;
  tolerance: number;
}

export interface CompareObserver {
  onMethod?: (method: string) => void;
  onEpoch?: (method: string, point: CurvePoint) => void;
  signal?: AbortSignal;
}

/** Runs the candidates one after another. If interrupted, returns the runs so far, at least the start of the first. */
export async function compareMethods(
  problem: Problem,
  candidates: readonly MethodOptions[],
  tolerance: number,
  observer: CompareObserver = {},
): Promise<Comparison> {
  const runs: ComparedRun[] = [];
  for (const settings of candidates) {
    if (observer.signal?.aborted === true && runs.length > 0) break;
    const { method } = settings;
    observer.onMethod?.(method);
    const fit = await solve(problem, settings, { ...observer, onEpoch: (point) => observer.onEpoch?.(method, point) });
    const last = fit.curve[fit.curve.length - 1];
    const rounded = { train: fit.rounded.train, heldOut: last.heldOut === null ? null : fit.rounded.heldOut };
    const { train, heldOut, seconds } = last;
    runs.push({ method, curve: fit.curve, stopped: fit.stopped, train, heldOut, rounded, seconds, reached: null });
  }
  const isBetter = (run: ComparedRun, least: ComparedRun): boolean =>
    run.train < least.train || Number.isNaN(least.train);
  const goal = watched(runs.reduce((least, run) => (isBetter(run, least) ? run : least)));
  for (const run of runs) {
    // Before it converges, a method may have smaller held-out errors than at its end
    const isSelecting = METHODS[run.method].choosesByHeldOut === true;
    const distance = (point: CurvePoint): number => {
      const above = watched(point) - goal;
      return isSelecting ? above : Math.abs(above);
    };
    run.reached = reachedAt(run.curve, (point) => distance(point) <= tolerance);
  }
  return { runs, goal, tolerance };
}

/** Returns the error by which methods are compared: held-out, or train if nothing is held out. */
export const watched = ({ train, heldOut }: Pick<CurvePoint, 'train' | 'heldOut'>): number => heldOut ?? train;

/** Returns the first epoch from which all points are close. */
function reachedAt(curve: readonly CurvePoint[], isClose: (point: CurvePoint) => boolean): ComparedRun['reached'] {
  let reached: ComparedRun['reached'] = null;
  for (const point of curve) {
    if (!isClose(point)) reached = null;
    else reached ??= { epoch: point.epoch, seconds: point.seconds };
  }
  return reached;
}
