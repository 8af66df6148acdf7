// claimOf() decides whether the fitted weights are kept, and returns the reason. Unless `certainty` is 0, they are kept only if the
// expected gain on other games is significant and the held-out games do not contradict it.

import { counted, thousands } from '../../selfplay/common/wording.js';
import type { Dataset } from '../dataset/dataset.js';
import { type Gain, gamesNeeded, isClear, MIN_OBSERVATIONS, roundUp } from './gain.js';

export interface Claim {
  /** Whether the fitted weights are kept. */
  isProven: boolean;
  /** The gain, or the reasons for leaving the weights unchanged, without a full stop. */
  text: string;
}

export interface ClaimBasis {
  /** The expected gain on other games, and the measured gain on the held-out games that the method did not use. */
  gain: Gain;
  heldOut: Gain | null;
  /** Games of the training side, and of both sides. */
  trainGames: number;
  games: number;
  /** Results of the training games. */
  results: ResultShares;
  /** Whether the targets are results only, without search scores. */
  usesResultsOnly: boolean;
  /** Whether both gains are measured on positions resolved with the fitted weights, unlike the start errors in tables. */
  isResolvedAnew: boolean;
  /** Number of standard errors that the gain must exceed; 0 keeps every fit. */
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

/** Assumed share of training games if there are too few games to measure it. */
const USUAL_SHARE = 0.9;

/** Returns the claim about a fit. With `certainty` 0, every fit is kept. */
export function claimOf(basis: ClaimBasis): Claim {
  const { gain, heldOut, trainGames, results, usesResultsOnly, certainty } = basis;
  const where = basis.isResolvedAnew ? ' (on positions resolved with the new weights)' : '';
  const fall = heldOut === null ? '' : `; held-out error ${change(heldOut)}${where}`;
  if (certainty === 0)
    return { isProven: true, text: `expected gain on other games not tested (--certainty 0)${fall}` };
  const isFew = gain.observations < MIN_OBSERVATIONS;
  const side = usesResultsOnly ? oneSided(results) : null;
  const reasons: string[] = [];
  if (isFew) {
    const independent = gain.observations === trainGames ? '' : ` (${gain.observations} independent)`;
    const verb = trainGames === 1 ? 'is' : 'are';
    reasons.push(`${counted(trainGames, 'training games')}${independent} ${verb} too few for a standard error`);
  }
  if (side !== null) reasons.push(side);
  if (!isFew && !isClear(gain, certainty))
    reasons.push(`the expected gain on other games, ${value(gain)}${where}, is not significant`);
  // An increase of the held-out error by more than its standard error contradicts the gain
  if (heldOut !== null && heldOut.error !== null && heldOut.mean < -heldOut.error)
    reasons.push(`the held-out error ${change(heldOut)}${where}`);
  if (reasons.length === 0)
    return { isProven: true, text: `expected gain on other games ${value(gain)}${heldOut === null ? where : fall}` };
  const needed = wanted(basis, isFew, side !== null);
  return { isProven: false, text: `undecided, weights unchanged, ${needed} are needed: ${reasons.join('; ')}` };
}

/**
 * Returns the games that are needed, with their estimated number if known: `about 3,000 games`. The estimate assumes a constant ratio of
 * different openings to games.
 */
function wanted({ gain, trainGames, games, certainty }: ClaimBasis, isFew: boolean, isOneSided: boolean): string {
  if (isOneSided && !isFew) return 'games with more varied results';
  const estimate = isOneSided ? null : gamesNeeded(gain, games, certainty);
  if (isFew) {
    const share = trainGames / games;
    const training = MIN_OBSERVATIONS * (trainGames / Math.max(1, gain.observations));
    const least = training / (share > 0.5 && share < 1 ? share : USUAL_SHARE);
    const count = thousands(roundUp(Math.max(games + 1, least, estimate ?? 0)));
    return `about ${count} games${isOneSided ? ' with more varied results' : ''}`;
  }
  return estimate === null ? `more than ${thousands(10 * games)} games` : `about ${thousands(estimate)} games`;
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

/**
 * Returns the shares of the results of the games on the training side. Lines that name no games form blocks, whose rows may have different
 * results; each row then counts in part.
 */
export function resultsOf({ game, result }: Pick<Dataset, 'game' | 'result'>, heldOut: Uint8Array): ResultShares {
  const rows = new Map<number, [lost: number, drawn: number, won: number]>();
  for (const [row, index] of game.entries()) {
    if (heldOut[row] !== 0) continue;
    const counts = rows.get(index) ?? [0, 0, 0];
    counts[result[row]]++;
    rows.set(index, counts);
  }
  const shares = [0, 0, 0];
  for (const counts of rows.values()) {
    const total = counts[0] + counts[1] + counts[2];
    for (const [points, count] of counts.entries()) shares[points] += count / total;
  }
  const [lost, drawn, won] = shares.map((share) => share / Math.max(1, rows.size));
  return { won, drawn, lost };
}

const value = ({ mean, error }: Gain): string => `${mean.toFixed(5)}${error === null ? '' : ` ± ${error.toFixed(5)}`}`;

const change = ({ mean, error }: Gain): string => {
  const verb = mean >= 0 ? 'falls' : 'rises';
  return `${verb} by ${Math.abs(mean).toFixed(5)}${error === null ? '' : ` ± ${error.toFixed(5)}`}`;
};
