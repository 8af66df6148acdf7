// The exports of search.wasm and audit.wasm, the WebAssembly modules that contain the search.

import { fillAttackTables } from '../board/bitboards/attacks.js';
import { fillReversals } from '../board/draws.js';
import { fillEvaluationTables } from '../eval/evaluate.js';

export { hasLegalEp, isInCheck, isKingAttacked } from '../board/attacked.js';
export { isMaterialDraw, repetitionCount } from '../board/draws.js';
export { isLegal } from '../board/legality.js';
export { makeMove, unmakeMove } from '../board/makemove.js';
export { generateLegal, perft } from '../board/movegen.js';
export { refreshBoards, refreshSums } from '../board/placement.js';
export { evaluate, packedScore } from '../eval/evaluate.js';
export { qsearch } from './qsearch.js';
export { alphaBeta } from './search.js';
export { startAtRoot } from './step.js';

/** Fills all constant tables of the kernel, once per thread, because each has its own memory. Idempotent. */
export function fillTables(): void {
  fillAttackTables();
  fillReversals();
  fillEvaluationTables();
}
