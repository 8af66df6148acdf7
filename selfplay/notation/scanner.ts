// The PGN tokenizer, which converts lines to drafts of games. It handles tags, comments, variations and results, but not the rules of
// chess. Each character is read once; text outside games is skipped and counted.

import { endOfResult, parseResult } from '../common/game-result.js';
import { type LineBlock, TOO_LONG } from '../text/lines.js';
import { beginsBareGame, beginsBehindHeader, type GameDraft, Header, isProseBetweenTags, StrayText } from './draft.js';
import { BLANK, BRACE, BRACKET, endOfWord, MAX_MOVETEXT, Movetext, PERCENT, SEMICOLON, TAB } from './movetext.js';
import { continuedTag, parseTag, type Tag } from './tags.js';

/** Maximum lines of a tag value. */
const MAX_TAG_LINES = 8;
const MAX_TAGS = 1000;

/** Markup of games in forums. */
const MARKUP = /^\[\/?pgn\]/i;
/** Maximum length in characters of bracketed text among moves. */
const MAX_BRACKET = 200;
const EVENT = /^\s*\[Event\s*["\u201c]/i;
/** A line that begins a header, unless it belongs to a comment. */
const HEADER = /^\s*\[(Event|Site|Date|Round|White|Black|Result)\s*["\u201c]/i;

/** Reads PGN line by line. */
export class Scanner {
  /** Completed games. */
  private readonly games: GameDraft[] = [];
  private text: Movetext;
  private header = new Header();
  /** `between`: before a header or after a result; `header`: in a header; `moves`: in the movetext. */
  private phase: 'between' | 'header' | 'moves' = 'between';
  /** Index of the first word of the line. */
  private start = 0;
  private tag: Tag | null = null;
  private tagLines = 0;
  /** Lines of an open comment, from a tag named `tag` on. Either the comment is unterminated, or the tag is part of it. */
  private suspect: { tag: string; lines: string[]; first: number; length: number } | null = null;
  /** Text outside games. */
  readonly stray = new StrayText();

  constructor(line = 1) {
    this.text = new Movetext(line);
  }

  private get draft(): GameDraft {
    return this.text.draft;
  }

  /** Returns the game of a movetext without tags, or undefined if there is none; `first` is the number of the first line. */
  static movetextOf(lines: string[], first: number): GameDraft | undefined {
    const scanner = new Scanner(first);
    scanner.phase = 'moves';
    return [...scanner.push({ lines, first, tooLong: [] }), ...scanner.finish()][0];
  }

  /** Reads lines; returns the games that ended in them. */
  push({ lines, first, tooLong }: LineBlock): GameDraft[] {
    for (let i = 0; i < lines.length; i++) {
      if (tooLong.length > 0 && tooLong.includes(i)) this.spoil(TOO_LONG, first + i);
      this.line(lines[i], first + i);
    }
    return this.games.splice(0);
  }

  /** Ends the input; returns the remaining games. */
  finish(): GameDraft[] {
    this.closeSuspect();
    this.end();
    return this.games.splice(0);
  }

  private spoil(what: string, line: number): void {
    if (this.phase === 'between') this.end(line);
    if (this.phase === 'header') this.phase = 'moves';
    this.draft.fault ??= { what, line };
    this.draft.hasText = true;
  }

  private line(line: string, number: number): void {
    if (this.text.comment !== null) this.commentLine(line, number);
    else if (this.tag !== null) this.continueTag(line, number);
    else if (line.charCodeAt(0) === PERCENT) this.keepText('');
    else {
      this.keepText(line);
      this.scan(line, number, 0);
    }
  }

  // Reads a line that begins within a comment
  private commentLine(line: string, number: number): void {
    const tag = HEADER.exec(line)?.[1].toLowerCase();
    if (this.suspect === null) {
      if (tag === undefined) return this.continueComment(line, number);
      this.suspect = { tag, lines: [], first: number, length: 0 };
    } else if (tag === this.suspect.tag || this.suspect.length > MAX_MOVETEXT) {
      this.closeSuspect();
      return this.line(line, number);
    }
    this.suspect.lines.push(line);
    this.suspect.length += line.length;
    const brace = /[{}]/.exec(line)?.[0];
    if (brace === '{') this.closeSuspect();
    else if (brace === '}') {
      // The tag was part of the comment
      const { lines, first } = this.suspect;
      this.suspect = null;
      for (const [i, one] of lines.entries()) this.continueComment(one, first + i);
    }
  }

  private continueComment(line: string, number: number): void {
    this.keepText(line);
    const end = this.text.close(line, 0);
    if (end >= 0) this.scan(line, number, end);
  }

  // The comment is unterminated: the game ends before the tag
  private closeSuspect(): void {
    if (this.suspect === null) return;
    const { lines, first } = this.suspect;
    this.suspect = null;
    this.end(first);
    for (const [i, line] of lines.entries()) this.line(line, first + i);
  }

  private keepText(line: string): void {
    // Text after a result matters only for a second reading
    if (!this.text.keep(line) && this.phase !== 'between') this.spoil('the movetext is too long', this.draft.line);
  }

  private scan(line: string, number: number, from: number): void {
    let at = from;
    this.start = from + line.slice(from).search(/\S|$/);
    if (this.phase === 'moves' && this.text.endsBefore(line, this.start)) this.phase = 'between';
    if (this.phase === 'header' && this.start === line.length) this.header.gap();
    while (at < line.length) {
      const character = line.charCodeAt(at);
      if (character === BLANK || character === TAB) at++;
      else if (character === SEMICOLON) return;
      else if (character === BRACKET) at = this.bracket(line, number, at);
      else if (this.phase === 'moves') {
        at = this.text.token(line, number, at, character);
        if (this.draft.result !== null) this.phase = 'between';
      } else at = this.outside(line, number, at, character);
    }
  }

  /** Reads a tag, or skips text that begins like one; returns the index after it. */
  private bracket(line: string, number: number, at: number): number {
    const isTag = this.phase !== 'moves' || at === this.start || EVENT.test(line.slice(at, at + 20));
    const tag = isTag ? parseTag(line, at) : null;
    const markup = tag === null ? MARKUP.exec(line.slice(at, at + 8)) : null;
    if (markup !== null) return at + markup[0].length;
    if (tag === null && this.phase !== 'moves') {
      this.stray.add(line, number);
      const next = line.indexOf('[', at + 1);
      return next < 0 ? line.length : next;
    }
    // Bracketed text, such as a clock without braces
    if (tag === null) return at + Math.max(0, line.slice(at, at + MAX_BRACKET).indexOf(']')) + 1;
    if (this.phase === 'moves' && isProseBetweenTags(this.draft)) {
      this.stray.add(line, number);
      this.text.drop();
    } else if (this.phase !== 'header' && !this.text.continuesHeader(tag)) this.end(number);
    this.phase = 'header';
    if (tag.isOpen) {
      this.tag = tag;
      this.tagLines = 0;
    } else this.addTag(tag, number);
    return tag.end;
  }

  private addTag(tag: Tag, number: number): void {
    const { draft } = this;
    if (this.header.tags.size === 0) draft.line = number;
    if (this.header.tags.size >= MAX_TAGS && !this.header.tags.has(tag.name)) return;
    const ended = this.header.add(tag);
    if (ended !== null) {
      this.games.push({ ...draft, tags: ended });
      this.text = new Movetext(number);
    }
    this.draft.tags = this.header.tags;
  }

  private continueTag(line: string, number: number): void {
    const tag = this.tag as Tag;
    const next = continuedTag(tag, line);
    if (++this.tagLines > MAX_TAG_LINES || line.trim() === '' || /^\s*\[/.test(line)) {
      // The tag is unterminated
      this.tag = null;
      this.addTag(tag, number);
      this.line(line, number);
    } else if (next.isOpen) this.tag = next;
    else {
      this.tag = null;
      this.addTag(next, number);
      this.scan(line, number, next.end);
    }
  }

  // Text outside movetext either begins the movetext of a game or is skipped
  private outside(line: string, number: number, at: number, character: number): number {
    if (character === BRACE) return this.outsideComment(line, number, at);
    const end = endOfWord(line, at);
    const word = line.slice(at, end);
    const isBegun =
      this.phase === 'header' ? beginsBehindHeader(line, at, word) : beginsBareGame(line, at, word, at === this.start);
    if (!isBegun) {
      const second = endOfResult(line, at);
      const isSecond = second >= 0 && this.draft.result !== null && this.draft.resultLine === number;
      if (isSecond) this.draft.second ??= parseResult(line.slice(at, second));
      this.stray.add(line, number);
      const tag = line.indexOf('[', end);
      return tag < 0 ? line.length : tag;
    }
    if (this.phase === 'between') this.end(number);
    this.phase = 'moves';
    if (this.draft.tags.size === 0) this.draft.line = number;
    this.text.begin(line.slice(at), number);
    return at;
  }

  private outsideComment(line: string, number: number, at: number): number {
    if (this.phase === 'header') {
      this.phase = 'moves';
      this.text.begin(line.slice(at), number);
      this.draft.hasText = true;
    }
    const end = this.text.open(line, at); // A game may begin after it
    if (at === this.start) this.start = end + line.slice(end).search(/\S|$/);
    return end;
  }

  /** Ends the current game, if any; the next one begins in line `next`. */
  private end(next = 0): void {
    const draft = this.text.finish();
    if (draft.tags.size > 0 || draft.hasText || draft.fault !== null) this.games.push(draft);
    this.text = new Movetext(next);
    this.header = new Header();
    this.phase = 'between';
    this.tag = null;
  }
}
