// Parses moves in the position on the board: SAN, long algebraic and UCI notation, figurines, and the usual spellings of captures,
// promotions and castling.

import {
  ANY,
  advanceGame,
  FenError,
  findCapture,
  findCastling,
  findMove,
  findPawnCapture,
  NO_MOVE,
  PAWN,
  PIECE_LETTERS,
} from './board.js';
import { splitTail } from './marks.js';

const USUAL = /^([KQRBNP]?)([a-h]?)([1-8]?)[x:×-]?([a-h])([1-8])(?:[=/]?\(?([QRBNKPqrbn])\)?)?[+#!?]*$/;
const UCI = /^(?:[a-h][1-8]){2}[qrbn]?$/;
const CASTLING = /^[O0o](-?)[O0o](?:(-?)[O0o])?$/;
const PIECE_TAKES = /^([KQRBNP])[x:×]([QRBNP])$/;
const FILE_TAKES = /^([a-h])[x:×]?([a-h])$/;
/** Informant symbols at the end of a move. */
const SIGNED = /(?<=[1-8Oo])(?:TN|RR|N|D)$/;
/** Text in the form of a move, legal or not, in any language. */
const SHAPE =
  /^(?:\p{Lu}?[a-h]?[1-8]?[x:×@-]?[a-h][1-8](?:[=/]?\(?[A-Za-z]\)?)?|[O0o]-[O0o](?:-[O0o])?|[KQRBNP][x:×][KQRBNP])$/u;
const FIGURINES = 'KQRBNP';
/** Maximum characters of a move, including marks. */
const MAX_WORD = 40;
const ALIEN = /[^\x20-\x7e]/;

/** Returns the move named by a word in the position on the board, NO_MOVE or AMBIGUOUS. */
export function moveOf(word: string): Move {
  if (word.length > MAX_WORD) return NO_MOVE;
  const usual = USUAL.exec(word);
  if (usual === null) return rareMove(plain(word));
  const move = namedMove(usual);
  // d5N and Re1N are novelties, but e1N is a promotion
  const mayPromote = /^P?$/.test(usual[1]) && '18'.includes(usual[5]);
  return move === NO_MOVE && SIGNED.test(word) && !mayPromote ? moveOf(word.replace(SIGNED, '')) : move;
}

/** Returns the legal move named by a word; throws a FenError if there is not exactly one. */
export function legalMoveOf(word: string): Move {
  const move = moveOf(word);
  if (move <= NO_MOVE) throw new FenError(illegal(word));
  return move;
}

/** Plays the words on the board; returns the legal moves before the first fault, and the fault or ''. */
export function playWords(words: readonly string[]): { moves: Move[]; problem: string } {
  const moves: Move[] = [];
  for (const word of words) {
    const move = moveOf(word);
    if (move <= NO_MOVE) return { moves, problem: illegal(word) };
    advanceGame(move);
    moves.push(move);
  }
  return { moves, problem: '' };
}

const illegal = (word: string): string => `'${word}' is not a legal move here`;

function namedMove([, letter, file, rank, targetFile, targetRank, promoted]: RegExpExecArray): Move {
  const origin = { file: file === '' ? ANY : fileOf(file), rank: rank === '' ? ANY : Number(rank) - 1 };
  const target = squareOf(targetFile, targetRank);
  const promotion = promoted === undefined ? 0 : PIECE_LETTERS.indexOf(promoted.toUpperCase());
  const piece = letter === '' ? PAWN : PIECE_LETTERS.indexOf(letter);
  const move = findMove({ piece, ...origin, target, promotion });
  if (move !== NO_MOVE || letter !== '' || origin.file === ANY || origin.rank === ANY) return move;
  return findMove({ piece: ANY, ...origin, target, promotion });
}

const fileOf = (letter: string): number => letter.charCodeAt(0) - 97;
const squareOf = (file: string, rank: string): number => fileOf(file) + 8 * (Number(rank) - 1);

function rareMove(word: string): Move {
  const { move } = splitTail(word);
  if (CASTLING.test(move)) return findCastling(move.replaceAll('-', '').length > 2);
  const usual = USUAL.exec(move);
  if (usual !== null) return namedMove(usual);
  const lower = move.toLowerCase();
  if (UCI.test(lower)) return moveOf(lower);
  const pieces = PIECE_TAKES.exec(move);
  if (pieces !== null) return findCapture(PIECE_LETTERS.indexOf(pieces[1]), PIECE_LETTERS.indexOf(pieces[2]));
  const files = FILE_TAKES.exec(move);
  if (files !== null) return findPawnCapture(fileOf(files[1]), fileOf(files[2]));
  return SIGNED.test(move) ? moveOf(move.replace(SIGNED, '')) : NO_MOVE;
}

// Replaces figurines with letters, and any hyphen with `-`
function plain(word: string): string {
  if (!ALIEN.test(word)) return word;
  return word
    .replace(/[\ufe0e\ufe0f]/g, '')
    .replace(/[♔-♟]/gu, (figurine) => FIGURINES[(figurine.charCodeAt(0) - 0x2654) % 6])
    .replace(/[‐‑–—−]/g, '-');
}

/** Returns whether the word is 00 or 000 and castling is legal. Otherwise 00 and 000 are numbers. */
export const isCastling = (word: string): boolean => /^000?$/.test(word) && moveOf(word) > NO_MOVE;

/** Returns whether a word has the shape of a move, legal or not. */
export function looksLikeMove(word: string): boolean {
  return word.length <= MAX_WORD && SHAPE.test(splitTail(plain(word)).move);
}

const SQUARE_OR_CAPTURE = /[a-h][1-8]|^(?:[KQRBN][a-h1-8]?[x:×][a-hKQRBNP]?|[a-h][x:×][a-h])[+#!?]*$/;

/** Returns whether a word that is not a move may contain one. */
export const hasMove = (word: string): boolean => SQUARE_OR_CAPTURE.test(word);

const BEGUN = /^(?:[KQRBN][a-h]?[1-8]?[x-]?[a-h]?|[a-h][1-8]?[x-]?[a-h]?|[O0]-?(?:[O0]-?)?)$/;

/** Returns whether a word may be the first part of a move. */
export const looksCutOff = (word: string): boolean => BEGUN.test(word);

const FOREIGN = /^(?![KQRBNP])\p{Lu}[a-h]?[1-8]?[x:-]?[a-h][1-8][+#!?]*$/u;

/** Returns whether a word looks like a move with the piece letters of another language. */
export const looksForeign = (word: string): boolean => FOREIGN.test(word);
