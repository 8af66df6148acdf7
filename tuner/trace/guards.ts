// rebuildFault() and probeFault() compare the evaluation with its trace whenever rows are traced: the first for each row, the second for
// two rows per chunk. The counts are an argument, so tests can pass wrong counts.

import { dangerValue, scaledEndgame } from '../../engine/eval/score.js';
import { placesOf } from '../dataset/dataset.js';
import { HEFT } from '../model/heft.js';
import { weightLabel } from '../model/names.js';

/** The evaluation under test; rawScore() evaluates the current position for White, before tapering. */
interface Probed {
  setWeights(mg: ArrayLike<number>, eg: ArrayLike<number>): void;
  rawScore(): { mg: number; eg: number };
}

/**
 * Returns an error message if the counts, which are zero except at `places`, do not reproduce the evaluation (centipawns for White) to
 * within rounding; otherwise null.
 */
export function rebuildFault(
  counts: ArrayLike<number>,
  weights: Float64Array,
  phase: number,
  evaluation: number,
  places: readonly number[] = placesOf(counts),
): string | null {
  const terms = weights.length / 2;
  const mg = worthOf(sumsOf(counts, places, weights.subarray(0, terms)), false);
  const eg = worthOf(sumsOf(counts, places, weights.subarray(terms)), true);
  const rebuilt = (mg * phase + eg * (24 - phase)) / 24;
  if (Math.abs(rebuilt - evaluation) <= 1) return null;
  const shares = Array.from(
    counts,
    (count, at) => Math.abs(count) * (Math.abs(weights[at % terms]) + Math.abs(weights[terms + (at % terms)])),
  );
  const largest = weightLabel(HEFT, shares.indexOf(Math.max(...shares)) % terms);
  return `the trace gives ${rebuilt.toFixed(2)} cp, the evaluation ${evaluation} (largest term: ${largest})`;
}

/**
 * Raises the weights with non-zero counts by one, one at a time, and all others together. Returns an error message if the change in the raw
 * score does not follow from the counts, otherwise null. Restores the weights.
 */
export function probeFault(counts: ArrayLike<number>, weights: Float64Array, evaluation: Probed): string | null {
  const terms = weights.length / 2;
  const mg = weights.slice(0, terms);
  const eg = weights.slice(terms);
  evaluation.setWeights(mg, eg);
  const base = { ...evaluation.rawScore() };
  const places = placesOf(counts);
  const [ofMg, ofEg] = [sumsOf(counts, places, mg), sumsOf(counts, places, eg)];
  let fault: string | null = null;
  const counted = new Set(places.map((at) => at % terms));
  // Terms that do not count are raised together by different steps, which must not change the score
  const raised = (values: Float64Array): Float64Array =>
    values.map((value, term) => (counted.has(term) ? value : value + 1 + ((37 * term) % 41)));
  evaluation.setWeights(raised(mg), raised(eg));
  const together = evaluation.rawScore();
  const isSilent = together.mg === base.mg && together.eg === base.eg;
  for (let term = 0; term < terms && fault === null; term++) {
    if (isSilent && !counted.has(term)) continue;
    mg[term]++;
    eg[term]++;
    evaluation.setWeights(mg, eg);
    const moved = evaluation.rawScore();
    const change = { mg: moved.mg - base.mg, eg: moved.eg - base.eg };
    const traced = ofMg.map((_, part) => counts[part * terms + term]);
    const expected = { mg: changeOf(ofMg, traced, false), eg: changeOf(ofEg, traced, true) };
    if (change.mg !== expected.mg || change.eg !== expected.eg) {
      const moves = `it moves the score by ${change.mg} (mg), ${change.eg} (eg)`;
      fault = `${weightLabel(HEFT, term)} is traced ${traced.join(', ')} times (linear, each danger, each scale) but ${moves}, not ${expected.mg}, ${expected.eg}`;
    }
    mg[term]--;
    eg[term]--;
  }
  evaluation.setWeights(mg, eg);
  return fault;
}

/** Returns the sums of the parts of a trace. */
function sumsOf(counts: ArrayLike<number>, places: readonly number[], values: ArrayLike<number>): number[] {
  const sums = [0, 0, 0, 0, 0];
  for (const at of places) sums[Math.floor(at / values.length)] += counts[at] * values[at % values.length];
  return sums;
}

/** Returns the middlegame or the scaled endgame score of these sums. */
function worthOf([linear, white, black, ...scales]: readonly number[], isEndgame: boolean): number {
  const worth = linear + dangerValue(white) - dangerValue(black);
  return isEndgame ? scaledEndgame(worth, scales[worth < 0 ? 1 : 0]) : worth;
}

const changeOf = (sums: readonly number[], by: readonly number[], isEndgame: boolean): number =>
  worthOf(
    sums.map((sum, part) => sum + by[part]),
    isEndgame,
  ) - worthOf(sums, isEndgame);
