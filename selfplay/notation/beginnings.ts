// Where the movetext of a game begins: the first word that belongs to a game, and prose that only looks like one.

import type { Draft } from './draft.js';
import { looksLikeMove } from './moves.js';
import { endOfResult } from './results.js';

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
