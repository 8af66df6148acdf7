// Rules and notation for whole games, in functions too slow for the search: legal moves, moves in UCI and algebraic notation, and the end
// of a game.

import { generateLegal, isInCheck, isMaterialDraw, makeMove, repetitionCount, unmakeMove } from './kernel.js';
import { CASTLING, EN_PASSANT, kingTarget, moveFrom, moveKind, moveTo, NO_MOVE, promotionLetter } from './move.js';
import { board, forgetHistory, state } from './position.js';
import { KING, NO_PIECE, PAWN, PIECE_LETTERS, parseSquare, squareName } from './types.js';
import { moves, SPARE_LIST } from './workspace.js';

/** Maximum depth of perft, beyond the reach of any machine. */
export const MAX_PERFT = 20;

/** Returns all legal moves. */
export function legalMoves(): Move[] {
  return Array.from(moves.subarray(SPARE_LIST, generateLegal(SPARE_LIST)));
}

/** Returns whether a legal move captures, including en passant. */
export function isCapture(move: Move): boolean {
  const kind = moveKind(move);
  return kind === EN_PASSANT || (kind !== CASTLING && board[moveTo(move)] !== NO_PIECE);
}

/** More plies without a capture or pawn move than any legal game has. */
const LONG_SINCE_DRAWN = 1000;

/** Makes a move in a game of any length. A move that clears the history (see below) cannot be unmade. */
export function advanceGame(move: Move): void {
  makeMove(move);
  // Positions before a capture or pawn move cannot recur. The second condition keeps the undo records from overflowing
  if (state.rule50 === 0 || state.rule50 >= LONG_SINCE_DRAWN) forgetHistory();
}

/** Parses a move in UCI notation, with either form of castling. Returns NO_MOVE if the text is not a legal move. */
export function parseUciMove(text: string): Move {
  if (!/^[a-h][1-8][a-h][1-8][nbrq]?$/.test(text)) return NO_MOVE;
  const [from, to] = [parseSquare(text.slice(0, 2)), parseSquare(text.slice(2, 4))];
  const promotion = text.slice(4);
  const end = generateLegal(SPARE_LIST);
  let castling = NO_MOVE;
  for (let i = SPARE_LIST; i < end; i++) {
    const move = moves[i];
    if (moveFrom(move) !== from || promotionLetter(move) !== promotion) continue;
    if (moveTo(move) === to) return move;
    if (moveKind(move) === CASTLING && kingTarget(move) === to) castling = move;
  }
  return castling;
}

/** Reason why a game is over under the rules. */
export type GameEnd = 'checkmate' | 'stalemate' | 'repetition' | 'fifty' | 'material';

/** Returns the reason why the game is over, or null if it continues. Mate takes precedence over draws; repetition is threefold. */
export function gameEnd(): GameEnd | null {
  if (generateLegal(SPARE_LIST) === SPARE_LIST) return isInCheck() ? 'checkmate' : 'stalemate';
  if (isMaterialDraw()) return 'material';
  if (state.rule50 >= 100) return 'fifty';
  return repetitionCount() >= 2 ? 'repetition' : null;
}

/** Returns the SAN of a legal move, with `+` or `#`. */
export function formatSan(move: Move): string {
  let text = withoutCheck(move);
  makeMove(move);
  if (isInCheck()) text += legalMoves().length === 0 ? '#' : '+';
  unmakeMove(move);
  return text;
}

function withoutCheck(move: Move): string {
  const from = moveFrom(move);
  const to = moveTo(move);
  const type = board[from] & 7;
  if (moveKind(move) === CASTLING) return to > from ? 'O-O' : 'O-O-O';
  const captures = isCapture(move);
  const target = (captures ? 'x' : '') + squareName(to);
  if (type === PAWN) {
    const promotion = promotionLetter(move).toUpperCase();
    return (captures ? squareName(from)[0] : '') + target + (promotion === '' ? '' : `=${promotion}`);
  }
  return PIECE_LETTERS[type] + originHint(move, type) + target;
}

// File, rank or both, if other pieces of the type could move to the same square
function originHint(move: Move, type: number): string {
  if (type === KING) return '';
  const from = moveFrom(move);
  const rivals = legalMoves().filter(
    (other) =>
      moveTo(other) === moveTo(move) &&
      moveFrom(other) !== from &&
      board[moveFrom(other)] === board[from] &&
      moveKind(other) !== CASTLING,
  );
  if (rivals.length === 0) return '';
  const name = squareName(from);
  if (rivals.every((other) => (moveFrom(other) & 7) !== (from & 7))) return name[0];
  if (rivals.every((other) => moveFrom(other) >> 3 !== from >> 3)) return name[1];
  return name;
}

const SAN = /^([NBRQK]?)([a-h]?)([1-8]?)[x-]?([a-h][1-8])(?:=?([NBRQ]))?$/;

/** Parses a move in SAN, long algebraic or UCI notation. Returns NO_MOVE if no legal move or more than one matches. */
export function parseSan(text: string): Move {
  const bare = text.replace(/[+#!?]+$/, '').replace(/\s?e\.p\.$/, '');
  if (/^[0O]-[0O](-[0O])?$/.test(bare)) {
    const isLong = bare.length > 3;
    return only(legalMoves().filter((move) => moveKind(move) === CASTLING && moveTo(move) < moveFrom(move) === isLong));
  }
  const named = SAN.exec(bare);
  const fits = named === null ? [] : legalMoves().filter((move) => isNamed(move, named));
  return fits.length === 0 ? parseUciMove(bare.toLowerCase().replace(/[=-]/g, '')) : only(fits);
}

function isNamed(move: Move, [, letter, file, rank, target, promotion = '']: RegExpExecArray): boolean {
  const type = letter === '' ? PAWN : PIECE_LETTERS.indexOf(letter);
  const origin = squareName(moveFrom(move));
  return (
    (board[moveFrom(move)] & 7) === type &&
    moveKind(move) !== CASTLING &&
    squareName(kingTarget(move)) === target &&
    (file === '' || origin[0] === file) &&
    (rank === '' || origin[1] === rank) &&
    promotionLetter(move).toUpperCase() === promotion
  );
}

function only(moves: Move[]): Move {
  return moves.length === 1 ? moves[0] : NO_MOVE;
}
