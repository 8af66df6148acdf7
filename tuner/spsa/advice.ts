// Advice on when to stop a run, because SPSA has no stopping rule. Without a signal, the values follow a random walk whose variance is the
// sum of the squared steps. A significantly larger distance from the start is a signal. If there is a signal over the whole run but not
// over its second half, the values have converged.

import type { SpsaSettings, TrajectoryPoint } from './spsa.js';

export interface Movement {
  name: string;
  start: number;
  now: number;
  /** Mean over the second half of the run, in which the noise of single steps averages out. */
  mean: number;
  /** Distance from the start in units of c. */
  moved: number;
  /** The same in standard deviations of a random walk, over the whole run and its second half. */
  signal: number;
  lateSignal: number;
  /** Whether the current value is at an end of the range. */
  atBound: boolean;
}

export interface Advice {
  movements: Movement[];
  /** Root mean square of `moved`. */
  distance: number;
  /**
   * Excess of the squared distances of all variables over the expectation for random walks, in standard deviations, over the whole run and
   * over its second half.
   */
  signal: number;
  lateSignal: number;
  sentences: string[];
}

/** Threshold of a signal in standard deviations. */
const CLEAR = 2;

/** Returns the movements of the variables, and advice. */
export function adviceOf({ variables, iterations, pairs }: SpsaSettings, points: readonly TrajectoryPoint[]): Advice {
  const [first] = points;
  const last = points[points.length - 1];
  const middle = points.find(({ iteration }) => iteration >= last.iteration / 2) as TrajectoryPoint;
  const late = points.filter(({ iteration }) => iteration >= middle.iteration);
  // Null for a variable that has not taken a step, as before the first iteration
  const signalsFrom = (from: TrajectoryPoint): (number | null)[] =>
    variables.map(({ cEnd }, i) => {
      const walk = Math.sqrt(last.walk[i] - from.walk[i]);
      return walk > 0 ? (last.values[i] - from.values[i]) / cEnd / walk : null;
    });
  const [whole, recent] = [first, middle].map(signalsFrom);
  const movements = variables.map(({ name, start, min, max, cEnd }, i) => {
    const now = last.values[i];
    return {
      name,
      start,
      now,
      moved: (now - start) / cEnd,
      atBound: now <= min || now >= max,
      mean: late.reduce((sum, { values }) => sum + values[i], 0) / late.length,
      signal: whole[i] ?? 0,
      lateSignal: recent[i] ?? 0,
    };
  });
  const signal = excess(whole);
  const lateSignal = excess(recent);
  const distance = Math.sqrt(movements.reduce((sum, { moved }) => sum + moved ** 2, 0) / movements.length);
  const sentences = [verdict(signal, lateSignal, 2 * pairs * last.iteration, last.iteration < iterations)];
  const ended = movements.filter(({ atBound }) => atBound).map(({ name }) => name);
  if (ended.length > 0) sentences.push(`At an end of the range: ${ended.join(', ')}; widen it, or drop the variable.`);
  return { movements, distance, signal, lateSignal, sentences };
}

// Returns the excess of the sum of squares over the mean of a chi-squared distribution, in standard deviations; 0 without any step
function excess(signals: readonly (number | null)[]): number {
  const squares = signals.filter((signal) => signal !== null).map((signal) => signal ** 2);
  const sum = squares.reduce((total, value) => total + value, 0);
  return squares.length === 0 ? 0 : (sum - squares.length) / Math.sqrt(2 * squares.length);
}

function verdict(signal: number, lateSignal: number, games: number, isRunning: boolean): string {
  const whole = `${signal.toFixed(1)} sd`;
  const late = `${lateSignal.toFixed(1)} sd`;
  const more = isRunning ? 'continue' : 'continue from the current values';
  if (lateSignal >= CLEAR) {
    return `Still moving: in the second half of ${games} games, the values moved further than a random walk (${late}); ${more}.`;
  }
  if (signal >= CLEAR) {
    return `Converged, within the noise: over the whole run, the values moved further than a random walk (${whole}), but not in its second half (${late}); stop and play a match.`;
  }
  return `No signal in ${games} games: the values moved no further than a random walk (${whole}); ${more}, or choose a larger c (theta + c and theta - c should differ by 1 to 3 Elo), or leave the values as they are.`;
}
