// Ratings of several engines by maximum likelihood, as in Ordo and BayesElo, with errors from the variance of the pairs.

import { gamesOf } from '../common/game-result.js';
import { fitRatings, type Meeting, type Rating } from './rating-fit.js';
import { type PairScore, pairsOf, trinomial } from './tally.js';

/**
 * Returns the engines' ratings. `tallies[i][j]` are i's results against j. `anchors[i]` fixes an engine's rating; without anchors, the
 * average is 0. If ratings would be infinite, half an outcome is added at each extreme, as in `eloOf`.
 */
export function ratingsOf(
  tallies: readonly (readonly PairScore[])[],
  anchors: readonly (number | undefined)[] = [],
): Rating[] {
  const meetings: Meeting[] = [];
  tallies.forEach((row, first) => {
    for (let second = first + 1; second < row.length; second++) {
      if (gamesOf(row[second]) > 0) meetings.push(meetingOf(first, second, row[second]));
    }
  });
  const known = tallies.map((_, i) => anchors[i]);
  return ratingsFrom(meetings, known, 0).ratings;
}

/**
 * Returns the players' ratings from their meetings, and White's advantage in Elo, which is fitted if `advantage` is null. `anchors[i]` is
 * the known rating of a player, or undefined.
 */
export function ratingsFrom(
  meetings: readonly Meeting[],
  anchors: readonly (number | undefined)[],
  advantage: number | null,
): ReturnType<typeof fitRatings> {
  const players = anchors.length;
  return fitRatings(joined(meetings, players), anchors, advantage, connectedPlayers(meetings, players));
}

function meetingOf(first: number, second: number, tally: PairScore): Meeting {
  const isPaired = 2 * pairsOf(tally) === gamesOf(tally);
  return isPaired
    ? { first, second, sides: [1, -1], counts: tally.penta }
    : { first, second, sides: [0], counts: trinomial(tally) };
}

/**
 * Returns the group of each player. Groups are the strongly connected components of the graph with an edge from each player to every player
 * who took points from it. Between two groups, all points went to the same side, so ratings would be infinite.
 */
function groupsOf(meetings: readonly Meeting[], players: number): number[] {
  const winners: number[][] = Array.from({ length: players }, () => []);
  const losers: number[][] = Array.from({ length: players }, () => []);
  for (const { first, second, counts } of meetings) {
    const tookPoints = counts.some((count, halfPoints) => count > 0 && halfPoints > 0);
    const gavePoints = counts.some((count, halfPoints) => count > 0 && halfPoints < counts.length - 1);
    for (const [isPoint, winner, loser] of [
      [tookPoints, first, second],
      [gavePoints, second, first],
    ] as const) {
      if (!isPoint) continue;
      winners[loser].push(winner);
      losers[winner].push(loser);
    }
  }
  const groups = new Array<number>(players).fill(-1);
  for (let player = 0; player < players; player++) {
    if (groups[player] >= 0) continue;
    const above = reached(player, winners);
    for (const other of reached(player, losers)) if (above.has(other)) groups[other] = player;
  }
  return groups;
}

/** Returns the sets of players connected by games. */
export function connectedPlayers(meetings: readonly Meeting[], players: number): Set<number>[] {
  const neighbours: number[][] = Array.from({ length: players }, () => []);
  for (const { first, second } of meetings) {
    neighbours[first].push(second);
    neighbours[second].push(first);
  }
  const sets: Set<number>[] = [];
  for (let player = 0; player < players; player++) {
    if (!sets.some((set) => set.has(player))) sets.push(reached(player, neighbours));
  }
  return sets;
}

function reached(from: number, next: readonly (readonly number[])[]): Set<number> {
  const seen = new Set([from]);
  for (const player of seen) for (const other of next[player]) seen.add(other);
  return seen;
}

// If ratings would be infinite, half a unit at each extreme is added to each meeting between two groups. A player's meetings of this kind
// share the addition so that a single player without a point does not compress all ratings
function joined(meetings: readonly Meeting[], players: number): Meeting[] {
  const groups = groupsOf(meetings, players);
  const isOneSided = ({ first, second }: Meeting): boolean => groups[first] !== groups[second];
  const times = new Array<number>(players).fill(0);
  for (const meeting of meetings.filter(isOneSided)) {
    times[meeting.first]++;
    times[meeting.second]++;
  }
  return meetings.map((meeting) =>
    isOneSided(meeting) ? softened(meeting, 1 / Math.max(times[meeting.first], times[meeting.second])) : meeting,
  );
}

function softened({ counts, whitePoints = 0, sides, ...meeting }: Meeting, share: number): Meeting {
  const more = counts.map((count, i) => (i === 0 || i === counts.length - 1 ? count + share / 2 : count));
  return { ...meeting, sides, counts: more, whitePoints: whitePoints + (share * sides.length) / 2 };
}
