// Splits text into lines, removes unwanted characters and enforces the maximum length. This module imports no Node modules, because the web
// page (scripts/page) also uses it for pasted text.

/** Consecutive lines of a text, without their line endings, and the number of the first. */
export interface LineBlock {
  lines: string[];
  first: number;
  /** Indices of lines that were too long and are empty here. */
  tooLong: readonly number[];
}

/** Maximum characters of a line. */
export const MAX_LINE = 1 << 20;

export const TOO_LONG = `a line of more than ${MAX_LINE} characters`;

const LINE_END = /\r?\r?\n|\r/;
/** Control characters except tabs and line endings; blanks other than the space; zero-width characters. */
const STRANGE = /[^\P{Cc}\t\n\r]|[\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/u;
const ALL_STRANGE = new RegExp(STRANGE, 'gu');
/** The blanks among these characters. */
const BLANK = /[\v\f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Returns the text without control and zero-width characters and with all blanks as spaces; line endings and tabs are kept. */
export function cleaned(text: string): string {
  if (!STRANGE.test(text)) return text;
  return text.replace(ALL_STRANGE, (character) => (BLANK.test(character) ? ' ' : ''));
}

/** Splits the text at CR, LF, CRLF and CRCRLF. */
export const splitLines = (text: string): string[] => (text.includes('\r') ? text.split(LINE_END) : text.split('\n'));

/** Returns the lines of a whole text, cleaned and numbered from 1; an empty last line is left out. */
export function linesOf(text: string): LineBlock {
  const lines = splitLines(cleaned(text));
  if (lines.at(-1) === '') lines.pop();
  return blockOf(lines, 1);
}

/** Returns the lines as a block. Empties lines that are too long, also in the given array. */
export function blockOf(lines: string[], first: number): LineBlock {
  const tooLong: number[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (lines[i].length <= MAX_LINE) continue;
    tooLong.push(i);
    lines[i] = '';
  }
  return { lines, first, tooLong };
}
