// isAccepted() decides from the result of a match whether the candidate is accepted. checkCap() checks that a match is long enough to
// accept one.

import { UserError } from '../../selfplay/common/errors.js';
import { statisticsOf } from '../../selfplay/match/match.js';
import type { SprtSettings } from '../../selfplay/statistics/sprt.js';
import { addPair, EMPTY_TALLY, type Tally } from '../../selfplay/statistics/tally.js';
import type { MatchEntry } from '../weights/shipped-ledger.js';
import type { LoopSettings } from './settings.js';

type Decision = Pick<MatchEntry, 'elo' | 'eloError' | 'verdict'>;

/** Returns whether the SPRT accepted H1, or the match reached its last game with a 95 % interval above zero. */
export const isAccepted = ({ verdict, elo, eloError }: Decision): boolean =>
  verdict === 'H1' || (verdict === null && elo > eloError);

/** Minimum Elo of a gain. Below it, the score differs from 50 % only by rounding. */
const MIN_ELO = 0.001;

/** Returns whether weights may be installed: accepted, with positive Elo. An SPRT with bounds below zero may accept a loss. */
export const isProvenGain = (match: Decision): boolean => isAccepted(match) && match.elo >= MIN_ELO;

/** Returns the SPRT of the loop's matches. */
export const sprtOf = ({ elo0, elo1 }: Pick<LoopSettings, 'elo0' | 'elo1'>): SprtSettings => ({
  elo0,
  elo1,
  alpha: 0.05,
  beta: 0.05,
  model: 'normalized',
});

/** Throws a UserError if the games that an option allows are too few to accept even a candidate that wins every game. */
export function checkCap(settings: Pick<LoopSettings, 'elo0' | 'elo1' | 'matchGames'>, option = '--match-games'): void {
  const { matchGames } = settings;
  if (matchGames === undefined) return;
  const sprt = sprtOf(settings);
  let tally: Tally = EMPTY_TALLY;
  let least = 0;
  do {
    tally = addPair(tally, 2, 2);
    least += 2;
  } while (!isAccepted(statisticsOf(tally, sprt)));
  if (least <= matchGames) return;
  throw new UserError(
    `${option} ${matchGames}: even a candidate that won every game would not be accepted; use ${least} or more`,
    2,
  );
}
