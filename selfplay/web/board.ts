// A chess position as SVG, drawn here or by the script of a page. The pieces are outlines, because not every system has a font with chess
// symbols.

import { entities } from './html.js';

/** Outlines on a square of 45 units, the same for both colours. */
const OUTLINES: Readonly<Record<string, string>> = {
  p: 'M22.5 10a5 5 0 0 0-3.6 8.5c-2.4 1.3-4 3.5-4 6 0 2 1 3.8 2.5 5C13.5 31.5 12 34.5 12 38h21c0-3.5-1.5-6.5-5.4-8.5 1.5-1.2 2.5-3 2.5-5 0-2.5-1.6-4.7-4-6A5 5 0 0 0 22.5 10z',
  n: 'M14 38c0-7 6-10 6-15-2 1.5-4 1.5-6 3.5-2 2-5.5 1-5.5-1.5C9 20 13 16 14 11l2-4 3 3c9-.5 15 6 15 16v12z',
  b: 'M22.5 6a2.5 2.5 0 0 0-1.6 4.4C16 13.5 13 18 13 22.5c0 3 1.5 5.5 4 7.5l-1 3.5c-3 .5-5.5 1.5-7 4.5h27c-1.5-3-4-4-7-4.5L28 30c2.5-2 4-4.5 4-7.5 0-4.5-3-9-7.9-12.1A2.5 2.5 0 0 0 22.5 6z',
  r: 'M11 38v-4h3l1.5-15L12 16V8h5v3h3V8h5v3h3V8h5v8l-3.5 3L31 34h3v4z',
  q: 'M10 38v-3.5l3-3L8 15.5l6.5 7L16 10l4.8 11.5L22.5 8l1.7 13.5L29 10l1.5 12.5 6.5-7-5 16 3 3V38z',
  k: 'M21 5h3v3.5h3.5v3H24v4c2-2.5 5-4 8-4 4 0 6.5 3 6.5 7 0 5-4.5 8.5-6.5 13V38H13v-6.5c-2-4.5-6.5-8-6.5-13 0-4 2.5-7 6.5-7 3 0 6 1.5 8 4v-4h-3.5v-3H21z',
};

// The next two functions are also embedded in scripts, so they use only their arguments

/** Returns the letters of a FEN's board field, from a8 to h1, with blanks for empty squares. */
function squaresOf(board: string): string[] {
  return [...board.replace(/\d/g, (digit) => ' '.repeat(Number(digit))).replaceAll('/', '')];
}

/** Returns the squares as SVG, with White at the bottom and some of them marked; square 0 is a8. */
function drawSquares(
  squares: readonly string[],
  isMarked: (letter: string, square: number) => boolean,
  outlines: Readonly<Record<string, string>>,
): string {
  const parts = squares.map((letter, square) => {
    const [file, rank] = [square % 8, square >> 3];
    const at = `transform="translate(${45 * file} ${45 * rank})"`;
    const fill = isMarked(letter, square) ? 'mark' : (file + rank) % 2 === 0 ? 'light' : 'dark';
    const ground = `<rect ${at} width="45" height="45" fill="var(--${fill})"/>`;
    if (letter === ' ') return ground;
    const colors = letter < 'a' ? 'fill="#fff" stroke="#222"' : 'fill="#222" stroke="#f4f4f4"';
    const shape = `d="${outlines[letter.toLowerCase()]}" stroke-width="1.6" stroke-linejoin="round"`;
    return `${ground}<path ${shape} ${at} ${colors}/>`;
  });
  return parts.join('');
}

/** Returns the position of a FEN as SVG, with White at the bottom and some squares marked; `square` is 0 for a1. */
export function diagram(fen: string, isMarked: (letter: string, square: number) => boolean): string {
  const squares = squaresOf(fen.split(' ', 1)[0]);
  const drawn = drawSquares(squares, (letter, square) => isMarked(letter, square ^ 56), OUTLINES);
  const label = entities(fen);
  return `<svg role="img" aria-label="${label}" viewBox="0 0 360 360" class="diagram"><title>${label}</title>${drawn}</svg>`;
}

/** Script that defines drawn(), which draws the board field of a FEN and marks squares that differ from the previous position. */
export const BOARD_SCRIPT = `
const OUTLINES = ${JSON.stringify(OUTLINES)};
const squaresOf = ${squaresOf};
const drawSquares = ${drawSquares};
const drawn = (board, before = board) => {
  const old = squaresOf(before);
  const squares = drawSquares(squaresOf(board), (letter, square) => letter !== old[square], OUTLINES);
  return '<svg viewBox="0 0 360 360" class="diagram" role="img">' + squares + '</svg>';
};
`;
