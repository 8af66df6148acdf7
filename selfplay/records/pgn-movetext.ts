// Parses the movetext of a PGN game: SAN, long algebraic or UCI moves, comments, glyphs, variations and move numbers. It
// tolerates the notation of match runners and sites; every move must be legal.

import { parseFen, STARTPOS } from '../../engine/board/fen.js';
import { makeMove } from '../../engine/board/kernel.js';
import { type Move, NO_MOVE } from '../../engine/board/move.js';
import { parseSan } from '../../engine/board/san.js';
import type { PgnResult } from './pgn.js';

export interface Movetext {
  moves: Move[];
  /** The comments after each move, joined; empty where there is none. */
  comments: string[];
  /** The token that ends the game; null when the text ends without one. */
  result: PgnResult | null;
}

/** Says what cannot be read, and at which character of the movetext. */
export class MovetextError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const RESULTS: readonly PgnResult[] = ['1-0', '0-1', '1/2-1/2', '*'];
const SPACE = /\s*/y;
const WORD = /[^\s{}();$]+/y;
const NUMBER = /^\d+(\.+|$)/;
const GLYPH = /^[!?=+\-/#~∞±∓⩲⩱N]+$|^e\.p\.$/;
/** What may follow the end of a comment. */
const AFTER_COMMENT =
  /\s*(?:$|[({$;)*]|\d+\.|1-0|0-1|1\/2-1\/2|(?:[KQRBN]?[a-h]?[1-8]?[x-]?[a-h][1-8](?:=?[qrbnQRBN])?|[O0]-[O0](?:-[O0])?)[+#!?]*(?:\s|\{|$))/y;

/** Plays the movetext in the engine's position; MovetextError for a move that is illegal or unreadable, FenError for the start. */
export function parseMovetext(text: string, fen: string = STARTPOS): Movetext {
  parseFen(fen);
  const game: Movetext = { moves: [], comments: [], result: null };
  let depth = 0;
  for (let at = skip(SPACE, text, 0); at < text.length; at = skip(SPACE, text, at)) {
    const character = text[at];
    if (character === '{') {
      const end = endOfComment(text, at);
      if (depth === 0) addComment(game, text.slice(at + 1, end));
      at = end + 1;
    } else if (character === ';') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (character === '(' || character === ')') {
      depth = Math.max(0, depth + (character === '(' ? 1 : -1));
      at++;
    } else {
      const end = Math.max(at + 1, skip(WORD, text, at));
      // A glyph `$12` falls apart into its dollar and a number, which both mean nothing here
      if (depth === 0 && character !== '$' && character !== '}') playWord(game, text.slice(at, end), at);
      at = end;
    }
  }
  return game;
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

// Some runners copy an engine's text into the comment as it is, braces included: a brace ends the comment only if what
// follows can follow a comment
function endOfComment(text: string, start: number): number {
  const first = text.indexOf('}', start);
  for (let end = first; end >= 0; end = text.indexOf('}', end + 1)) {
    AFTER_COMMENT.lastIndex = end + 1;
    if (AFTER_COMMENT.test(text)) return end;
  }
  return first < 0 ? text.length : first;
}

function addComment(game: Movetext, comment: string): void {
  const ply = game.moves.length - 1;
  if (ply < 0) return;
  const before = game.comments[ply];
  game.comments[ply] = before === '' ? comment : `${before} ${comment}`;
}

function playWord(game: Movetext, word: string, at: number): void {
  const result = word === '½-½' ? '1/2-1/2' : RESULTS.find((text) => text === word);
  if (result !== undefined) {
    if (game.result !== null) throw new MovetextError('a second result', at);
    game.result = result;
    return;
  }
  const text = word.replace(NUMBER, '');
  if (text === '' || GLYPH.test(text)) return;
  if (game.result !== null) throw new MovetextError(`'${shortened(text)}' after the result`, at);
  const move = parseSan(text);
  if (move === NO_MOVE) throw new MovetextError(`'${shortened(text)}' is not a legal move here`, at);
  makeMove(move);
  game.moves.push(move);
  game.comments.push('');
}

function shortened(text: string): string {
  return text.length <= 20 ? text : `${text.slice(0, 20)}…`;
}
