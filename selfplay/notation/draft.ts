// A game as the scanner gathers it: tags, and the words, comments and result of its movetext, each with its line. Nothing is played.

import { endOfResult, type PgnResult } from '../common/game-result.js';
import { looksLikeMove } from './moves.js';
import { isRoster, type Tag, type Tags } from './tags.js';

export interface Draft {
  tags: Tags;
  /** Where the game begins. */
  line: number;
  /** Words of the main line with their lines: moves, marks, numbers, glyphs. */
  words: string[];
  wordLines: number[];
  /** Comments of the main line, and how many words stand before each. */
  comments: string[];
  commentsAt: number[];
  result: PgnResult | null;
  /** A further result on the line of the first. */
  second: PgnResult | null;
  resultLine: number;
  /** The movetext as it stands, for a second reading; `text[0]` is of line `textLine`. */
  text: string[];
  textLine: number;
  length: number;
  variations: number;
  /** A fault of the text, apart from its moves. */
  fault: { what: string; line: number } | null;
  /** Repairs by kind. */
  repairs: string[];
  /** Whether anything but tags has been seen. */
  hasText: boolean;
}

/** Returns a game of nothing. */
export function newDraft(line: number): Draft {
  return {
    tags: new Map(),
    line,
    words: [],
    wordLines: [],
    comments: [],
    commentsAt: [],
    result: null,
    second: null,
    resultLine: line,
    text: [],
    textLine: line,
    length: 0,
    variations: 0,
    fault: null,
    repairs: [],
    hasText: false,
  };
}

/** Values of a FEN tag that name no position. */
const USUAL_START = /^\s*(?:[?-]|startpos)?\s*$/i;

/**
 * The tags of a header as they come; the first value of each counts. A tag that every game has once may begin another game: behind a
 * blank line, or with a second Event tag that others are repeated after.
 */
export class Header {
  readonly tags: Tags = new Map();
  /** The tags before a second Event tag, and those from it on. */
  private parts: { before: Tags; since: Tags } | null = null;
  private hasGap = false;

  /** Adds a tag; returns the tags of a game without moves that ends before it, else null. */
  add({ name, value }: Tag): Tags | null {
    if (name === 'FEN' && USUAL_START.test(value)) return null;
    const isRepeated = isRoster(name) && (this.parts?.before ?? this.tags).has(name);
    if (isRepeated && (this.hasGap || (this.parts !== null && name !== 'Event'))) return this.split(name, value);
    if (isRepeated && name === 'Event' && this.tags.size > 1) {
      this.parts = { before: new Map(this.tags), since: new Map() };
    }
    for (const tags of [this.tags, this.parts?.since]) if (tags?.has(name) === false) tags.set(name, value);
    this.hasGap = false;
    return null;
  }

  /** Notes a blank line. */
  gap(): void {
    this.hasGap = this.tags.size > 0;
  }

  private split(name: string, value: string): Tags {
    const before = this.parts?.before ?? new Map(this.tags);
    const since: Tags = this.parts?.since ?? new Map();
    this.tags.clear();
    for (const [key, text] of since) this.tags.set(key, text);
    if (!this.tags.has(name)) this.tags.set(name, value);
    this.parts = null;
    this.hasGap = false;
    return before;
  }
}

// Where the movetext of a game begins: the first word that belongs to a game, and prose that only looks like one

/** Words that prose between tags may have. */
const MAX_PROSE = 100;

/** Returns whether the word at that index begins movetext behind a header: almost any word that may belong to a game. */
export function beginsBehindHeader(line: string, at: number, word: string): boolean {
  return /^\d/.test(word) || endOfResult(line, at) >= 0 || looksLikeMove(word) || /[($]/.test(line[at]);
}

/** Returns whether the word at that index begins a game without tags: with its first move. */
export function beginsBareGame(line: string, at: number, word: string, isFirst: boolean): boolean {
  if (/^1(?:\.|…|$)/.test(word) && endOfResult(line, at) < 0) return true;
  return isFirst && looksLikeMove(word.replace(/^1\.+/, ''));
}

/** Returns whether the words between two tags are prose: a line of it may begin with a number. */
export function isProse({ words, result, tags, comments }: Draft): boolean {
  const isShort = result === null && comments.length === 0 && words.length > 0 && words.length < MAX_PROSE;
  return isShort && tags.size > 0 && !words.some((word) => looksLikeMove(word.replace(/^\d+\.+/, '')));
}

/** Lines of text that belong to no game. */
export class StrayText {
  lines = 0;
  first: { line: number; text: string } | null = null;
  private last = 0;

  /** Counts a line once, for any number of skipped words. */
  add(line: string, number: number): void {
    if (this.last !== number) this.lines++;
    this.last = number;
    this.first ??= { line: number, text: line.trim() };
  }
}
