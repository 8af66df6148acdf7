// Sets up a position from the fields of a FEN or a game record, and checks that it is playable.

import { squareBoard } from './bitboards/bitboard.js';
import { hasLegalEp, isKingAttacked, refreshBoards, refreshSums } from './kernel.js';
import { castledKing, castledRook } from './move-fields.js';
import {
  board,
  castlingRook,
  castlingRooks,
  castlingWay,
  forgetHistory,
  kingSquare,
  rightsKept,
  state,
  wholePosition,
} from './position.js';
import { BLACK, KING, makePiece, NO_PIECE, NO_SQUARE, PAWN, ROOK, squareName, WHITE } from './types.js';

/** The parts of a position, without its history. */
interface Setup {
  /** 64 piece codes from a1. */
  board: ArrayLike<number>;
  sideToMove: Color;
  /** NO_SQUARE if none, or if no capture is legal. */
  epSquare: Square;
  /** Rooks with castling rights; those that are not on the back rank with their king are dropped. */
  castlingRooks: readonly Square[];
  halfmove: number;
  fullmove: number;
}

/** Error for an impossible position or an invalid FEN. */
export class FenError extends Error {}

const MAX_PIECES_A_SIDE = 16;

/** Sets up the position and clears the history; throws a FenError and keeps the old position if the new one is not playable. */
export function setPosition(setup: Setup): void {
  const restore = savePosition();
  try {
    place(setup);
    checkSides();
    for (const rook of setup.castlingRooks) giveCastlingRight(rook);
    state.stm = setup.sideToMove;
    state.rule50 = setup.halfmove;
    state.fullmove = setup.fullmove;
    if (isKingAttacked(setup.sideToMove ^ 1)) throw new FenError('the side to move could capture the king');
    state.ep = isEpPossible(setup.sideToMove, setup.epSquare) ? setup.epSquare : NO_SQUARE;
    refreshSums();
  } catch (error) {
    restore();
    throw error;
  }
}

/** Returns the parts of the current position. */
export function describePosition(): Setup {
  return {
    board: Array.from(board),
    sideToMove: state.stm,
    epSquare: state.ep,
    castlingRooks: castlingRooks(),
    halfmove: state.rule50,
    fullmove: state.fullmove,
  };
}

function place(setup: Setup): void {
  board.fill(NO_PIECE);
  castlingRook.fill(NO_SQUARE);
  rightsKept.fill(15);
  state.castlingRights = 0;
  forgetHistory();
  for (let square = 0; square < 64; square++) {
    const piece = setup.board[square];
    if (piece === NO_PIECE) continue;
    const rank = square >> 3;
    if ((piece & 7) === PAWN && (rank === 0 || rank === 7)) {
      throw new FenError(`a pawn cannot stand on ${squareName(square)}`);
    }
    board[square] = piece;
  }
  refreshBoards();
}

function checkSides(): void {
  for (const color of [WHITE, BLACK]) {
    const name = color === WHITE ? 'White' : 'Black';
    const own = board.filter((piece) => piece !== NO_PIECE && piece >> 3 === color);
    const kings = own.filter((piece) => (piece & 7) === KING).length;
    if (kings !== 1) throw new FenError(`${name} has ${kings} kings`);
    if (own.length > MAX_PIECES_A_SIDE) throw new FenError(`${name} has ${own.length} pieces`);
  }
}

// A double push must have been possible, and the capture must be legal
function isEpPossible(us: Color, ep: Square): boolean {
  if (ep === NO_SQUARE || ep >> 3 !== (us === WHITE ? 5 : 2)) return false;
  const pushed = ep ^ 8;
  const origin = us === WHITE ? ep + 8 : ep - 8;
  if (board[ep] !== NO_PIECE || board[origin] !== NO_PIECE || board[pushed] !== makePiece(us ^ 1, PAWN)) return false;
  return hasLegalEp(us, ep);
}

// A right is dropped if the rook or the king is not on its back rank
function giveCastlingRight(rook: Square): void {
  const color = rook < 32 ? WHITE : BLACK;
  const king = kingSquare[color];
  if (board[rook] !== makePiece(color, ROOK) || rook >> 3 !== color * 7 || king >> 3 !== color * 7) return;
  const right = 2 * color + (rook > king ? 0 : 1);
  state.castlingRights |= 1 << right;
  castlingRook[right] = rook;
  const ends = [king, rook, castledKing(king, rook), castledRook(king, rook)];
  castlingWay[right] = 0n;
  for (let square = Math.min(...ends); square <= Math.max(...ends); square++) {
    if (square !== king && square !== rook) castlingWay[right] |= squareBoard(square);
  }
  rightsKept[rook] &= ~(1 << right);
  rightsKept[king] &= ~(3 << (2 * color));
}

/** Returns a function that restores the current position. */
export function savePosition(): () => void {
  const copy = wholePosition.slice();
  return () => wholePosition.set(copy);
}
