// The trace of an evaluation: how often each term counted, White minus Black. Off in every process that plays, where V8
// then drops the calls; switched on in the tuner's workers and in tests only, and never off again.

import { BLACK, type Color } from '../board/types.js';
import { TERM_COUNT } from './terms.js';

/** Whether the evaluation counts. */
export let tracing = false;

/**
 * What each term counted in the evaluation since the last clearing: White's count minus Black's; then what White, and then what Black, has
 * gathered against the other king (danger.ts); then what White's, and then what Black's advantage would be scaled by (factor.ts).
 */
export const traceCounts = new Int32Array(5 * TERM_COUNT);

/** Makes every further evaluation in this isolate add to the trace. */
export function enableTracing(): void {
  tracing = true;
}

/** Adds to a term's count for one side. */
export function count(us: Color, term: number, times: number): void {
  traceCounts[term] += us === BLACK ? -times : times;
}

/** Forgets the danger that a side has gathered. */
export function dropDanger(us: Color): void {
  traceCounts.fill(0, (1 + us) * TERM_COUNT, (2 + us) * TERM_COUNT);
}

/** Adds to a term's count in the danger that a side has gathered. */
export function countDanger(us: Color, term: number, times: number): void {
  traceCounts[(1 + us) * TERM_COUNT + term] += times;
}

/** Adds to a term's count in what the endgame is scaled by where it favours a side. */
export function countScale(us: Color, term: number, times: number): void {
  traceCounts[(3 + us) * TERM_COUNT + term] += times;
}
