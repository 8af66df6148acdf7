// rebuildFault() and probeFault(): two guards that compare the evaluation with its trace before every fit. They take the counts as an
// argument, so that tests can pass wrong ones.

import { termLabel } from '../weights/term-names.js';

/** The evaluation under test, on the present position: White's, before tapering. */
interface Probed {
  setWeights(mg: ArrayLike<number>, eg: ArrayLike<number>): void;
  rawScore(): { mg: number; eg: number };
}

/** Returns what is wrong if the counts do not rebuild the evaluation (White, centipawns) to within rounding, or null. */
export function rebuildFault(
  counts: ArrayLike<number>,
  weights: Float64Array,
  phase: number,
  evaluation: number,
): string | null {
  const terms = counts.length;
  let mg = 0;
  let eg = 0;
  for (let term = 0; term < terms; term++) {
    if (counts[term] === 0) continue;
    mg += counts[term] * weights[term];
    eg += counts[term] * weights[terms + term];
  }
  const rebuilt = (mg * phase + eg * (24 - phase)) / 24;
  if (Math.abs(rebuilt - evaluation) <= 1) return null;
  const shares = Array.from(
    counts,
    (count, term) => Math.abs(count) * (Math.abs(weights[term]) + Math.abs(weights[terms + term])),
  );
  const largest = termLabel(shares.indexOf(Math.max(...shares)));
  return `the trace rebuilds ${rebuilt.toFixed(2)} cp where the evaluation says ${evaluation} (largest term: ${largest})`;
}

/**
 * Raises each weight by one and returns what is wrong if the raw score moves by anything but the traced count, or null.
 * The weights are left as given.
 */
export function probeFault(counts: ArrayLike<number>, weights: Float64Array, evaluation: Probed): string | null {
  const terms = counts.length;
  const mg = weights.slice(0, terms);
  const eg = weights.slice(terms);
  evaluation.setWeights(mg, eg);
  const base = { ...evaluation.rawScore() };
  let fault: string | null = null;
  for (let term = 0; term < terms && fault === null; term++) {
    mg[term]++;
    eg[term]++;
    evaluation.setWeights(mg, eg);
    const moved = evaluation.rawScore();
    const change = { mg: moved.mg - base.mg, eg: moved.eg - base.eg };
    if (change.mg !== counts[term] || change.eg !== counts[term]) {
      fault = `${termLabel(term)} is traced ${counts[term]} times but counts ${change.mg} (mg), ${change.eg} (eg) times`;
    }
    mg[term]--;
    eg[term]--;
  }
  evaluation.setWeights(mg, eg);
  return fault;
}
