// The parts of a game's card: board, score graph, recent moves.

import type { BoardView } from '../views.js';
import { element, shape } from './elements.js';

/** Returns the squares, the last move's marked, with the pieces that page.html draws. Eight squares are 360 wide. */
export function squaresOf({ fen, last }: BoardView): SVGElement[] {
  let shade = '';
  for (let square = 0; square < 64; square++) {
    const [file, rank] = [square & 7, square >> 3];
    if ((file + rank) % 2 === 0) shade += `M${45 * file} ${315 - 45 * rank}h45v45h-45z`;
  }
  const marks = (last ?? []).map((square) =>
    shape('rect', { class: 'mark', x: 45 * (square & 7), y: 315 - 45 * (square >> 3), width: 45, height: 45 }),
  );
  return [
    shape('rect', { class: 'light', width: 360, height: 360 }),
    shape('path', { class: 'dark', d: shade }),
    ...marks,
    ...piecesOf(fen.split(' ')[0]),
  ];
}

/** Returns the graph of the scores: White's winning above the line, Black's below; a pawn is a third of the way. */
export function scoreGraph(scores: BoardView['scores']): SVGElement[] {
  const step = 300 / Math.max(80, scores.length);
  let [white, black] = ['', ''];
  scores.forEach((score, i) => {
    if (score === null) return;
    const size = 22 * (2 / (1 + Math.exp(-score / 150)) - 1);
    const cell = (from: number, to: number): string =>
      `M${(i * step).toFixed(2)} ${from.toFixed(1)}h${step.toFixed(2)}V${to.toFixed(1)}h-${step.toFixed(2)}z`;
    if (size > 0) white += cell(23 - size, 23);
    else black += cell(23, 23 - size);
  });
  return [
    shape('line', { class: 'grid', x1: 0, x2: 300, y1: 23, y2: 23 }),
    shape('path', { class: 'white', d: white || 'M0 0' }),
    shape('path', { class: 'black', d: black || 'M0 0' }),
  ];
}

/** Returns the last eight moves of both, numbered. */
export function moveList({ moves, firstPly }: BoardView): HTMLElement {
  const from = Math.max(0, moves.length - 16);
  const words = moves.slice(from).map((move, i) => {
    // Castling is not to be broken at its hyphens
    const san = move.replaceAll('-', '\u2011');
    const ply = firstPly + from + i;
    if (ply % 2 === 0) return `${ply / 2 + 1}. ${san}`;
    return i === 0 ? `${(ply + 1) / 2}… ${san}` : san;
  });
  const latest = words.pop() ?? '';
  return element('div', {}, `${words.join(' ')} `, element('b', { class: 'latest' }, latest));
}

function piecesOf(placement: string): SVGElement[] {
  return placement.split('/').flatMap((row, y) => {
    const pieces: SVGElement[] = [];
    let x = 0;
    for (const letter of row) {
      if (letter >= '1' && letter <= '8') {
        x += Number(letter);
        continue;
      }
      const colour = letter === letter.toUpperCase() ? 'white' : 'black';
      const square = { x: 45 * x++, y: 45 * y, width: 45, height: 45 };
      pieces.push(shape('use', { href: `#piece-${letter.toLowerCase()}`, class: colour, ...square }));
    }
    return pieces;
  });
}
