// The trace of an evaluation: how often each term counted. Called only where TRACING is set.

import { BLACK } from '../board/types.js';
import { TERM_COUNT } from './terms.js';
import { traceCounts } from './trace-counts.js';

/** Adds to a term's count for one side. */
export function count(us: Color, term: i32, times: i32): void {
  traceCounts[term] += us === BLACK ? -times : times;
}

/** Adds to a term's count in the danger that a side's attack amounts to. */
export function countDanger(us: Color, term: i32, times: i32): void {
  traceCounts[(1 + us) * TERM_COUNT + term] += times;
}

/** Clears the danger counts of a side whose attack does not count. */
export function dropDanger(us: Color): void {
  for (let i = (1 + us) * TERM_COUNT; i < (2 + us) * TERM_COUNT; i++) traceCounts[i] = 0;
}

/** Adds to a term's count in the scale of an endgame that favours a side. */
export function countScale(us: Color, term: i32, times: i32): void {
  traceCounts[(3 + us) * TERM_COUNT + term] += times;
}

/** Sets all counts to zero. */
export function clearTrace(): void {
  for (let i = 0; i < 5 * TERM_COUNT; i++) traceCounts[i] = 0;
}
