// Tracing: whether the evaluation counts its terms, and the table of counts.

import { regionOf } from '../kernel/memory.js';
import { TERM_COUNT } from './terms.js';

const { int32s } = regionOf('eval/trace-counts');

/**
 * scripts/wasm.mjs compiles each module with its own value: the playing module does not count, the tuner's does.
 * The reference counts.
 */
export const TRACING: boolean = true;

/**
 * The count of each term since the last clearing, White's minus Black's; then the terms of White's danger to the other king, and of
 * Black's (dangerScore); then the terms of the endgame scale if White, and if Black, were ahead (scaledEndgame).
 */
export const traceCounts = int32s(5 * TERM_COUNT);

/** White's part of each term's count; Black's is this less the count above. */
export const whiteCounts = int32s(TERM_COUNT);
