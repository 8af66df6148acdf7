// Tests the legality of a single move without move generation, for moves from the transposition table or from game records.

import { isAttacked, isEpLegal } from './attacked.js';
import { pieceAttacks } from './bitboards/attacks.js';
import { hasSquare, squareBoard } from './bitboards/bitboard.js';
import { PAWN_ATTACKS } from './bitboards/tables.js';
import { canCastle, findChecksAndPins, isFreeToGo } from './checks.js';
import { CASTLING, EN_PASSANT, moveFrom, moveKind, moveTo, NO_MOVE, PROMOTION } from './move-fields.js';
import { ALL_WHITE, bb, board, castlingRook, kingSquare, state } from './position.js';
import { KING, NO_PIECE, PAWN, WHITE } from './types.js';
import { generation, masks } from './workspace.js';

/** The promotion bits of a move. */
const PROMOTED = 0x3000;

/** Returns whether a move is legal; accepts any 16-bit number. */
export function isLegal(move: Move): boolean {
  const us = state.stm;
  const from = moveFrom(move);
  const to = moveTo(move);
  const kind = moveKind(move);
  const piece = board[from];
  if (move === NO_MOVE || piece === NO_PIECE || piece >> 3 !== us) return false;
  findChecksAndPins(us);
  if (kind === CASTLING) return isCastlingLegal(us, move);
  if (kind !== PROMOTION && (move & PROMOTED) !== 0) return false;
  const type = piece & 7;
  if (kind === EN_PASSANT) {
    return type === PAWN && to === state.ep && hasSquare(PAWN_ATTACKS[(us << 6) | from], to) && isEpLegal(us, from, to);
  }
  if (hasSquare(bb[ALL_WHITE | (us << 3)], to)) return false;
  if (type === PAWN) {
    if (!isPawnStep(us, from, to, kind)) return false;
  } else if (kind === PROMOTION || !hasSquare(pieceAttacks(type, from, masks.occupied), to)) return false;
  if (type === KING) return !isAttacked(to, us ^ 1, masks.occupied & ~squareBoard(from));
  return generation.checkers < 2 && hasSquare(masks.check, to) && isFreeToGo(from, to);
}

function isCastlingLegal(us: Color, move: Move): boolean {
  if (generation.checkers !== 0 || (move & PROMOTED) !== 0 || moveFrom(move) !== kingSquare[us]) return false;
  for (let right = 2 * us; right < 2 * us + 2; right++) {
    if (castlingRook[right] === moveTo(move) && canCastle(us, right)) return true;
  }
  return false;
}

function isPawnStep(us: Color, from: Square, to: Square, kind: i32): boolean {
  const lastRank = us === WHITE ? 7 : 0;
  if ((to >> 3 === lastRank) !== (kind === PROMOTION)) return false;
  const forward = us === WHITE ? 8 : -8;
  if (board[to] !== NO_PIECE) return hasSquare(PAWN_ATTACKS[(us << 6) | from], to);
  if (to === from + forward) return true;
  return to === from + 2 * forward && board[from + forward] === NO_PIECE && from >> 3 === (us === WHITE ? 1 : 6);
}
