// Tokenizer for the movetext of one game: words, comments, variations, result. Each character is read once.

import { endOfResult, gluedResult, parseResult } from '../common/game-result.js';
import { GameDraft } from './draft.js';
import { looksLikeMove } from './moves.js';
import type { Tag } from './tags.js';

// The words of movetext: their ends, and candidates for results.

/** Characters that end a word: blanks, commas, brackets, and the starts of comments and glyphs. */
const ENDS_WORD = new Uint8Array(128);
for (const character of ' \t\n\r{}();$[],') ENDS_WORD[character.charCodeAt(0)] = 1;

const code = (character: string): number => character.charCodeAt(0);
export const [BLANK, TAB, SEMICOLON, BRACKET, BRACE, PERCENT] = [...' \t;[{%'].map(code);
const [OPEN, CLOSE, DOLLAR, END_BRACE, STAR, ZERO, ONE, DOT, NINE, HALF] = [...'()$}*01.9½'].map(code);

/** Returns the end of the word that begins at or before the index. */
export function endOfWord(line: string, at: number): number {
  let end = at;
  while (end < line.length) {
    const character = line.charCodeAt(end);
    if (character < 128 && ENDS_WORD[character] === 1) break;
    end++;
  }
  return end;
}

const PROMOTED = /[a-h][18]=?$/;
const IN_BRACKETS = /^\([QRBNqrbn]\)/;

/** Returns the end of the word, including a promotion piece in parentheses: a8(Q). */
function endOfPromotion(line: string, end: number): number {
  if (line.charCodeAt(end) !== OPEN || !IN_BRACKETS.test(line.slice(end, end + 3))) return end;
  return PROMOTED.test(line.slice(Math.max(0, end - 3), end)) ? end + 3 : end;
}

/** Returns whether a result may begin at the index. A fast test excludes move numbers, the most frequent words. */
function mayBeResult(line: string, at: number, character: number): boolean {
  if (character === STAR || character === HALF) return true;
  if (character !== ONE && character !== ZERO) return false;
  const next = line.charCodeAt(at + 1);
  return (next !== DOT && !(next >= ZERO && next <= NINE)) || (character === ZERO && next === DOT);
}

/** Maximum length of one game's movetext in characters. */
export const MAX_MOVETEXT = 1 << 22;

/** White's move number 1, not Black's. */
const FIRST_NUMBER = /^1(?:\.(?!\s*[.…])|\s)\s*[^\s\d.…]/;

/** Number of characters searched for a first move number. */
const MAX_NUMBER = 40;

/** Collects the draft of a game. */
export class Movetext {
  readonly draft: GameDraft;
  /** The lines of the open comment, or null. */
  comment: string[] | null = null;
  private depth = 0;

  constructor(line: number) {
    this.draft = new GameDraft(line);
  }

  /** Returns whether the tag still belongs to the header: only a comment separates them. */
  continuesHeader({ name }: Tag): boolean {
    const { tags, words, variations, result, fault } = this.draft;
    const isComment = words.length === 0 && variations === 0 && result === null && fault === null;
    return isComment && tags.size > 0 && name !== 'Event' && !tags.has(name);
  }

  /** Returns whether a new game begins at the index. Without tags or results, move number 1 separates games. */
  endsBefore(line: string, at: number): boolean {
    const isBare = this.draft.tags.size === 0 && this.depth === 0 && this.draft.words.length > 1;
    return isBare && FIRST_NUMBER.test(line.slice(at, at + MAX_NUMBER)) && endOfResult(line, at) < 0;
  }

  /** Starts the movetext with the rest of a line. */
  begin(text: string, line: number): void {
    this.draft.textLine = line;
    this.draft.text = [text];
    this.draft.length = text.length;
  }

  /** Stores a line for a second reading; returns false if the game is too long. */
  keep(line: string): boolean {
    const { draft } = this;
    draft.length += line.length + 1;
    const fits = draft.length <= MAX_MOVETEXT;
    if (fits) draft.text.push(line);
    return fits;
  }

  /** Opens a comment at its brace; returns the index after its end, or the end of the line. */
  open(line: string, at: number): number {
    this.comment = [];
    const end = this.close(line, at + 1);
    return end < 0 ? line.length : end;
  }

  /** Stores the comment's part of the line; returns the index after its end, or -1. */
  close(line: string, at: number): number {
    const end = line.indexOf('}', at);
    if (this.comment === null) return at;
    if (this.depth === 0 && this.draft.length <= MAX_MOVETEXT)
      this.comment.push(line.slice(at, end < 0 ? undefined : end));
    if (end < 0) return -1;
    if (this.depth === 0 && this.draft.result === null) this.addComment(this.comment);
    this.comment = null;
    return end + 1;
  }

  private addComment(lines: readonly string[]): void {
    this.draft.comments.push(lines.join('\n'));
    this.draft.commentsAt.push(this.draft.words.length);
  }

  /** Reads one token; returns the index after it. */
  token(line: string, number: number, at: number, character: number): number {
    const { draft } = this;
    draft.hasText = true;
    if (character === BRACE) return this.open(line, at);
    if (character === OPEN) {
      if (this.depth++ === 0) draft.variations++;
      return at + 1;
    }
    if (character === CLOSE) {
      if (this.depth > 0) this.depth--;
      return at + 1;
    }
    if (character === END_BRACE || (ENDS_WORD[character] === 1 && character !== DOLLAR)) return at + 1;
    if (this.depth > 0) return endOfWord(line, at + 1);
    const result = mayBeResult(line, at, character) ? endOfResult(line, at) : -1;
    if (result >= 0) {
      draft.result = parseResult(line.slice(at, result));
      draft.resultLine = number;
      return result;
    }
    const end = endOfPromotion(line, endOfWord(line, at + 1));
    const glued = gluedResult(line.slice(at, end));
    if (glued > 0 && looksLikeMove(line.slice(at, at + glued))) {
      this.addWord(line.slice(at, at + glued), number);
      return this.token(line, number, at + glued, line.charCodeAt(at + glued));
    }
    this.addWord(line.slice(at, end), number);
    return end;
  }

  private addWord(word: string, number: number): void {
    const { draft } = this;
    if (draft.length <= MAX_MOVETEXT) {
      draft.words.push(word);
      draft.wordLines.push(number);
    }
  }

  /** Drops the words read so far, because they were prose. */
  drop(): void {
    const { draft } = this;
    for (const list of [draft.words, draft.wordLines, draft.text]) list.length = 0;
    draft.hasText = false;
    this.depth = 0;
  }

  /** Ends the game and returns its draft. */
  finish(): GameDraft {
    const { draft } = this;
    if (draft.result !== null || !draft.hasText) return draft;
    if (this.comment !== null) {
      this.addComment(this.comment);
      draft.repairs.push('unterminated comment');
    }
    if (this.depth > 0) draft.repairs.push('unterminated variation');
    return draft;
  }
}
