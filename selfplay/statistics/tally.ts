// Results of a match from one player's side: games won, lost and drawn, by colour, and pairs by points. A tally is immutable, so it can be
// displayed and compared while the match continues.

import { addCounts, type Counts, type HalfPoints, NO_GAMES, withGame } from '../common/game-result.js';

/** Games and pairs, independent of the colours. */
export interface PairScore extends Counts {
  /** Finished pairs by half points, 0 (LL) to 4 (WW). */
  readonly penta: readonly [number, number, number, number, number];
}

export interface Tally extends PairScore {
  /** The player's games with White and with Black. */
  readonly white: Counts;
  readonly black: Counts;
}

export const EMPTY_SCORE: PairScore = { ...NO_GAMES, penta: [0, 0, 0, 0, 0] };
export const EMPTY_TALLY: Tally = { ...EMPTY_SCORE, white: NO_GAMES, black: NO_GAMES };

/** Returns five counts of pairs, LL to WW, as the `penta` of a score. */
export const pentaOf = ([ll, ld, even, wd, ww]: readonly number[]): PairScore['penta'] => [ll, ld, even, wd, ww];

/** Returns the tally with one more game that belongs to no pair (yet). */
export function addGame(tally: Tally, result: HalfPoints, colour: 'white' | 'black'): Tally {
  return { ...tally, ...withGame(tally, result), [colour]: withGame(tally[colour], result) };
}

/** Returns the tally with both games of a pair: the one with White, and the one with Black. */
export function addPair(tally: Tally, withWhite: HalfPoints, withBlack: HalfPoints): Tally {
  const games = addGame(addGame(tally, withWhite, 'white'), withBlack, 'black');
  const penta = tally.penta.map((count, points) => count + (points === withWhite + withBlack ? 1 : 0));
  return { ...games, penta: pentaOf(penta) };
}

/** Returns the sum of two scores. */
export function mergeScores(a: PairScore, b: PairScore): PairScore {
  return { ...addCounts(a, b), penta: pentaOf(a.penta.map((count, points) => count + b.penta[points])) };
}

/** Returns the score from the opponent's side. */
export const invertScore = (score: PairScore): PairScore => ({
  ...inverted(score),
  penta: pentaOf(score.penta.toReversed()),
});

/** Returns the sum of two tallies. */
export function mergeTallies(a: Tally, b: Tally): Tally {
  return { ...mergeScores(a, b), white: addCounts(a.white, b.white), black: addCounts(a.black, b.black) };
}

/** Returns the tally from the opponent's side. */
export function invertTally(tally: Tally): Tally {
  return { ...invertScore(tally), white: inverted(tally.black), black: inverted(tally.white) };
}

/** Returns the number of finished pairs. */
export const pairsOf = (tally: Pick<PairScore, 'penta'>): number => tally.penta.reduce((sum, count) => sum + count, 0);

/** Returns losses, draws and wins, the order used by llr() and eloOf(). */
export const trinomial = (tally: Counts): [number, number, number] => [tally.losses, tally.draws, tally.wins];

const inverted = ({ wins, losses, draws }: Counts): Counts => ({ wins: losses, losses: wins, draws });
