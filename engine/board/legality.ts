// Whether a single move is legal, without generating the others: for moves that come from the transposition table.

import { isAttacked, isEpLegal } from './attacked.js';
import { KING_ATTACKS as KINGS, KNIGHT_ATTACKS as KNIGHTS, PAWN_ATTACKS as PAWNS } from './bitboards/attack-tables.js';
import { bishopAttacks, highHalf, lowHalf, rookAttacks } from './bitboards/attacks.js';
import { bitHi, bitLo, hasSquare } from './bitboards/bitboard.js';
import { canCastle, findChecksAndPins, isFreeToGo } from './checks.js';
import { CASTLING, EN_PASSANT, NO_MOVE, PROMOTION } from './move.js';
import { ALL_WHITE, bb, board, CASTLING_RIGHTS, castlingRook, EP, KING_SQUARE, STM, state } from './position.js';
import { BISHOP, EMPTY, KING, KNIGHT, PAWN, ROOK, WHITE } from './types.js';
import { CHECK_HI, CHECK_LO, CHECKERS, masks, OCC_HI, OCC_LO } from './workspace.js';

/** Tells whether a move from elsewhere (the transposition table) is legal here; any 16-bit number may be asked. */
export function isLegal(move: Move): boolean {
  const us = state[STM];
  const from = move & 63;
  const to = (move >>> 6) & 63;
  const kind = move >>> 14;
  const piece = board[from];
  if (move === NO_MOVE || piece === EMPTY || piece >> 3 !== us) return false;
  findChecksAndPins(us);
  if (kind === CASTLING) return isCastlingLegal(us, move);
  if (kind !== PROMOTION && (move & 0x3000) !== 0) return false;
  const type = piece & 7;
  if (kind === EN_PASSANT) {
    const attacks = 2 * ((us << 6) | from);
    return (
      type === PAWN && to === state[EP] && hasSquare(PAWNS[attacks], PAWNS[attacks + 1], to) && isEpLegal(us, from, to)
    );
  }
  if (hasSquare(bb[ALL_WHITE | (us << 4)], bb[(ALL_WHITE | (us << 4)) + 1], to)) return false;
  if (type === PAWN ? !isPawnStep(us, from, to, kind) : kind === PROMOTION || !reaches(type, from, to)) return false;
  if (type === KING) {
    return !isAttacked(to, us ^ 1, masks[OCC_LO] & ~bitLo(from), masks[OCC_HI] & ~bitHi(from));
  }
  return masks[CHECKERS] < 2 && hasSquare(masks[CHECK_LO], masks[CHECK_HI], to) && isFreeToGo(from, to);
}

function isCastlingLegal(us: Color, move: Move): boolean {
  if (masks[CHECKERS] !== 0 || (move & 0x3000) !== 0 || (move & 63) !== state[KING_SQUARE + us]) return false;
  for (let right = 2 * us; right < 2 * us + 2; right++) {
    if (((state[CASTLING_RIGHTS] >> right) & 1) !== 0 && castlingRook[right] === ((move >>> 6) & 63))
      return canCastle(us, right);
  }
  return false;
}

function isPawnStep(us: Color, from: Square, to: Square, kind: i32): boolean {
  const lastRank = us === WHITE ? 7 : 0;
  if ((to >> 3 === lastRank) !== (kind === PROMOTION)) return false;
  const forward = us === WHITE ? 8 : -8;
  if (board[to] !== EMPTY) {
    const attacks = 2 * ((us << 6) | from);
    return hasSquare(PAWNS[attacks], PAWNS[attacks + 1], to);
  }
  if (to === from + forward) return true;
  return to === from + 2 * forward && board[from + forward] === EMPTY && from >> 3 === (us === WHITE ? 1 : 6);
}

function reaches(type: i32, from: Square, to: Square): boolean {
  const s = 2 * from;
  if (type === KNIGHT) return hasSquare(KNIGHTS[s], KNIGHTS[s + 1], to);
  if (type === KING) return hasSquare(KINGS[s], KINGS[s + 1], to);
  if (type !== ROOK) {
    const index = bishopAttacks(from, masks[OCC_LO], masks[OCC_HI]);
    if (hasSquare(lowHalf(index), highHalf(index), to)) return true;
  }
  if (type === BISHOP) return false;
  const index = rookAttacks(from, masks[OCC_LO], masks[OCC_HI]);
  return hasSquare(lowHalf(index), highHalf(index), to);
}
