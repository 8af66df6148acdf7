// The board's functions run as JavaScript: slow and exact. Tests and debugging use them.

import { hasLegalEp, isInCheck, isKingAttacked } from './attacked.js';
import { fillAttackTables } from './bitboards/attacks.js';
import type { BoardFunctions } from './kernel.js';
import { isLegal } from './legality.js';
import { forgetHistory, makeMove, unmakeMove } from './makemove.js';
import { isMaterialDraw } from './material.js';
import { generateLegal } from './movegen.js';
import { perft } from './perft.js';
import { refreshBoards, refreshSums } from './placement.js';
import { repetitionCount } from './repetition.js';

fillAttackTables();

export const BOARD_REFERENCE: BoardFunctions = {
  forgetHistory,
  generateLegal,
  hasLegalEp,
  isInCheck,
  isKingAttacked,
  isLegal,
  isMaterialDraw,
  makeMove,
  perft,
  refreshBoards,
  refreshSums,
  repetitionCount,
  unmakeMove,
};
