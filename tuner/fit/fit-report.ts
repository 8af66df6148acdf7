// The figures of a fit that reports, summaries and the loop's ledger show.

/** What a fit came to; losses are those of the rounded weights. */
export interface FitReport {
  positions: number;
  games: number;
  k: number;
  startTrainLoss: number;
  startHeldOutLoss: number | null;
  trainLoss: number;
  heldOutLoss: number | null;
  epochs: number;
  bestEpoch: number;
}
