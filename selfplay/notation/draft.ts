// Game as collected by the scanner: tags, and the words, comments and result of the movetext. Moves are not played.

import { endOfResult, type PgnResult } from '../common/game-result.js';
import { looksLikeMove } from './moves.js';
import { isRoster, type Tag, type Tags } from './tags.js';

export class GameDraft {
  tags: Tags = new Map();
  /** Words of the main line (moves, marks, numbers, glyphs), and the line number of each. */
  words: string[] = [];
  wordLines: number[] = [];
  /** Comments of the main line, and the number of words before each. */
  comments: string[] = [];
  commentsAt: number[] = [];
  result: PgnResult | null = null;
  /** A second result on the same line. */
  second: PgnResult | null = null;
  resultLine = 0;
  /** The raw movetext for a second reading, from line `textLine`. */
  text: string[] = [];
  textLine: number;
  length = 0;
  variations = 0;
  /** A fault in the text that does not concern a move. */
  fault: { what: string; line: number } | null = null;
  /** Kinds of the repairs made, one entry per repair. */
  repairs: string[] = [];
  /** Whether anything other than tags has been read. */
  hasText = false;

  /** `line` is the first line of the game. */
  constructor(public line: number) {
    this.textLine = line;
  }
}

/** Values of a FEN tag that mean the start position. */
const USUAL_START = /^\s*(?:[?-]|startpos)?\s*$/i;

/**
 * The tags of a header in order; the first value of each counts. A repeated roster tag may begin another game: after a blank line, or with
 * a second Event tag followed by other repeated tags.
 */
export class Header {
  readonly tags: Tags = new Map();
  /** The tags before a second Event tag, and the tags from it on. */
  private parts: { before: Tags; since: Tags } | null = null;
  private hasGap = false;

  /** Adds a tag; returns the tags of a game without moves that ends before it, or null. */
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

  /** Records a blank line. */
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

// Detection of the beginning of movetext, and of prose that resembles it

/** Text between tags counts as prose only if it has fewer words than this. */
const MAX_PROSE = 100;

/** Returns whether the word at the index can begin movetext after a header. Almost any word of a game can. */
export function beginsBehindHeader(line: string, at: number, word: string): boolean {
  return /^(?:\d|\.\.|…)/.test(word) || endOfResult(line, at) >= 0 || looksLikeMove(word) || /[($]/.test(line[at]);
}

/** Returns whether the word at the index begins a game without tags: move number 1, or a move at the start of a line. */
export function beginsBareGame(line: string, at: number, word: string, isFirst: boolean): boolean {
  if (/^1(?:\.|…|$)/.test(word) && endOfResult(line, at) < 0) return true;
  return isFirst && looksLikeMove(word.replace(/^1\.+/, ''));
}

/** Returns whether the words between two tags are prose, which may begin with a number. */
export function isProseBetweenTags({ words, result, tags, comments }: GameDraft): boolean {
  const isShort = result === null && comments.length === 0 && words.length > 0 && words.length < MAX_PROSE;
  return isShort && tags.size > 0 && !words.some((word) => looksLikeMove(word.replace(/^\d+\.+/, '')));
}

/** Lines of text that belong to no game. */
export class StrayText {
  lines = 0;
  first: { line: number; text: string } | null = null;
  private last = 0;

  /** Counts a line once, regardless of the number of skipped words. */
  add(line: string, number: number): void {
    if (this.last !== number) this.lines++;
    this.last = number;
    this.first ??= { line: number, text: line.trim() };
  }
}
