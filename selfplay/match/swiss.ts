// Pairing of Swiss tournaments. Engines with similar points play each other, and rematches are avoided where possible. Within a group of
// engines with equal points, the upper half plays the lower half (as in the Dutch system). There is no rule for colours, because every
// encounter is played with both. A round is paired after the last game of the previous one. For pairing only, a bye counts as a won
// encounter.

import type { Schedule } from '../series/series.js';

/** The pairings of a round. With an odd number of engines, one engine has a bye. */
export interface SwissRound {
  pairings: [number, number][];
  bye: number | null;
}

/** Maximum number of search steps for a round without rematches. After that, rematches are allowed. */
const TRIES = 20_000;

/** Returns the schedule. `games`, the number per encounter, must be even. */
export function swissSchedule(engines: number, rounds: number, games: number): Required<Schedule> {
  const gamesPerRound = Math.floor(engines / 2) * games;
  const points: number[] = new Array(engines).fill(0);
  const byes: number[] = new Array(engines).fill(0);
  const met = points.map((): number[] => new Array(engines).fill(0));
  const paired: SwissRound['pairings'][] = [];
  const total = rounds * gamesPerRound;
  const settled = (): number => paired.length * gamesPerRound;

  const pairNext = (): void => {
    const { pairings, bye } = swissRound(points, (a, b) => met[a][b], byes);
    for (const [a, b] of pairings) {
      met[a][b]++;
      met[b][a]++;
    }
    if (bye !== null) {
      byes[bye]++;
      points[bye] += games;
    }
    paired.push(pairings);
  };
  pairNext();

  return {
    games: total,
    settled,
    at(index) {
      const round = Math.floor(index / gamesPerRound);
      const pairings = paired[round];
      const pair = (index % gamesPerRound) >> 1;
      const pairing = pairings[pair % pairings.length];
      const opening = (round * games) / 2 + Math.floor(pair / pairings.length);
      return { white: pairing[index % 2], black: pairing[1 - (index % 2)], opening, round: round + 1 };
    },
    count(whiteScore, { white, black }, index) {
      points[white] += whiteScore;
      points[black] += 1 - whiteScore;
      if (index + 1 === settled() && index + 1 < total) pairNext();
    },
  };
}

/** Returns the next round from the engines' points. `met(a, b)` counts earlier encounters, and `byes[e]` earlier byes. */
export function swissRound(
  points: readonly number[],
  met: (a: number, b: number) => number,
  byes: readonly number[],
): SwissRound {
  const ranking = points.map((_, engine) => engine).sort((a, b) => points[b] - points[a]);
  // The lowest-ranked engine of those with the fewest byes
  const fewest = Math.min(...byes);
  const bye = ranking.length % 2 === 0 ? null : (ranking.findLast((engine) => byes[engine] === fewest) as number);
  const paired = ranking.filter((engine) => engine !== bye);
  for (let rematches = 0; ; rematches++) {
    const pairings = pairingsOf(paired, points, (a, b) => met(a, b) <= rematches);
    if (pairings !== null) return { pairings, bye };
  }
}

// Depth-first search: pairs the first engine with its best allowed opponent, then pairs the rest
function pairingsOf(
  ranking: readonly number[],
  points: readonly number[],
  mayMeet: (a: number, b: number) => boolean,
): SwissRound['pairings'] | null {
  let tries = 0;
  const pairRest = ([first, ...others]: readonly number[]): SwissRound['pairings'] | null => {
    if (first === undefined) return [];
    for (const opponent of preferred(first, others, points).filter((other) => mayMeet(first, other))) {
      if (++tries > TRIES) return null;
      const pairings = pairRest(others.filter((other) => other !== opponent));
      if (pairings !== null) return [[first, opponent], ...pairings];
    }
    return null;
  };
  return pairRest(ranking);
}

// Opponents in order of preference: the player's own group from the middle down, then from the middle up, then the groups below
function preferred(first: number, others: readonly number[], points: readonly number[]): number[] {
  const group = others.filter((other) => points[other] === points[first]);
  const half = Math.floor(group.length / 2);
  return [...group.slice(half), ...group.slice(0, half).reverse(), ...others.slice(group.length)];
}
