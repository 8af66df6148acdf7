// Setting up a position from its parts, whether they come from a FEN or a game record, and checking that chess can be played from it.

import { hasLegalEp, isKingAttacked } from './attacked.js';
import { bitHi, bitLo } from './bitboards/bitboard.js';
import { putPiece } from './placement.js';
import {
  bb,
  board,
  CASTLING_RIGHTS,
  CHESS960,
  castlingRook,
  castlingRooks,
  castlingWay,
  EP,
  epSquare,
  FULLMOVE,
  fullmoveNumber,
  halfmoveClock,
  KEY_HI,
  KEY_LO,
  KING_SQUARE,
  PAWN_KEY_HI,
  PAWN_KEY_LO,
  PHASE,
  PHASE_OF,
  PSQT_SUM,
  psqt,
  RULE50,
  rightsKept,
  STM,
  sideToMove,
  state,
} from './position.js';
import {
  BLACK,
  type Color,
  EMPTY,
  KING,
  makePiece,
  NO_SQUARE,
  PAWN,
  type Piece,
  ROOK,
  type Square,
  squareName,
  WHITE,
} from './types.js';
import { CASTLING_KEYS, EP_KEYS, PIECE_KEYS, SIDE_KEY } from './zobrist.js';

/** Everything that makes a position, apart from the moves that led to it. */
export interface Setup {
  /** 64 piece codes, a1 first. */
  board: ArrayLike<number>;
  sideToMove: Color;
  /** NO_SQUARE when there is none; dropped when no legal capture exists. */
  epSquare: Square;
  /** Rooks that may castle; each must stand on its king's back rank. */
  castlingRooks: readonly Square[];
  halfmove: number;
  fullmove: number;
}

/** Says why a position or its text is impossible. */
export class FenError extends Error {}

const MAX_PIECES_A_SIDE = 16;

/** Sets up the position and forgets the history; throws FenError, and keeps the old position, when chess cannot be played from it. */
export function setPosition(setup: Setup): void {
  const restore = savePosition();
  try {
    place(setup);
    checkSides();
    for (const rook of setup.castlingRooks) giveCastlingRight(rook);
    state[STM] = setup.sideToMove;
    state[RULE50] = setup.halfmove;
    state[FULLMOVE] = setup.fullmove;
    if (isKingAttacked(setup.sideToMove ^ 1)) throw new FenError('the side to move could capture the king');
    state[EP] = isEpPossible(setup.sideToMove, setup.epSquare) ? setup.epSquare : NO_SQUARE;
    refreshSums();
  } catch (error) {
    restore();
    throw error;
  }
}

/** Returns the parts of the present position. */
export function describePosition(): Setup {
  return {
    board: Array.from(board),
    sideToMove: sideToMove(),
    epSquare: epSquare(),
    castlingRooks: castlingRooks(),
    halfmove: halfmoveClock(),
    fullmove: fullmoveNumber(),
  };
}

function place(setup: Setup): void {
  clearBoard();
  for (let square = 0; square < 64; square++) {
    const piece = setup.board[square];
    if (piece === EMPTY) continue;
    const rank = square >> 3;
    if ((piece & 7) === PAWN && (rank === 0 || rank === 7)) {
      throw new FenError(`a pawn cannot stand on ${squareName(square)}`);
    }
    placePiece(piece, square);
  }
}

function checkSides(): void {
  for (const color of [WHITE, BLACK]) {
    const name = color === WHITE ? 'White' : 'Black';
    const own = board.filter((piece) => piece !== EMPTY && piece >> 3 === color);
    const kings = own.filter((piece) => (piece & 7) === KING).length;
    if (kings !== 1) throw new FenError(`${name} has ${kings} kings`);
    if (own.length > MAX_PIECES_A_SIDE) throw new FenError(`${name} has ${own.length} pieces`);
  }
}

function giveCastlingRight(rook: Square): void {
  const color = rook < 32 ? WHITE : BLACK;
  const king = board.indexOf(makePiece(color, KING));
  const home = color * 7;
  if (board[rook] === makePiece(color, ROOK) && rook >> 3 === home && king >> 3 === home) addCastlingRight(color, rook);
}

// A double push must have been possible, and the capture must be legal
function isEpPossible(us: Color, ep: Square): boolean {
  if (ep === NO_SQUARE || ep >> 3 !== (us === WHITE ? 5 : 2)) return false;
  const pushed = ep ^ 8;
  const origin = us === WHITE ? ep + 8 : ep - 8;
  if (board[ep] !== EMPTY || board[origin] !== EMPTY || board[pushed] !== makePiece(us ^ 1, PAWN)) return false;
  return hasLegalEp(us, ep);
}

/** Empties the board and the history: the start of setting up a position. */
function clearBoard(): void {
  bb.fill(0);
  board.fill(EMPTY);
  castlingRook.fill(NO_SQUARE);
  rightsKept.fill(15);
  const chess960 = state[CHESS960];
  state.fill(0);
  state[CHESS960] = chess960;
  state[EP] = NO_SQUARE;
  state[FULLMOVE] = 1;
}

/** Places a piece on an empty square while a position is being set up. */
function placePiece(piece: Piece, square: Square): void {
  putPiece(piece, square);
  if ((piece & 7) === KING) state[KING_SQUARE + (piece >> 3)] = square;
}

/** Gives the right to castle with the rook on the square, whose king already stands on the board. */
function addCastlingRight(color: Color, rook: Square): void {
  const king = state[KING_SQUARE + color];
  const right = 2 * color + (rook > king ? 0 : 1);
  state[CASTLING_RIGHTS] |= 1 << right;
  castlingRook[right] = rook;
  const kingTo = color * 56 + (rook > king ? 6 : 2);
  const rookTo = color * 56 + (rook > king ? 5 : 3);
  castlingWay[2 * right] = 0;
  castlingWay[2 * right + 1] = 0;
  for (let square = Math.min(king, rook, kingTo, rookTo); square <= Math.max(king, rook, kingTo, rookTo); square++) {
    if (square === king || square === rook) continue;
    castlingWay[2 * right] |= bitLo(square);
    castlingWay[2 * right + 1] |= bitHi(square);
  }
  rightsKept[rook] &= ~(1 << right);
  rightsKept[king] &= ~(3 << (2 * color));
}

/** Computes key, pawn key, phase and piece-square sum from the board alone and stores them. */
export function refreshSums(): void {
  let keyLo = state[STM] === BLACK ? SIDE_KEY[0] : 0;
  let keyHi = state[STM] === BLACK ? SIDE_KEY[1] : 0;
  let pawnLo = 0;
  let pawnHi = 0;
  state[PHASE] = 0;
  state[PSQT_SUM] = 0;
  for (let square = 0; square < 64; square++) {
    const piece = board[square];
    if (piece === EMPTY) continue;
    const entry = (piece << 6) | square;
    keyLo ^= PIECE_KEYS[2 * entry];
    keyHi ^= PIECE_KEYS[2 * entry + 1];
    if ((piece & 7) === PAWN) {
      pawnLo ^= PIECE_KEYS[2 * entry];
      pawnHi ^= PIECE_KEYS[2 * entry + 1];
    }
    state[PHASE] += PHASE_OF[piece];
    state[PSQT_SUM] += psqt[entry];
  }
  keyLo ^= CASTLING_KEYS[2 * state[CASTLING_RIGHTS]];
  keyHi ^= CASTLING_KEYS[2 * state[CASTLING_RIGHTS] + 1];
  if (state[EP] !== NO_SQUARE) {
    keyLo ^= EP_KEYS[2 * (state[EP] & 7)];
    keyHi ^= EP_KEYS[2 * (state[EP] & 7) + 1];
  }
  state[KEY_LO] = keyLo;
  state[KEY_HI] = keyHi;
  state[PAWN_KEY_LO] = pawnLo;
  state[PAWN_KEY_HI] = pawnHi;
}

/** Returns a function that puts the present position back, for setting up a position that may turn out impossible. */
export function savePosition(): () => void {
  const saved = [bb, board, state, castlingRook, castlingWay, rightsKept].map((array) => ({
    array,
    copy: array.slice(),
  }));
  return () => {
    for (const { array, copy } of saved) array.set(copy);
  };
}
