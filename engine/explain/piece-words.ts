// Sentences on the activity of pieces: placement, mobility and attacks.

import { BISHOP, type Color, KNIGHT, QUEEN, ROOK, squareName } from '../board/types.js';
import { PIECES } from '../eval/axes.js';
import { sideName } from './ideas.js';
import type { Detail, Share } from './shares.js';
import { squaresCounted, squaresOf } from './squares.js';
import { heaviest, king, LEAST, listed, plural, type Words } from './words.js';

/** Returns the text with the pieces whose squares weigh most. */
export function withBest({ details }: Share, side: Color, text: string): Words {
  const best = heaviest(details, side)
    .map((detail) => ({ detail, squares: squaresCounted(detail) }))
    .filter(({ squares }) => squares.length > 0)
    .slice(0, 2);
  if (best.length === 0) return { text, squares: [] };
  const names = best.map(({ detail, squares }) => placed(detail, squares, side));
  return { text: `${text}: ${listed([...new Set(names)])}`, squares: best.flatMap(({ squares }) => squares) };
}

function placed({ term, cell, side: owner }: Detail, squares: readonly string[], side: Color): string {
  const where = listed(squares);
  const whose = owner === side ? '' : `${sideName(owner)}'s `;
  const article = (noun: string): string => (whose === '' ? `the ${noun}` : `${whose}${noun}`);
  if (term.name === 'psqt') {
    const piece = PIECES[Math.floor(cell / 64)];
    return owner === side ? `the ${piece} is well placed on ${where}` : `${whose}${piece} stands badly on ${where}`;
  }
  if (term.name === 'outpost') return `${article(`outpost on ${where}`)}`;
  if (term.name === 'rookFile') {
    const file = cell === 1 ? 'open' : 'half-open';
    return squares.length === 1
      ? `${article('rook')} on ${where} has ${cell === 1 ? 'an' : 'a'} ${file} file`
      : `${article('rooks')} on ${where} have ${file} files`;
  }
  return `${article(term.title)} on ${where}`;
}

const MOBILITY: Readonly<Record<string, number>> = {
  knightMobility: KNIGHT,
  bishopMobility: BISHOP,
  rookMobility: ROOK,
  rookFreedom: ROOK,
  queenMobility: QUEEN,
  queenFreedom: QUEEN,
};

/** Returns the text with the pieces that gain most. */
export function withPieces({ details }: Share, side: Color, text: string): Words {
  const byType = new Map<number, number>();
  for (const { term, side: owner, value } of details) {
    const type = MOBILITY[term.name];
    byType.set(type, (byType.get(type) ?? 0) + (owner === side ? value : -value));
  }
  const best = [...byType].filter(([, value]) => value >= LEAST).sort((a, b) => b[1] - a[1]);
  if (best.length === 0) return { text, squares: [] };
  const [[type]] = best;
  const own = squaresOf(side, type);
  const noun = own.length === 1 ? PIECES[type] : `${PIECES[type]}s`;
  if (own.length > 0) return { text: `${text}, above all the ${noun}`, squares: own.map(squareName) };
  return { text: `${text}: ${sideName((side ^ 1) as Color)}'s ${PIECES[type]} has few`, squares: [] };
}

/** Returns the text with what attacks the king. */
export function attackWords({ details }: Share, side: Color, text: string): Words {
  const own = details.filter(({ side: owner, count }) => owner === side && count > 0);
  const counts = (name: string): [number, number][] =>
    own.filter(({ term }) => term.name === name).map(({ cell, count }) => [cell, count]);
  const attackers = counts('dangerAttackers').map(([type, count]) =>
    count === 1 ? `the ${PIECES[1 + type]}` : plural(count, PIECES[1 + type]),
  );
  const checks = counts('dangerChecks').map(([cell]) => `the ${PIECES[1 + Math.floor(cell / 3)]}`);
  const weak = counts('dangerWeak').reduce((sum, [, count]) => sum + count, 0);
  const more = [
    ...(checks.length > 0 ? [`${listed(checks)} can give check safely`] : []),
    ...(weak > 1 ? [`${plural(weak, 'square')} beside it ${weak === 1 ? 'is' : 'are'} weak`] : []),
  ];
  const by = attackers.length === 0 ? '' : ` with ${listed(attackers)}`;
  return {
    text: `${text}${by}${more.length > 0 ? `; ${more.join(', and ')}` : ''}`,
    squares: [king((side ^ 1) as Color)],
  };
}

/** Returns what a side attacks. */
export function threatWords({ details }: Share, side: Color, winner: string, loser: string): Words {
  const own = details.filter(({ side: owner, value }) => owner === side && value > 0);
  const targets = new Map<string, string>();
  for (const detail of own.toSorted((a, b) => b.value - a.value)) {
    const { term, cell } = detail;
    const isHanging = term.name === 'hanging';
    if (!isHanging && term.name !== 'threat') continue;
    for (const square of squaresCounted(detail)) {
      const piece = PIECES[cell % 5];
      if (isHanging || !targets.has(square))
        targets.set(square, `the ${isHanging ? 'hanging ' : ''}${piece} on ${square}`);
    }
  }
  const best = [...targets].slice(0, 2);
  const pushes = own.some(({ term }) => term.name === 'pushThreat');
  if (best.length > 0)
    return {
      text: `${winner} attacks ${listed(best.map(([, text]) => text))}`,
      squares: best.map(([square]) => square),
    };
  if (pushes) return { text: `${winner} can attack ${loser}'s pieces with a pawn`, squares: [] };
  return { text: `${winner}'s threats weigh more than ${loser}'s`, squares: [] };
}
