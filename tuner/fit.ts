// The fit: drives a method from the start weights, keeps the point with the smallest held-out error, stops when that
// has not improved for a while, and rounds to integers once, at the end (rounding every epoch would swallow all steps
// below half a centipawn).

import { WEIGHT_LIMIT } from '../engine/eval/weight-set.js';
import type { Iterate, Method, Problem } from './method.js';
import type { Losses, Objective } from './objective.js';

// An epoch that gains less than this has not improved anything that a match could show.
const MINIMUM_GAIN = 1e-6;

export interface FitSettings {
  method: Method;
  k: number;
  epochs: number;
  /** Epochs without a better held-out error after which the fit stops. */
  patience: number;
  /** Step size in centipawns. */
  rate: number;
  /** Adds penalty · Σ (weight − prior)² to the train loss. */
  penalty: number;
  /** Starting point and prior: all middlegame values, then all endgame values. */
  start: Float64Array;
  prior: Float64Array;
  /** Positions by term: a term that never occurs keeps its prior value. */
  occurrences: Uint32Array;
  /** Chooses among weight vectors of equal evaluation, in place; called before rounding. */
  recentre: (mg: Float64Array, eg: Float64Array) => void;
}

/** Losses after an epoch; heldOut is null when no positions are held out. */
export interface CurvePoint {
  epoch: number;
  train: number;
  heldOut: number | null;
  seconds: number;
}

export interface FitResult {
  /** Integers: all middlegame values, then all endgame values. */
  weights: Float64Array;
  start: Losses;
  /** At the best epoch, before rounding. */
  best: Losses;
  /** Of `weights`. */
  rounded: Losses;
  bestEpoch: number;
  epochs: number;
  stopped: 'converged' | 'epochs' | 'interrupted';
  curve: CurvePoint[];
}

/** What the fit tells while it runs, and how it is told to stop. */
export interface FitObserver {
  onEpoch?: (point: CurvePoint, bestEpoch: number) => void;
  isInterrupted?: () => boolean;
}

/** Fits the weights; whoever interrupts it gets the best weights so far. */
export async function fitWeights(
  objective: Objective,
  settings: FitSettings,
  observer: FitObserver = {},
): Promise<FitResult> {
  const { free, start } = freeCoordinates(settings);
  const problem = problemOf(objective, settings, free);
  const watched = (losses: Losses): number => (objective.heldOutPositions > 0 ? losses.heldOut : losses.train);
  const began = performance.now();

  const curve: CurvePoint[] = [];
  let best: Iterate | undefined;
  let bestEpoch = 0;
  let lastGain = 0;
  let lastGainLoss = Number.POSITIVE_INFINITY;
  let first: Losses | undefined;
  let stopped: FitResult['stopped'] = 'epochs';

  for await (const { weights, losses } of settings.method(problem, start, settings)) {
    const epoch = curve.length;
    first ??= losses;
    if (best === undefined || watched(losses) < watched(best.losses)) {
      best = { weights: weights.slice(), losses };
      bestEpoch = epoch;
    }
    if (watched(losses) < lastGainLoss - MINIMUM_GAIN) {
      lastGain = epoch;
      lastGainLoss = watched(losses);
    }
    const seconds = (performance.now() - began) / 1000;
    curve.push({ epoch, train: losses.train, heldOut: finiteOrNull(losses.heldOut), seconds });
    observer.onEpoch?.(curve[epoch], bestEpoch);

    if (observer.isInterrupted?.()) stopped = 'interrupted';
    else if (epoch - lastGain >= settings.patience) stopped = 'converged';
    else if (epoch < settings.epochs) continue;
    break;
  }
  if (best === undefined || first === undefined) throw new Error('the method yielded no point');

  const weights = roundWeights(best.weights, settings.recentre);
  const rounded = await problem.losses(weights);
  return { weights, start: first, best: best.losses, rounded, bestEpoch, epochs: curve.length - 1, stopped, curve };
}

/** Returns the weights recentred, rounded to integers and kept within ±WEIGHT_LIMIT. */
export function roundWeights(weights: Float64Array, recentre: FitSettings['recentre']): Float64Array {
  const rounded = weights.slice();
  const terms = rounded.length / 2;
  recentre(rounded.subarray(0, terms), rounded.subarray(terms));
  // The added zero turns -0 into 0.
  return rounded.map((value) => Math.round(Math.max(-WEIGHT_LIMIT, Math.min(WEIGHT_LIMIT, value))) + 0);
}

function freeCoordinates(settings: FitSettings): { free: Uint8Array; start: Float64Array } {
  const terms = settings.occurrences.length;
  const start = settings.start.slice();
  const free = new Uint8Array(start.length);
  for (let i = 0; i < start.length; i++) {
    free[i] = settings.occurrences[i % terms] > 0 ? 1 : 0;
    if (free[i] === 0) start[i] = settings.prior[i];
  }
  return { free, start };
}

function problemOf(objective: Objective, settings: FitSettings, free: Uint8Array): Problem {
  const { k, prior, penalty } = settings;
  return {
    dimension: free.length,
    free,
    losses: (weights) => objective.evaluate(weights, k),
    gradient: async (weights, gradient) => {
      const losses = await objective.evaluate(weights, k, gradient);
      for (let i = 0; i < gradient.length; i++) {
        gradient[i] = free[i] === 1 ? gradient[i] + 2 * penalty * (weights[i] - prior[i]) : 0;
      }
      return losses;
    },
  };
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);
