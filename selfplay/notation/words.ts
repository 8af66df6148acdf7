// The words of movetext: their ends, and candidates for results.

/** Characters that end a word: blanks, brackets, comments, glyphs. */
export const ENDS_WORD = new Uint8Array(128);
for (const character of ' \t\n\r{}();$[],') ENDS_WORD[character.charCodeAt(0)] = 1;

const code = (character: string): number => character.charCodeAt(0);
export const [BLANK, TAB, OPEN, CLOSE, SEMICOLON, DOLLAR, BRACKET] = [' ', '\t', '(', ')', ';', '$', '['].map(code);
export const [BRACE, END_BRACE, PERCENT, STAR, ZERO, ONE, DOT, NINE, HALF] = [
  '{',
  '}',
  '%',
  '*',
  '0',
  '1',
  '.',
  '9',
  '½',
].map(code);

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
export function endOfPromotion(line: string, end: number): number {
  if (line.charCodeAt(end) !== OPEN || !IN_BRACKETS.test(line.slice(end, end + 3))) return end;
  return PROMOTED.test(line.slice(Math.max(0, end - 3), end)) ? end + 3 : end;
}

/** Whether a result may begin at the index; quickly excludes move numbers, the most frequent words. */
export function mayBeResult(line: string, at: number, character: number): boolean {
  if (character === STAR || character === HALF) return true;
  if (character !== ONE && character !== ZERO) return false;
  const next = line.charCodeAt(at + 1);
  return (next !== DOT && !(next >= ZERO && next <= NINE)) || (character === ZERO && next === DOT);
}
