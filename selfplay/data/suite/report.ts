// Formats the result of a suite: solved positions and points by theme, and a comparison of two engines with its error.

import { printable, thousands } from '../../common/wording.js';
import { shareError, Z95 } from '../../statistics/elo.js';
import type { JudgedAnswer, SuiteResult } from './run.js';

/** Counts over a set of positions. */
export interface SuiteCounts {
  positions: number;
  solved: number;
  points: number;
  maxPoints: number;
}

/** Returns the counts of the verdicts. */
export function countsOf(verdicts: readonly JudgedAnswer[]): SuiteCounts {
  const counts = { positions: verdicts.length, solved: 0, points: 0, maxPoints: 0 };
  for (const { task, isSolved, points } of verdicts) {
    if (isSolved) counts.solved++;
    counts.points += points;
    if (task.points.size > 0) counts.maxPoints += Math.max(...task.points.values());
  }
  return counts;
}

/** The difference between two engines on the same positions. */
export interface SuiteDifference {
  /** Positions solved by the first minus positions solved by the second, and the largest difference that is not significant at 95 %. */
  solved: number;
  solvedError: number;
  /** The same for points. */
  points: number;
  pointsError: number;
  onlyFirst: number;
  onlySecond: number;
}

/**
 * Returns the difference between two results, with its limit of significance. Only positions with different outcomes contribute. For equal
 * engines both signs of a difference are equally likely, so the variance of the sum is the sum of squares (McNemar's test).
 */
export function differenceOf(first: SuiteResult, second: SuiteResult): SuiteDifference {
  const pairs = first.verdicts.map((verdict, i) => [verdict, second.verdicts[i]] as const);
  const solved = pairs.map(([a, b]) => Number(a.isSolved) - Number(b.isSolved));
  const points = pairs.map(([a, b]) => a.points - b.points);
  return {
    solved: sumOf(solved),
    solvedError: limitOfSum(solved),
    points: sumOf(points),
    pointsError: limitOfSum(points),
    onlyFirst: solved.filter((difference) => difference > 0).length,
    onlySecond: solved.filter((difference) => difference < 0).length,
  };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

// Includes Edwards' correction for continuity, which matters because few positions have different outcomes
function limitOfSum(differences: readonly number[]): number {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const step = sizes.length === 0 ? 1 : Math.max(...sizes);
  return step + Z95 * Math.sqrt(sumOf(sizes.map((size) => size ** 2)));
}

/** Returns a result as lines: the engine, a row per theme if there are several, the total, nodes and time, and failures. */
export function resultLines({ engine, verdicts }: SuiteResult): string[] {
  const themes = [...new Set(verdicts.map(({ task }) => task.theme))];
  const ofTheme = (theme: string): JudgedAnswer[] => verdicts.filter(({ task }) => task.theme === theme);
  const rows = themes.length > 1 ? themes.map((theme) => row(theme, countsOf(ofTheme(theme)))) : [];
  const seconds = sumOf(verdicts.map(({ milliseconds }) => milliseconds)) / 1000;
  const nodes = sumOf(verdicts.map((verdict) => verdict.nodes));
  const failures = verdicts.filter(({ failure }) => failure !== null);
  return [
    printable(engine),
    ...rows,
    row('all', countsOf(verdicts)),
    `  ${thousands(nodes)} nodes in ${seconds.toFixed(1)} s`,
    ...failures.map(({ task, failure }) => `  failed at ${task.id}: ${failure}`),
  ];
}

function row(name: string, { positions, solved, points, maxPoints }: SuiteCounts): string {
  const share = solved / positions;
  const error = 100 * shareError(solved, positions);
  const text = `  ${name.slice(0, 40).padEnd(40)} ${solved} of ${positions} solved, ${(100 * share).toFixed(1)} ± ${error.toFixed(1)} %`;
  return maxPoints === 0 ? text : `${text}; ${shortPoints(points)} of ${shortPoints(maxPoints)} points`;
}

/** Returns the comparison as lines. */
export function comparisonLines(first: SuiteResult, second: SuiteResult): string[] {
  const { solved, solvedError, points, pointsError, onlyFirst, onlySecond } = differenceOf(first, second);
  const hasPoints = countsOf(first.verdicts).maxPoints > 0;
  const verdict = Math.abs(solved) > solvedError ? '' : ': no significant difference';
  return [
    `${printable(first.engine)} against ${printable(second.engine)} on the same positions (95 %)`,
    `  solved ${signed(solved)} ± ${solvedError.toFixed(1)} (first only: ${onlyFirst}, second only: ${onlySecond})${verdict}`,
    ...(hasPoints ? [`  points ${signed(shortPoints(points))} ± ${pointsError.toFixed(1)}`] : []),
  ];
}

// Sums of fractional points such as 0.1 have rounding errors
const shortPoints = (points: number): number => Number(points.toFixed(2));
const signed = (number: number): string => (number > 0 ? `+${number}` : String(number));
