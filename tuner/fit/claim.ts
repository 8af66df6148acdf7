// claimOf() decides whether the fitted weights are kept, and returns the reason. Unless `certainty` is 0, they are kept only if the
// expected gain on other games is significant and the held-out games do not contradict it.

import { counted, thousands } from '../../selfplay/common/errors.js';
import type { Dataset } from '../dataset/dataset.js';
import { type Gain, gamesNeeded, isClear, MIN_OBSERVATIONS, roundUp } from './gain.js';

export interface Claim {
  /** Whether the fitted weights are kept. */
  isProven: boolean;
  /** The gain, or the reasons for leaving the weights unchanged, without a full stop. */
  text: string;
}

export interface ClaimBasis {
  /** The gain expected on other games, and the gain found on the held-out games. */
  gain: Gain;
  heldOut: Gain | null;
  /** Games of the training side, and of both sides. */
  trainGames: number;
  games: number;
  /** Results of the training games. */
  results: ResultShares;
  /** Whether the targets are results only, without search scores. */
  usesResultsOnly: boolean;
  /** Standard errors that the gain must exceed; 0 keeps every fit. */
  certainty: number;
}

/** Shares of games (0 to 1) that White won, that were drawn, and that White lost. */
export interface ResultShares {
  won: number;
  drawn: number;
  lost: number;
}

/** If a larger share of the games has the same result, the data are too one-sided for a fit. */
const ONE_SIDED = 0.95;

/** Share of training games that is assumed if there are too few games to measure it. */
const USUAL_SHARE = 0.9;

/** Returns the claim about a fit. With `certainty` 0, every fit is kept. */
export function claimOf(basis: ClaimBasis): Claim {
  const { gain, heldOut, certainty } = basis;
  const fall = heldOut === null ? '' : `; held-out error ${change(heldOut)}`;
  if (certainty === 0)
    return { isProven: true, text: `expected gain on other games not tested (--certainty 0)${fall}` };
  const reasons = [...missing(basis), ...contradictions(basis)];
  if (reasons.length === 0) return { isProven: true, text: `expected gain on other games ${value(gain)}${fall}` };
  return { isProven: false, text: `undecided, weights unchanged, ${wanted(basis)} needed: ${reasons.join('; ')}` };
}

/** Returns objections to the data: too few games, or one-sided results. */
function missing({ gain: { observations }, trainGames, results, usesResultsOnly }: ClaimBasis): string[] {
  const reasons: string[] = [];
  if (observations < MIN_OBSERVATIONS) {
    const games = counted(trainGames, 'training games');
    const independent = observations === trainGames ? '' : ` (${observations} independent)`;
    reasons.push(`${games}${independent} ${trainGames === 1 ? 'is' : 'are'} too few for a standard error`);
  }
  const side = oneSided(results);
  if (side !== null && usesResultsOnly) reasons.push(side);
  return reasons;
}

/** Returns objections to the gain: it may be chance, or the held-out error contradicts it. */
function contradictions({ gain, heldOut, certainty }: ClaimBasis): string[] {
  const reasons: string[] = [];
  if (gain.observations >= MIN_OBSERVATIONS && !isClear(gain, certainty))
    reasons.push(`the expected gain on other games, ${value(gain)}, may be due to chance`);
  if (isContradicted(heldOut)) reasons.push(`the held-out error ${change(heldOut)}`);
  return reasons;
}

/** Returns whether the held-out error rises by more than its standard error. */
const isContradicted = (heldOut: Gain | null): heldOut is Gain =>
  heldOut !== null && heldOut.error !== null && heldOut.mean < -heldOut.error;

/** Returns the estimated number of games needed, with its verb: `about 3,000 games are`. */
function wanted({ gain, heldOut, trainGames, games, results, usesResultsOnly, certainty }: ClaimBasis): string {
  const isFew = gain.observations < MIN_OBSERVATIONS;
  const isUnclear = !isClear(gain, certainty) || isContradicted(heldOut);
  const isOneSided = usesResultsOnly && oneSided(results) !== null;
  const other = isOneSided ? ' with more varied results' : '';
  const share = trainGames / games;
  if (isFew) {
    const least = MIN_OBSERVATIONS / (share > 0.5 && share < 1 ? share : USUAL_SHARE);
    const estimate = isOneSided ? null : gamesNeeded(gain, games, certainty);
    return `about ${thousands(roundUp(Math.max(least, estimate ?? 0)))} games${other} are`;
  }
  if (isOneSided || !isUnclear) return `games${other} are`;
  const needed = gamesNeeded(gain, games, certainty);
  return needed === null ? `more than ${thousands(10 * games)} games are` : `about ${thousands(needed)} games are`;
}

/** Returns a clause about one-sided results, or null if they are not one-sided. */
export function oneSided({ won, drawn, lost }: ResultShares): string | null {
  const most = Math.max(won, drawn, lost);
  if (!(most > ONE_SIDED)) return null;
  const result = most === won ? 'won by White' : most === drawn ? 'drawn' : 'won by Black';
  return most === 1
    ? `all training games were ${result}`
    : `${(100 * most).toFixed(1)} % of the training games were ${result}`;
}

/** Returns the shares of the results of the games on the training side. */
export function resultsOf({ game, result }: Pick<Dataset, 'game' | 'result'>, heldOut: Uint8Array): ResultShares {
  const halfPoints = new Map<number, number>();
  for (const [row, index] of game.entries()) if (heldOut[row] === 0) halfPoints.set(index, result[row]);
  const shareOf = (points: number): number =>
    [...halfPoints.values()].filter((value) => value === points).length / Math.max(1, halfPoints.size);
  return { won: shareOf(2), drawn: shareOf(1), lost: shareOf(0) };
}

const value = ({ mean, error }: Gain): string => `${mean.toFixed(5)}${error === null ? '' : ` ± ${error.toFixed(5)}`}`;

const change = ({ mean, error }: Gain): string => {
  const verb = mean >= 0 ? 'falls' : 'rises';
  return `${verb} by ${Math.abs(mean).toFixed(5)}${error === null ? '' : ` ± ${error.toFixed(5)}`}`;
};
