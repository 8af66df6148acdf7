// The board's functions run as JavaScript: slow and exact. Tests and debugging use them.

import { hasLegalEp, isInCheck, isKingAttacked } from './attacked.js';
import { fillAttackTables } from './bitboards/attacks.js';
import { isMaterialDraw, repetitionCount } from './draws.js';
import type { BoardFunctions } from './kernel.js';
import { isLegal } from './legality.js';
import { forgetHistory, makeMove, unmakeMove } from './makemove.js';
import { generateLegal, perft } from './movegen.js';
import { refreshBoards, refreshSums } from './placement.js';

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
