// The running counts of a match from one player's side: games won, lost and drawn, and pairs by their points. Values, never
// changed in place, so that a tally can be shown, saved and compared while the match goes on.

/** What a game was for the player: 0 a loss, 1 a draw, 2 a win (half points). */
export type HalfPoints = 0 | 1 | 2;

export interface Tally {
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  /** Finished pairs by half points, 0 (LL) to 4 (WW). */
  readonly penta: readonly [number, number, number, number, number];
}

/** No games yet. */
export const EMPTY_TALLY: Tally = { wins: 0, losses: 0, draws: 0, penta: [0, 0, 0, 0, 0] };

/** Returns the tally with one more game that belongs to no pair (yet). */
export function addGame(tally: Tally, result: HalfPoints): Tally {
  return {
    ...tally,
    wins: tally.wins + (result === 2 ? 1 : 0),
    losses: tally.losses + (result === 0 ? 1 : 0),
    draws: tally.draws + (result === 1 ? 1 : 0),
  };
}

/** Returns the tally with both games of a pair, in either order. */
export function addPair(tally: Tally, first: HalfPoints, second: HalfPoints): Tally {
  const games = addGame(addGame(tally, first), second);
  const penta = tally.penta.map((count, points) => count + (points === first + second ? 1 : 0));
  return { ...games, penta: penta as unknown as Tally['penta'] };
}

/** Returns the sum of two tallies. */
export function mergeTallies(a: Tally, b: Tally): Tally {
  return {
    wins: a.wins + b.wins,
    losses: a.losses + b.losses,
    draws: a.draws + b.draws,
    penta: a.penta.map((count, points) => count + b.penta[points]) as unknown as Tally['penta'],
  };
}

/** Returns the tally from the opponent's side. */
export function invertTally(tally: Tally): Tally {
  return {
    wins: tally.losses,
    losses: tally.wins,
    draws: tally.draws,
    penta: tally.penta.toReversed() as unknown as Tally['penta'],
  };
}

/** Returns the number of games. */
export function gamesOf(tally: Tally): number {
  return tally.wins + tally.losses + tally.draws;
}

/** Returns the number of finished pairs. */
export function pairsOf(tally: Tally): number {
  return tally.penta.reduce((sum, count) => sum + count, 0);
}

/** Returns losses, draws, wins: the order that llr and eloOf take. */
export function trinomial(tally: Tally): [number, number, number] {
  return [tally.losses, tally.draws, tally.wins];
}
