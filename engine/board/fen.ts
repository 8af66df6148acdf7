// Parser of FEN and EPD, in which all fields after the side to move are optional, and formatter of six-field FENs. Castling rights are KQkq
// for the outermost rooks (X-FEN), or rook files (Shredder-FEN).

import { castlingRook, isChess960, state } from './position.js';
import { describePosition, FenError, setPosition } from './setup.js';
import {
  BLACK,
  KING,
  makePiece,
  NO_PIECE,
  NO_SQUARE,
  PIECE_LETTERS,
  parseSquare,
  ROOK,
  squareName,
  WHITE,
} from './types.js';

export { FenError } from './setup.js';

/** The start position of chess. */
export const STARTPOS = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** Upper limit of the ply and move counters, higher than in any real game. */
const MAX_COUNT = 20_000;

/** A move in UCI notation; no operation of an EPD has such a name. */
const MOVE = /^[a-h][1-8][a-h][1-8][nbrq]?$/i;

/**
 * Sets up the position of a FEN; missing counters default to `0 1`. If the FEN is invalid, throws a FenError and keeps the old position.
 */
export function parseFen(fen: string): void {
  const words = fen.trim().split(/\s+/);
  const [placement, side, castling = '-', ep = '-', halfmove = '0', fullmove = '1'] = words;
  if (side === undefined) throw new FenError('a FEN needs at least the board and the side to move');
  if (side !== 'w' && side !== 'b') throw new FenError(`the side to move must be w or b, not '${side}'`);
  const next = words.slice(4).find((word) => !isCount(word)) ?? '';
  if (MOVE.test(next))
    throw new FenError(`unknown words after the FEN: ${next}; the word moves must precede the moves`);
  const board = parseBoard(placement);
  setPosition({
    board,
    sideToMove: side === 'w' ? WHITE : BLACK,
    epSquare: parseEp(ep),
    castlingRooks: parseCastling(castling, board),
    halfmove: parseCount(halfmove, 'the number of plies since a capture or pawn move') ?? 0,
    fullmove: isCount(halfmove) ? Math.max(1, parseCount(fullmove, 'the move number') ?? 1) : 1,
  });
}

// In an EPD line, operations such as `bm e4` or `ce 31` take the place of the counters
const isCount = (text: string): boolean => /^[+-]?\d+$/.test(text);

function parseCount(text: string, what: string): number | undefined {
  if (!isCount(text)) return undefined;
  const count = Number(text);
  if (!(count >= 0 && count <= MAX_COUNT))
    throw new FenError(`${what} must be from 0 to ${MAX_COUNT}, not '${text.slice(0, 12)}'`);
  return count;
}

function parseBoard(placement: string): Int32Array {
  const ranks = placement.split('/');
  if (ranks.length !== 8) throw new FenError(`the board has ${ranks.length} ranks instead of 8`);
  const board = new Int32Array(64).fill(NO_PIECE);
  ranks.forEach((text, i) => {
    let file = 0;
    for (const letter of text) {
      if (letter >= '1' && letter <= '8') {
        file += Number(letter);
        continue;
      }
      const piece = letter === ' ' ? -1 : PIECE_LETTERS.indexOf(letter);
      if (piece < 0) throw new FenError(`'${letter}' is not a piece`);
      if (file < 8) board[(7 - i) * 8 + file] = piece;
      file++;
    }
    if (file !== 8) throw new FenError(`rank ${8 - i} has ${file} squares instead of 8`);
  });
  return board;
}

function parseEp(text: string): Square {
  if (text === '-') return NO_SQUARE;
  const square = parseSquare(text);
  if (square === NO_SQUARE) throw new FenError(`'${text}' is not an en-passant square`);
  return square;
}

// Rights without a rook or king in place are dropped, because such FENs are common and playable
function parseCastling(text: string, board: Int32Array): Square[] {
  if (text === '-') return [];
  const rooks: Square[] = [];
  for (const letter of text) {
    if (!/[a-hkq]/i.test(letter)) throw new FenError(`'${letter}' is not a castling right`);
    const color = letter === letter.toUpperCase() ? WHITE : BLACK;
    const rook = findRook(letter.toLowerCase(), color, board);
    if (rook !== NO_SQUARE) rooks.push(rook);
  }
  return rooks;
}

function findRook(letter: string, color: Color, board: ArrayLike<number>): Square {
  const home = color * 56;
  if (letter !== 'k' && letter !== 'q') return home + letter.charCodeAt(0) - 97;
  const king = Array.prototype.indexOf.call(board, makePiece(color, KING));
  const outward = letter === 'k' ? [7, 6, 5, 4, 3, 2, 1] : [0, 1, 2, 3, 4, 5, 6];
  const file = outward.find((f) => board[home + f] === makePiece(color, ROOK));
  if (file === undefined || king >> 3 !== home >> 3) return NO_SQUARE;
  return home + file > king === (letter === 'k') ? home + file : NO_SQUARE;
}

/** Returns the position's FEN, with six fields. Castling rights are rook files in Chess960, otherwise KQkq for outermost rooks. */
export function formatFen(): string {
  const { board, sideToMove, epSquare, halfmove, fullmove } = describePosition();
  const ranks: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    let text = '';
    for (let file = 0; file < 8; file++) text += PIECE_LETTERS[board[rank * 8 + file]];
    ranks.push(text.replace(/ +/g, (gap) => String(gap.length)));
  }
  const side = sideToMove === WHITE ? 'w' : 'b';
  const ep = epSquare === NO_SQUARE ? '-' : squareName(epSquare);
  return `${ranks.join('/')} ${side} ${formatCastling(board)} ${ep} ${halfmove} ${fullmove}`;
}

function formatCastling(board: ArrayLike<number>): string {
  let text = '';
  for (let right = 0; right < 4; right++) {
    if (((state.castlingRights >> right) & 1) === 0) continue;
    const color = right >> 1;
    const rook = castlingRook[right];
    const wing = (right & 1) === 0 ? 'k' : 'q';
    const isOutermost = findRook(wing, color, board) === rook;
    const letter = isOutermost && !isChess960() ? wing : 'abcdefgh'[rook & 7];
    text += color === WHITE ? letter.toUpperCase() : letter;
  }
  return text === '' ? '-' : text;
}
