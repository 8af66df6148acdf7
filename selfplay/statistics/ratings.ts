// Ratings of several engines by maximum likelihood, as Ordo and BayesElo give them: points are expected by the logistic
// curve of the rating difference, a draw being half a point. Errors come from how the pairs really varied (the sandwich
// estimator), so that for two engines they are those of a match.

import { gamesOf, pointsOf } from '../common/game-result.js';
import { smoothed } from './elo.js';
import { ELO_PER_SIGMA, expectedScore, moments, sampleOf } from './outcomes.js';
import { pairsOf, type Score, trinomial } from './tally.js';

export interface Rating {
  elo: number;
  /** Half-width of the 95 % interval; 0 for an anchor. */
  error: number;
}

/** Elo a unit of the logistic curve's natural argument is worth. */
const ELO_PER_LOGIT = ELO_PER_SIGMA / 2;
const Z95 = 1.959963984540054;
const MAX_STEPS = 200;
/** Holds engines that never met, nor a common opponent, in their places. */
const RIDGE = 1e-9;

/** What a pairing came to: games, the first's points, and the variance of those points. */
interface Meeting {
  first: number;
  second: number;
  games: number;
  points: number;
  variance: number;
}

/**
 * Returns the engines' ratings. `tallies[i][j]` are i's results against j; `anchors[i]` fixes an engine's rating, and without
 * any the average is 0. Where an engine has won or lost everything, half an outcome of the other kind is added, as in `eloOf`.
 */
export function ratingsOf(
  tallies: readonly (readonly Score[])[],
  anchors: readonly (number | undefined)[] = [],
): Rating[] {
  const meetings = meetingsOf(tallies);
  const fixed = tallies.map((_, i) => anchors[i]);
  const free = fixed.flatMap((anchor, i) => (anchor === undefined ? [i] : []));
  const anchored = fixed.filter((anchor) => anchor !== undefined);
  const level = anchored.reduce((sum, anchor) => sum + anchor, 0) / Math.max(1, anchored.length);
  const logits = fixed.map((anchor) => (anchor ?? level) / ELO_PER_LOGIT);
  const curvature = climb(meetings, logits, free);
  const errors = standardErrors(meetings, curvature, free, anchored.length > 0);
  const shift = anchored.length > 0 ? 0 : logits.reduce((sum, logit) => sum + logit, 0) / logits.length;
  return logits.map((logit, i) => ({
    elo: ELO_PER_LOGIT * (logit - shift),
    error: free.includes(i) ? Z95 * ELO_PER_LOGIT * errors[free.indexOf(i)] : 0,
  }));
}

function meetingsOf(tallies: readonly (readonly Score[])[]): Meeting[] {
  const meetings: Meeting[] = [];
  tallies.forEach((row, first) => {
    for (let second = first + 1; second < row.length; second++) {
      if (gamesOf(row[second]) > 0) meetings.push(meetingOf(first, second, row[second]));
    }
  });
  return isConnected(tallies) ? meetings : meetings.map(softened);
}

function meetingOf(first: number, second: number, tally: Score): Meeting {
  const games = gamesOf(tally);
  const counts = 2 * pairsOf(tally) === games ? tally.penta : trinomial(tally);
  const sample = sampleOf(smoothed(counts));
  const { variance } = moments(sample.scores, sample.shares);
  const gamesInUnit = counts.length === 5 ? 2 : 1;
  const units = games / gamesInUnit;
  return { first, second, games, points: pointsOf(tally), variance: units * gamesInUnit ** 2 * variance };
}

// Ratings are finite when no group of engines has only won, or only lost, against the rest: when, going from each engine
// to those that took points from it, everybody is reached from everybody.
function isConnected(tallies: readonly (readonly Score[])[]): boolean {
  const reaches = (hasPoints: (from: number, to: number) => boolean): boolean => {
    const reached = new Set([0]);
    for (const from of reached) {
      for (let to = 0; to < tallies.length; to++) if (hasPoints(from, to)) reached.add(to);
    }
    return reached.size === tallies.length;
  };
  const took = ({ wins, draws }: Score): boolean => wins + draws > 0;
  return reaches((from, to) => took(tallies[from][to])) && reaches((from, to) => took(tallies[to][from]));
}

function softened(meeting: Meeting): Meeting {
  const { games, points } = meeting;
  if (points > 0 && points < games) return meeting;
  return { ...meeting, games: games + 1, points: points + 0.5 };
}

// Newton's method on a concave function; changes the free logits and returns the curvature (negative Hessian) at the end.
function climb(meetings: readonly Meeting[], logits: number[], free: readonly number[]): number[][] {
  let curvature: number[][] = [];
  for (let step = 0; step < MAX_STEPS; step++) {
    const gradient = new Array<number>(logits.length).fill(0);
    const full = logits.map((_, i) => logits.map((_, j) => (i === j ? RIDGE : 0)));
    for (const { first, second, games, points } of meetings) {
      const expected = expectedScore(ELO_PER_LOGIT * (logits[first] - logits[second]));
      gradient[first] += points - games * expected;
      gradient[second] -= points - games * expected;
      addDifference(full, first, second, games * expected * (1 - expected));
    }
    curvature = free.map((i) => free.map((j) => full[i][j]));
    const right = free.map((i) => gradient[i]);
    const move = solve(curvature, right);
    const longest = move.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    // A long step overshoots where the curve is flat
    const scale = Math.min(1, 1 / longest);
    free.forEach((i, k) => {
      logits[i] += scale * move[k];
    });
    if (longest < 1e-10) break;
  }
  return curvature;
}

// The sandwich: inverse curvature around the variance of the gradient. Without anchors only differences are known, and the
// errors are those against the average.
function standardErrors(
  meetings: readonly Meeting[],
  curvature: readonly (readonly number[])[],
  free: readonly number[],
  isAnchored: boolean,
): number[] {
  const size = free.length;
  const place = new Map(free.map((engine, k) => [engine, k]));
  const spread = free.map(() => new Array<number>(size).fill(0));
  for (const { first, second, variance } of meetings) {
    addDifference(spread, place.get(first), place.get(second), variance);
  }
  const held = curvature.map((row) => row.map((value) => value + (isAnchored ? 0 : 1 / size)));
  return free.map((_, k) => {
    const unit = free.map((_, j) => (j === k ? 1 : 0) - (isAnchored ? 0 : 1 / size));
    const row = solve(held, unit);
    const variance = row.reduce(
      (sum, value, i) => sum + value * spread[i].reduce((inner, cell, j) => inner + cell * row[j], 0),
      0,
    );
    return Math.sqrt(Math.max(0, variance));
  });
}

// Adds weight * (e_i - e_j)(e_i - e_j)'; an index that is not there is fixed.
function addDifference(matrix: number[][], i: number | undefined, j: number | undefined, weight: number): void {
  if (i !== undefined) matrix[i][i] += weight;
  if (j !== undefined) matrix[j][j] += weight;
  if (i === undefined || j === undefined) return;
  matrix[i][j] -= weight;
  matrix[j][i] -= weight;
}

// Gaussian elimination; the matrices here are symmetric and positive definite and need no pivoting.
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot++) {
    for (let row = pivot + 1; row < size; row++) {
      const factor = rows[row][pivot] / rows[pivot][pivot];
      for (let column = pivot; column <= size; column++) rows[row][column] -= factor * rows[pivot][column];
    }
  }
  const result = new Array<number>(size).fill(0);
  for (let row = size - 1; row >= 0; row--) {
    let value = rows[row][size];
    for (let column = row + 1; column < size; column++) value -= rows[row][column] * result[column];
    result[row] = value / rows[row][row];
  }
  return result;
}
