// Tracing: whether the evaluation counts its terms, and the table of counts.

import { regionOf } from '../kernel/memory.js';
import { TERM_COUNT } from './terms.js';

/**
 * scripts/wasm.mjs compiles each module with its own value: the playing module does not count, the tuner's does.
 * The reference counts.
 */
export const TRACING: boolean = true;

/**
 * The count of each term since the last clearing, White's minus Black's; then the terms of White's danger to the other king, and of
 * Black's (danger.ts); then the terms of the endgame scale if White, and if Black, were ahead (factor.ts).
 */
export const traceCounts = regionOf('eval/trace-counts').int32s(5 * TERM_COUNT);
