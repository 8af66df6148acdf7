// strengthsOf(): maximum-likelihood ratings of a loop's generations and of its pool, from all matches of the loop together.

import { ratingsOf } from '../../selfplay/statistics/ratings.js';
import { EMPTY_SCORE, invertScore, mergeScores, type PairScore } from '../../selfplay/statistics/tally.js';
import { bestBefore } from './ledger.js';
import { type Ledger, POOL_WEIGHTS } from './settings.js';

/** An Elo difference, and the half-width of its 95 % interval. */
export interface Strength {
  elo: number;
  error: number;
}

export interface Strengths {
  /** Name of the opponent with rating 0: the start weights, or material if the loop starts from zero and has played against it. */
  level: string;
  /** Ratings of the start and of each generation. A generation with unchanged weights has the rating of the generation it started from. */
  ratings: Strength[];
  /** Ratings of the opponents outside the loop, by name. */
  pool: Map<string, Strength>;
}

/** Returns the ratings of all participants of a loop so far. */
export function strengthsOf({
  settings,
  generations,
  final,
}: Pick<Ledger, 'settings' | 'generations' | 'final'>): Strengths {
  const { from } = settings;
  const results: PairScore[][] = [];
  const newcomer = (): number => {
    for (const row of results) row.push(EMPTY_SCORE);
    return results.push(new Array<PairScore>(results.length + 1).fill(EMPTY_SCORE)) - 1;
  };
  const own = [newcomer()];
  const outside = new Map<string, number>();
  const player = (name: string): number => {
    if (name === from && POOL_WEIGHTS.includes(name)) return own[0];
    const index = outside.get(name) ?? newcomer();
    outside.set(name, index);
    return index;
  };
  const add = (first: number, second: number, score: PairScore): void => {
    results[first][second] = mergeScores(results[first][second], score);
    results[second][first] = invertScore(results[first][second]);
  };
  for (const { generation, match, pool } of generations) {
    const base = own[bestBefore(generations, generation)];
    own.push(match === null ? base : newcomer());
    const scores = new Map<number, PairScore & { games: number }>();
    if (match !== null) scores.set(base, match);
    for (const entry of pool) {
      const opponent = player(entry.opponent);
      // A pool match against the base has the seed of the match, so the shorter of the two repeats games of the longer
      if (entry.games > (scores.get(opponent)?.games ?? 0)) scores.set(opponent, entry);
    }
    for (const [opponent, score] of scores) add(own[generation], opponent, score);
  }
  const last = final?.match ?? null;
  if (final !== null && last !== null) add(own[final.generation], player('shipped'), last);

  const material = from === 'zero' ? outside.get('material') : undefined;
  const ratings = ratingsOf(
    results,
    results.map((_, index) => (index === (material ?? own[0]) ? 0 : undefined)),
  );
  return {
    level: material === undefined ? from : 'material',
    ratings: own.map((index) => ratings[index]),
    pool: new Map([...outside].map(([name, index]) => [name, ratings[index]])),
  };
}
