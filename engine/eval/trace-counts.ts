// The table that a tracing evaluation counts in.

import { regionOf } from '../kernel/memory.js';
import { TERM_COUNT } from './terms.js';

const { int32s } = regionOf('eval/trace-counts');

/**
 * The count of each term since the last clearing, White's minus Black's; then the terms of White's danger to the other king, and of
 * Black's (danger.ts); then the terms of the endgame scale if White, and if Black, were ahead (factor.ts).
 */
export const traceCounts = int32s(5 * TERM_COUNT);
