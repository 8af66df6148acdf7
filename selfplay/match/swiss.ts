// Pairing of Swiss tournaments. Engines with similar points play each other, and rematches are avoided where possible. In a group of equal
// points, the upper half plays the lower half (as in the Dutch system). There is no rule for colours, because every encounter is played
// with both. A round is paired after the last game of the previous one. For pairing only, a bye counts as a won encounter.

import type { Schedule } from '../series/series.js';

/** Number of an engine, and its points so far. */
export interface SwissEntry {
  engine: number;
  points: number;
}

/** The pairings of a round. With an odd number of engines, one has a bye. */
export interface SwissRound {
  pairings: [number, number][];
  bye: number | null;
}

/** Maximum number of search steps for a round without rematches. After that, rematches are allowed. */
const TRIES = 20_000;

/** Returns the schedule; `games` per encounter must be even. */
export function swissSchedule(engines: number, rounds: number, games: number): Required<Schedule> {
  const gamesPerRound = Math.floor(engines / 2) * games;
  const points: number[] = new Array(engines).fill(0);
  const byes: number[] = new Array(engines).fill(0);
  const met = points.map((): number[] => new Array(engines).fill(0));
  const paired: SwissRound['pairings'][] = [];
  const total = rounds * gamesPerRound;
  const settled = (): number => paired.length * gamesPerRound;

  const pairNext = (): void => {
    const entries = points.map((value, engine) => ({ engine, points: value }));
    const { pairings, bye } = swissRound(entries, (a, b) => met[a][b], byes);
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

/** Returns the next round; `met(a, b)` counts earlier encounters, `byes[e]` the rounds an engine has sat out. */
export function swissRound(
  entries: readonly SwissEntry[],
  met: (a: number, b: number) => number,
  byes: readonly number[],
): SwissRound {
  const ranking = [...entries].sort((a, b) => b.points - a.points || a.engine - b.engine);
  const bye = ranking.length % 2 === 0 ? null : byeOf(ranking, byes);
  const paired = ranking.filter(({ engine }) => engine !== bye);
  for (let rematches = 0; ; rematches++) {
    const pairings = pairingsOf(paired, (a, b) => met(a, b) <= rematches);
    if (pairings !== null) return { pairings, bye };
  }
}

// The lowest-ranked engine of those with the fewest byes
function byeOf(ranking: readonly SwissEntry[], byes: readonly number[]): number {
  const fewest = Math.min(...ranking.map(({ engine }) => byes[engine]));
  return (ranking.findLast(({ engine }) => byes[engine] === fewest) as SwissEntry).engine;
}

// Depth-first search: the first unpaired engine takes its best allowed opponent, then the others are paired
function pairingsOf(
  ranking: readonly SwissEntry[],
  mayMeet: (a: number, b: number) => boolean,
): SwissRound['pairings'] | null {
  let tries = 0;
  const pairRest = ([first, ...others]: readonly SwissEntry[]): SwissRound['pairings'] | null => {
    if (first === undefined) return [];
    for (const opponent of preferred(first, others).filter(({ engine }) => mayMeet(first.engine, engine))) {
      if (++tries > TRIES) return null;
      const pairings = pairRest(others.filter((other) => other !== opponent));
      if (pairings !== null) return [[first.engine, opponent.engine], ...pairings];
    }
    return null;
  };
  return pairRest(ranking);
}

// Opponents in order of preference: the player's own group from the middle down, then from the middle up, then the groups below
function preferred(first: SwissEntry, others: readonly SwissEntry[]): SwissEntry[] {
  const group = others.filter(({ points }) => points === first.points);
  const half = Math.floor(group.length / 2);
  return [...group.slice(half), ...group.slice(0, half).reverse(), ...others.slice(group.length)];
}
