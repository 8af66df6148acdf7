// Swiss pairing: engines of about equal points meet, and none meets the same one twice while that can be avoided. Within a group
// of equal points the upper half meets the lower half (as in the Dutch system); colours need no rule, because every encounter is
// played with both. Pairing depends on the results of whole rounds only.

/** An engine by its number, and its points so far. */
export interface SwissEntry {
  engine: number;
  points: number;
}

/** The pairings of a round; with an odd number of engines one has a bye. */
export interface SwissRound {
  pairings: [number, number][];
  bye: number | null;
}

/** Tries of the search for a round without rematches before it settles for one with them. */
const TRIES = 20_000;

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
    const pairings = paired.length === 0 ? [] : new Pairer(paired, met, rematches).pair();
    if (pairings !== null) return { pairings, bye };
  }
}

// The lowest of those who have sat out least often
function byeOf(ranking: readonly SwissEntry[], byes: readonly number[]): number {
  const fewest = Math.min(...ranking.map(({ engine }) => byes[engine]));
  return (ranking.findLast(({ engine }) => byes[engine] === fewest) as SwissEntry).engine;
}

/** Depth-first search: the first one left takes the best opponent it may have, then the others are paired. */
class Pairer {
  private readonly ranking: readonly SwissEntry[];
  private readonly met: (a: number, b: number) => number;
  /** Earlier encounters of two engines up to which they may meet again. */
  private readonly rematches: number;
  private tries = 0;

  constructor(ranking: readonly SwissEntry[], met: (a: number, b: number) => number, rematches: number) {
    this.ranking = ranking;
    this.met = met;
    this.rematches = rematches;
  }

  /** Returns the pairings, or null where none is found. */
  pair(): [number, number][] | null {
    return this.pairRest(this.ranking);
  }

  private pairRest(rest: readonly SwissEntry[]): [number, number][] | null {
    if (rest.length === 0) return [];
    const [first, ...others] = rest;
    for (const opponent of this.preferred(first, others)) {
      if (++this.tries > TRIES) return null;
      const pairings = this.pairRest(others.filter((other) => other !== opponent));
      if (pairings !== null) return [[first.engine, opponent.engine], ...pairings];
    }
    return null;
  }

  // From the middle of one's own group downwards, then the rest of it, then the groups below
  private preferred(first: SwissEntry, others: readonly SwissEntry[]): SwissEntry[] {
    const group = others.filter(({ points }) => points === first.points);
    const half = Math.floor(group.length / 2);
    const order = [...group.slice(half), ...group.slice(0, half).reverse(), ...others.slice(group.length)];
    return order.filter(({ engine }) => this.met(first.engine, engine) <= this.rematches);
  }
}
