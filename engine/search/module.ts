// The exports of the module that plays.

export { hasLegalEp, isInCheck, isKingAttacked } from '../board/attacked.js';
export { isLegal } from '../board/legality.js';
export { forgetHistory, makeMove, unmakeMove } from '../board/makemove.js';
export { isMaterialDraw } from '../board/material.js';
export { generateLegal } from '../board/movegen.js';
export { perft } from '../board/perft.js';
export { refreshBoards, refreshSums } from '../board/placement.js';
export { repetitionCount } from '../board/repetition.js';
export { evaluate, packedScore } from '../eval/evaluate.js';
export { fillTables } from './fill.js';
export { qsearch } from './qsearch.js';
export { alphaBeta } from './search.js';
export { startAtRoot } from './step.js';
