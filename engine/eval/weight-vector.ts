// The weights in use, which every file of the evaluation reads.

import { TERM_COUNT } from './terms.js';

/** Packed weights by term index. Written into, never replaced, so that V8 keeps its address folded into the code. */
export const weightVector = new Int32Array(TERM_COUNT);
