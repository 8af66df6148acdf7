// The trace of an evaluation: how often each term counted, White minus Black. Off in every process that plays, where V8
// then drops the calls; switched on in the tuner's workers and in tests only, and never off again.

import { BLACK, type Color } from '../board/types.js';
import { TERM_COUNT } from './terms.js';

/** Whether the evaluation counts. */
export let tracing = false;

/** White's count minus Black's count of each term in the evaluation since the last clearing. */
export const traceCounts = new Int32Array(TERM_COUNT);

/** Makes every further evaluation in this isolate add to the trace. */
export function enableTracing(): void {
  tracing = true;
}

/** Adds to a term's count for one side. */
export function count(us: Color, term: number, times: number): void {
  traceCounts[term] += us === BLACK ? -times : times;
}
