// fitReport(): the figures of a fit that reports, summaries and the loop's ledger show.

import { finiteOrNull } from './fit.js';
import type { TuneResult } from './tune.js';

/** Result of a fit; losses are those of the rounded weights. */
export type FitReport = ReturnType<typeof fitReport>;

/** Returns the figures of a fit. */
export function fitReport({ fit, gain, claim, warnings, prior, k, dataSummary, trainGames, heldOutGames }: TuneResult) {
  return {
    positions: dataSummary.kept,
    games: trainGames + heldOutGames,
    k,
    startTrainLoss: fit.start.train,
    startHeldOutLoss: finiteOrNull(fit.start.heldOut),
    trainLoss: fit.rounded.train,
    heldOutLoss: finiteOrNull(fit.rounded.heldOut),
    epochs: fit.epochs,
    bestEpoch: fit.bestEpoch,
    gain,
    claim,
    warnings,
    families: prior?.families ?? [],
  };
}
