// The fit used by ratings.ts. Expected points are a logistic function of the rating difference, with draws as half points. Newton's method
// finds the ratings for which expected and scored points are equal. Errors come from the variance of the results around their expectations
// (the sandwich estimator). For two engines, they agree closely with the errors in the report of a match.

import { smoothed, Z95 } from './elo.js';
import { ELO_PER_SIGMA, expectedScore } from './outcomes.js';

/** Result between two players in games of one kind: pairs with reversed colours, or single games. */
export interface Meeting {
  first: number;
  second: number;
  /** The first player's colour in each game of a unit: 1 White, -1 Black, 0 unknown. A pair is a unit of two games. */
  sides: readonly number[];
  /** Units by the first player's half points. */
  counts: readonly number[];
  /** White's points in these units; needed to fit White's advantage. */
  whitePoints?: number;
}

export interface Rating {
  elo: number;
  /** Half-width of the 95 % interval; 0 for an anchor. */
  error: number;
}

/** Elo per unit of the logistic curve's natural argument. */
const ELO_PER_LOGIT = ELO_PER_SIGMA / 2;
const MAX_STEPS = 200;
/** Prior standard deviation of White's advantage in Elo. It matters if White won all games. */
const ADVANTAGE_SPREAD = 400;
/** Small ridge that makes the matrix regular if players are not connected by games. */
const RIDGE = 1e-9;

/**
 * Returns the ratings and White's advantage in Elo. Without anchors, the average rating is 0. `fixed[i]` is the rating of an anchored
 * player. White's `advantage` is fitted if it is null. `components` are the sets of players connected by games.
 */
export function fitRatings(
  meetings: readonly Meeting[],
  fixed: readonly (number | undefined)[],
  advantage: number | null,
  components: readonly ReadonlySet<number>[],
): { ratings: Rating[]; advantage: number } {
  const free = fixed.flatMap((rating, i) => (rating === undefined ? [i] : []));
  const anchors = fixed.filter((rating) => rating !== undefined);
  const level = anchors.reduce((sum, rating) => sum + rating, 0) / Math.max(1, anchors.length);
  // White's advantage is one more parameter, the last
  const logits = [...fixed, advantage ?? 0].map((rating) => (rating ?? level) / ELO_PER_LOGIT);
  const unknown = advantage === null ? [...free, fixed.length] : free;
  const curvature = climb(meetings, logits, unknown).slice(0, free.length);
  const errors = standardErrors(meetings, logits, curvature, free, components);
  const own = logits.slice(0, -1);
  const shift = anchors.length > 0 ? 0 : own.reduce((sum, logit) => sum + logit, 0) / own.length;
  return {
    ratings: own.map((logit, i) => ({
      elo: ELO_PER_LOGIT * (logit - shift),
      error: fixed[i] === undefined ? Z95 * ELO_PER_LOGIT * errors[free.indexOf(i)] : 0,
    })),
    advantage: ELO_PER_LOGIT * logits[fixed.length],
  };
}

const unitsOf = ({ counts }: Meeting): number => counts.reduce((sum, count) => sum + count, 0);

/** Returns the first player's expected score in each game of a unit. */
function expectedIn({ first, second, sides }: Meeting, logits: readonly number[]): number[] {
  const difference = logits[first] - logits[second];
  return sides.map((side) => expectedScore(ELO_PER_LOGIT * (difference + side * logits[logits.length - 1])));
}

// Newton's method on a concave function; changes the unknown logits and returns the curvature (negative Hessian) at the end
function climb(meetings: readonly Meeting[], logits: number[], unknown: readonly number[]): number[][] {
  const last = logits.length - 1;
  let curvature: number[][] = [];
  for (let step = 0; step < MAX_STEPS; step++) {
    const gradient = new Float64Array(logits.length);
    const full = logits.map((_, i) => Float64Array.from(logits, (_value, j) => (i === j ? RIDGE : 0)));
    for (const meeting of meetings) {
      const { first, second, sides, counts, whitePoints = 0 } = meeting;
      const units = unitsOf(meeting);
      const scored = counts.reduce((sum, count, halfPoints) => sum + (count * halfPoints) / 2, 0);
      let missing = scored;
      let missingWhite = whitePoints;
      expectedIn(meeting, logits).forEach((expected, game) => {
        const side = sides[game];
        const slope = units * expected * (1 - expected);
        missing -= units * expected;
        missingWhite -= units * (side < 0 ? 1 - expected : expected);
        addDifference(full, first, second, slope);
        full[first][last] += side * slope;
        full[second][last] -= side * slope;
        full[last][first] += side * slope;
        full[last][second] -= side * slope;
        full[last][last] += side * side * slope;
      });
      gradient[first] += missing;
      gradient[second] -= missing;
      gradient[last] += missingWhite;
    }
    const known = (ELO_PER_LOGIT / ADVANTAGE_SPREAD) ** 2;
    full[last][last] += known;
    gradient[last] -= known * logits[last];
    curvature = unknown.map((i) => unknown.map((j) => full[i][j]));
    const [move] = solve(curvature, [unknown.map((i) => gradient[i])]);
    const longest = move.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    // Limits long steps, which overshoot where the curve is flat
    const scale = Math.min(1, 1 / longest);
    unknown.forEach((i, k) => {
      logits[i] += scale * move[k];
    });
    // Newton's method converges quadratically. Without anchors, rounding errors of about 1e-8 shift all ratings together
    if (longest < 1e-6) break;
  }
  return curvature;
}

// Sandwich estimator: inverse curvature around the variance of the gradient, with White's advantage as known. In a component without
// anchors, errors are relative to the component's average
function standardErrors(
  meetings: readonly Meeting[],
  logits: readonly number[],
  curvature: readonly (readonly number[])[],
  free: readonly number[],
  components: readonly ReadonlySet<number>[],
): number[] {
  const size = free.length;
  const place = new Map(free.map((player, k) => [player, k]));
  const loose = components.filter((component) => [...component].every((player) => place.has(player)));
  const componentOf = new Map(loose.flatMap((players) => [...players].map((player) => [player, players] as const)));
  const meanShare = (player: number, other: number): number => {
    const component = componentOf.get(player);
    return component?.has(other) === true ? 1 / component.size : 0;
  };
  const spread = free.map(() => new Float64Array(size));
  const variances = variancesOf(meetings, logits);
  meetings.forEach(({ first, second }, i) => {
    addDifference(spread, place.get(first), place.get(second), variances[i]);
  });
  const held = curvature.map((row, k) => row.slice(0, size).map((value, j) => value + meanShare(free[k], free[j])));
  const units = free.map((player, k) => free.map((other, j) => (j === k ? 1 : 0) - meanShare(player, other)));
  return solve(held, units).map((row) => {
    const variance = row.reduce(
      (sum, value, i) => sum + value * spread[i].reduce((inner, cell, j) => inner + cell * row[j], 0),
      0,
    );
    return Math.sqrt(Math.max(0, variance));
  });
}

// Returns the variance of the first player's points in each meeting around their expectation. An estimate from a few units is poor, so each
// meeting gets one additional unit. This unit has the variance of games without draws, scaled by the ratio of observed to drawless variance
// over all meetings
function variancesOf(meetings: readonly Meeting[], logits: readonly number[]): number[] {
  const parts = meetings.map((meeting) => {
    const games = expectedIn(meeting, logits);
    const expected = games.reduce((sum, score) => sum + score, 0);
    const decisive = games.reduce((sum, score) => sum + score * (1 - score), 0);
    const squares = (counts: readonly number[]): number =>
      counts.reduce((sum, count, halfPoints) => sum + count * (halfPoints / 2 - expected) ** 2, 0);
    return { meeting, units: unitsOf(meeting), decisive, squares };
  });
  // Equal results have no variance
  const isVaried =
    new Set(meetings.flatMap(({ counts }) => counts.flatMap((count, i) => (count > 0 ? [i] : [])))).size > 1;
  const squaresOf = (part: (typeof parts)[number]): number =>
    part.squares(isVaried ? part.meeting.counts : smoothed(part.meeting.counts));
  const squares = parts.reduce((sum, part) => sum + squaresOf(part), 0);
  const decisive = parts.reduce((sum, part) => sum + part.units * part.decisive, 0);
  const dispersion = squares / Math.max(decisive, Number.MIN_VALUE);
  return parts.map((part) => ((squaresOf(part) + dispersion * part.decisive) * part.units) / (part.units + 1));
}

// Adds weight * (e_i - e_j)(e_i - e_j)'; an undefined index is a fixed rating
function addDifference(matrix: Float64Array[], i: number | undefined, j: number | undefined, weight: number): void {
  if (i !== undefined) matrix[i][i] += weight;
  if (j !== undefined) matrix[j][j] += weight;
  if (i === undefined || j === undefined) return;
  matrix[i][j] -= weight;
  matrix[j][i] -= weight;
}

// Gaussian elimination for several right-hand sides; the matrices are symmetric and positive definite and need no pivoting
function solve(matrix: readonly (readonly number[])[], rights: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, i) => Float64Array.from([...row, ...rights.map((right) => right[i])]));
  for (let pivot = 0; pivot < size; pivot++) {
    const top = rows[pivot];
    for (let row = pivot + 1; row < size; row++) {
      const below = rows[row];
      const factor = below[pivot] / top[pivot];
      if (factor === 0) continue;
      for (let column = pivot; column < top.length; column++) below[column] -= factor * top[column];
    }
  }
  return rights.map((_, k) => {
    const result = new Array<number>(size).fill(0);
    for (let row = size - 1; row >= 0; row--) {
      let value = rows[row][size + k];
      for (let column = row + 1; column < size; column++) value -= rows[row][column] * result[column];
      result[row] = value / rows[row][row];
    }
    return result;
  });
}
