// TuneResult: the result of a tuning run. fitReport(): the part of it that is stored and displayed.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import type { Model } from '../model/model.js';
import type { LearntPrior } from '../priors/strengths.js';
import type { DataSummary } from '../trace/data-summary.js';
import type { Claim } from './claim.js';
import { type FitResult, finiteOrNull, type SecondFit } from './fit.js';
import type { Gain } from './gain.js';

export interface Judged {
  /** Expected gain on other games; its error is null with too few observations. Null if `--l2` sets the prior. */
  gain: Gain | null;
  /** Whether the fitted weights are kept, and why; null if `--l2` sets the prior, or if the fit was interrupted. */
  claim: Claim | null;
  /** Problems with the data that the claim does not mention. */
  warnings: string[];
}

export interface TuneResult extends Judged {
  model: Model;
  before: WeightSet;
  weights: WeightSet;
  fit: FitResult;
  prior: LearntPrior | null;
  k: number;
  dataSummary: DataSummary;
  trainGames: number;
  heldOutGames: number;
  trainPositions: number;
  heldOutPositions: number;
  /** Error of the weights on the held-out games that were hidden from the method; null if the method does not select by held-out error. */
  untouched: number | null;
  /** The same error for the start weights. */
  untouchedStart: number | null;
  seconds: number;
}

/**
 * Figures of a fit. `trainLoss` and `heldOutLoss` are errors of the rounded weights before any leaf rounds. Leaf rounds move the scores, so
 * the error of their weights against the recorded scores is separate. If the method selects by held-out error, `heldOutLoss` is the error
 * on the games used for this, and `untouchedLoss` the error of the final weights on the others.
 */
export type FitReport = ReturnType<typeof fitReport>;

/** Returns the errors of the start and of the fitted weights on held-out games that the method did not use; null without such games. */
export const unseenErrors = (fit: FitReport): [from: number | null, to: number | null] => [
  fit.untouchedStartLoss ?? fit.startHeldOutLoss,
  fit.untouchedLoss ?? fit.heldOutLoss,
];

/** Returns the figures of a fit for reports, summaries and the ledger. */
export function fitReport(result: TuneResult) {
  const { fit, gain, claim, warnings, prior, k, dataSummary, trainGames, heldOutGames } = result;
  const { untouched, untouchedStart } = result;
  const rounded = fit.leafRounds?.before ?? fit.rounded;
  return {
    positions: dataSummary.kept,
    games: trainGames + heldOutGames,
    k,
    startTrainLoss: fit.start.train,
    startHeldOutLoss: finiteOrNull(fit.start.heldOut),
    trainLoss: rounded.train,
    heldOutLoss: finiteOrNull(rounded.heldOut),
    ...(fit.leafRounds !== undefined && {
      leafRounds: {
        rounds: fit.leafRounds.rounds,
        trainLoss: fit.rounded.train,
        heldOutLoss: finiteOrNull(fit.rounded.heldOut),
      },
    }),
    epochs: fit.epochs,
    bestEpoch: fit.bestEpoch,
    averaged: fit.averaged ?? null,
    gain,
    claim,
    warnings,
    families: prior?.families ?? [],
    ...(untouched !== null &&
      untouchedStart !== null && { untouchedStartLoss: untouchedStart, untouchedLoss: untouched }),
    ...(fit.stopped === 'interrupted' && { isInterrupted: true }),
  };
}

/** Returns the description of averaged weights for the terminal and the report. */
export const averageText = ({ l2, share }: SecondFit): string =>
  `mean of this fit and a fit with --l2 ${l2} (share ${share.toFixed(2)}), because there are few games`;
