// Sentences about pawn structure and passed pawns.

import { sideName } from './ideas.js';
import type { Share } from './shares.js';
import { squaresCounted } from './squares.js';
import { inWords, LEAST, said, totalFor, type Words } from './words.js';

const WEAKNESS: Readonly<Record<string, string>> = {
  pawnIsolated: 'isolated',
  pawnStacked: 'doubled',
  pawnDoubled: 'doubled',
  pawnBackward: 'backward',
};

/** Returns a sentence on the better pawns of `side`, with the other side's weak pawns. */
export function pawnWords({ details }: Share, side: Color): Words {
  const other = side ^ 1;
  const kinds = new Map<string, { count: number; squares: string[] }>();
  for (const detail of details) {
    const kind = WEAKNESS[detail.term.name];
    if (kind === undefined || detail.side !== other || detail.count <= 0) continue;
    const known = kinds.get(kind) ?? { count: 0, squares: [] };
    const squares = [...new Set([...known.squares, ...squaresCounted(detail)])];
    // A pawn directly behind another counts as stacked and as doubled
    const count = kind === 'doubled' ? Math.max(known.count, detail.count, squares.length) : known.count + detail.count;
    kinds.set(kind, { count, squares });
  }
  const text = `${sideName(side)}'s pawns are better`;
  const weak = [...kinds].map(([kind, { count, squares }]) => {
    const where = squares.length === count ? ` on ${inWords(squares)}` : '';
    if (count > 1) return `${kind} pawns${where}`;
    return `${kind === 'isolated' ? 'an' : 'a'} ${kind} pawn${where}`;
  });
  if (weak.length === 0) return said(`${text}${strengthOf(details, side)}`);
  return said(
    `${text}: ${sideName(other)} has ${inWords(weak)}`,
    [...kinds.values()].flatMap(({ squares }) => squares),
  );
}

/** Groups of terms with their wording. The group with the largest gain for the side is used. */
const STRENGTHS: readonly (readonly [readonly string[], string])[] = [
  [['pawnPhalanx', 'pawnSupported'], ': they support each other'],
  [['pawnCandidate'], ': one of them can become a passed pawn'],
  [['psqt', ...Object.keys(WEAKNESS)], ''],
];

function strengthOf(details: Share['details'], side: Color): string {
  const gains = STRENGTHS.map(([names]) => totalFor(details, side, ({ name }) => names.includes(name)));
  const most = Math.max(...gains);
  return most < LEAST ? '' : STRENGTHS[gains.indexOf(most)][1];
}

/** Returns a sentence on passed pawns. */
export function passedWords({ details }: Share, side: Color): Words {
  const squares = (owner: Color): string[] => [
    ...new Set(
      details
        .filter(({ side: its, term }) => its === owner && (term.name === 'passedPawn' || term.name === 'passedFile'))
        .flatMap(squaresCounted),
    ),
  ];
  const [own, others] = [squares(side), squares(side ^ 1)];
  const name = sideName(side);
  const count = (pawns: readonly string[]): string =>
    `passed pawn${pawns.length === 1 ? '' : 's'} on ${inWords(pawns)}`;
  if (own.length === 0) {
    const loser = sideName(side ^ 1);
    if (others.length === 0) return said(`${name} gains more from passed pawns`);
    return said(`${name} restrains ${loser}'s ${count(others)}`, others);
  }
  const isFree = details.some(({ side: its, term }) => its === side && term.name === 'passedUnstoppable');
  const against = others.length === 0 ? '' : `, against ${sideName(side ^ 1)}'s on ${inWords(others)}`;
  return said(
    `${name} has ${own.length === 1 ? 'a ' : ''}${count(own)}${isFree ? ' that nothing can stop' : ''}${against}`,
    [...own, ...others],
  );
}
