// Whether the evaluation counts its terms, and the table that it counts in.

import { regionOf } from '../kernel/memory.js';
import { TERM_COUNT } from './terms.js';

/**
 * Each WebAssembly module is compiled with a value of its own (scripts/wasm.mjs): the one that plays without counts, the tuner's with them.
 * The reference counts.
 */
export const TRACING: boolean = true;

/**
 * The count of each term since the last clearing, White's minus Black's; then the terms of White's danger to the other king, and of
 * Black's (danger.ts); then the terms of the endgame scale if White, and if Black, were ahead (factor.ts).
 */
export const traceCounts = regionOf('eval/trace-counts').int32s(5 * TERM_COUNT);
