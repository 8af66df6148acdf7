// matchEntry() and matchLine(): a match as the loop's ledger and the ledgers of shipped values store it.

import type { MatchResult } from '../../selfplay/match/match-result.js';

/** The lines of a match that a ledger keeps, from the candidate's side. */
export type MatchEntry = Pick<
  MatchResult,
  'games' | 'wins' | 'losses' | 'draws' | 'penta' | 'elo' | 'eloError' | 'nelo' | 'llr' | 'lower' | 'upper' | 'verdict'
>;

/** Returns what a ledger keeps of a match. */
export function matchEntry(result: MatchResult): MatchEntry {
  const { games, wins, losses, draws, penta, elo, eloError, nelo, llr, lower, upper, verdict } = result;
  return { games, wins, losses, draws, penta, elo, eloError, nelo, llr, lower, upper, verdict };
}

/**
 * Returns a match with an SPRT in one line: `Elo 12.3 +/- 4.5 (stopped early), LLR 2.95 (-2.94, 2.94) [0, 20], +120 -80 =100, Ptnml [..]`.
 * The Elo of a match that its SPRT ended is biased away from zero, which the mark says.
 */
export function matchLine(result: MatchResult): string {
  const { elo, eloError, llr, lower, upper, sprt, wins, losses, draws, penta, verdict } = result;
  const hypotheses = sprt === null ? '' : ` [${sprt.elo0}, ${sprt.elo1}]`;
  return (
    `Elo ${elo.toFixed(1)} +/- ${eloError.toFixed(1)}${verdict === null ? '' : ' (stopped early)'}, LLR ${llr.toFixed(2)} (${lower.toFixed(2)}, ${upper.toFixed(2)})` +
    `${hypotheses}, +${wins} -${losses} =${draws}, Ptnml [${penta.join(', ')}]`
  );
}
