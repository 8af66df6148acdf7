// The exports of the module that plays.

import { fillAttackTables } from '../board/bitboards/attacks.js';
import { fillReversals } from '../board/repetition.js';
import { fillEvaluationTables } from '../eval/fill.js';

export { hasLegalEp, isInCheck, isKingAttacked } from '../board/attacked.js';
export { isLegal } from '../board/legality.js';
export { forgetHistory, makeMove, unmakeMove } from '../board/makemove.js';
export { isMaterialDraw } from '../board/material.js';
export { generateLegal } from '../board/movegen.js';
export { perft } from '../board/perft.js';
export { refreshBoards, refreshSums } from '../board/placement.js';
export { repetitionCount } from '../board/repetition.js';
export { evaluate, packedScore } from '../eval/evaluate.js';
export { qsearch } from './qsearch.js';
export { alphaBeta } from './search.js';
export { startAtRoot } from './step.js';

/** Fills all constant tables of the kernel: once for each thread, as each has a memory of its own. Doing so again changes nothing. */
export function fillTables(): void {
  fillAttackTables();
  fillReversals();
  fillEvaluationTables();
}
