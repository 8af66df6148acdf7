// Colours, piece types, pieces and squares, all small integers. Their TypeScript types are declared globally, in kernel/subset.d.ts.

export const WHITE = 0;
export const BLACK = 1;

export const PAWN = 0;
export const KNIGHT = 1;
export const BISHOP = 2;
export const ROOK = 3;
export const QUEEN = 4;
export const KING = 5;

/** Piece code of an empty square. */
export const NO_PIECE = 6;

/** No square, for example if there is no en-passant square. */
export const NO_SQUARE = -1;

/** The FEN letter of each piece code; a space for codes without a piece. */
export const PIECE_LETTERS = 'PNBRQK  pnbrqk  ';

/** Returns the piece code of a type and colour. */
export function makePiece(color: Color, type: PieceType): Piece {
  return type | (color << 3);
}

/** Returns the square's name, such as `e4`. */
export function squareName(square: Square): string {
  return 'abcdefgh'[square & 7] + String(1 + (square >> 3));
}

/** Returns the square of a name such as `e4`, or NO_SQUARE. */
export function parseSquare(name: string): Square {
  return /^[a-h][1-8]$/.test(name) ? name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49) : NO_SQUARE;
}
