// Sentences on the activity of pieces: placement, mobility and attacks.

import { BISHOP, KNIGHT, PAWN, QUEEN, ROOK, squareName, WHITE } from '../board/types.js';
import { PIECES } from '../eval/axes.js';
import { gamePhase } from '../eval/kernel.js';
import { sideName } from './ideas.js';
import type { Detail, Share } from './shares.js';
import { squaresCounted, squaresOf } from './squares.js';
import { ENDGAME, heaviest, inWords, king, LEAST, nothing, plural, said, valueFor, type Words } from './words.js';

/** Maximum number of details or attacked pieces in a sentence. */
const MOST = 2;
const SQUARES = 64;
/** Initial squares by piece type, as seen from the owner's side. */
const HOMES: Readonly<Record<number, readonly number[]>> = { [KNIGHT]: [1, 6], [BISHOP]: [2, 5], [ROOK]: [0, 7] };

/** Types of a side's pieces except king and pawns. */
const piecesOf = (side: Color): number[] =>
  [KNIGHT, BISHOP, ROOK, QUEEN].flatMap((type) => squaresOf(side, type).map(() => type));

/** Words for the quality of a side's pieces, alone and compared with the other side's. */
interface Quality {
  good: string;
  bad: string;
  better: string;
}

const PLACEMENT: Quality = { good: 'well placed', bad: 'badly placed', better: 'better placed' };
const ACTIVITY: Quality = { good: 'mobile', bad: 'not very mobile', better: 'more mobile' };

/** Returns a sentence that compares the pieces of both sides, or describes the pieces of the only side that has any. */
function compared(side: Color, { good, bad, better }: Quality): string {
  const [own, other] = [piecesOf(side), piecesOf(side ^ 1)];
  const [owner, pieces] = own.length === 0 ? [side ^ 1, other] : [side, own];
  const subject = `${sideName(owner)}'s ${pieces.length === 1 ? `${PIECES[pieces[0]]} is` : 'pieces are'}`;
  if (own.length === 0) return `${subject} ${bad}`;
  return `${subject} ${other.length === 0 ? good : better}`;
}

/** Returns a sentence on placement: the best pieces of the better side, and badly placed ones of the other. */
export function placementWords({ details }: Share, side: Color): Words {
  const text = compared(side, PLACEMENT);
  const named = new Set<string>();
  const own: [Detail, string[]][] = [];
  const other: Detail[] = [];
  for (const detail of heaviest(details, side)) {
    const squares = squaresCounted(detail);
    if (own.length + other.length === MOST || squares.length === 0 || squares.some((square) => named.has(square)))
      continue;
    if (detail.side === side) own.push([detail, squares]);
    else if (detail.term.name === 'psqt') other.push(detail);
    else continue;
    for (const square of squares) named.add(square);
  }
  const good = bestPlaced(own);
  const parts = [inWords(good), badlyPlaced(other)].filter(Boolean);
  if (parts.length === 0) return said(text);
  const words = parts.join(', while ');
  // A side's only piece is named once
  if (piecesOf(side).length === 1 && good.length === 1)
    return said(`${sideName(side)}'s ${words.slice('the '.length)}`, [...named]);
  return said(`${text}: ${words}`, [...named]);
}

// Two pieces of one kind share a clause
function bestPlaced(details: readonly [Detail, string[]][]): string[] {
  const [kind, otherKind] = details.map(([{ term, cell }]) => (term.name === 'psqt' ? Math.floor(cell / SQUARES) : -1));
  if (details.length < MOST || kind !== otherKind || kind < 0)
    return details.map(([detail, squares]) => wellPlaced(detail, squares));
  const [[first, one], [, two]] = details;
  return [wellPlaced(first, [...one, ...two])];
}

function wellPlaced({ term, cell, side }: Detail, squares: readonly string[]): string {
  const where = inWords(squares);
  const isOne = squares.length === 1;
  const is = isOne ? 'is' : 'are';
  const the = (type: number): string => `the ${PIECES[type]}${isOne ? '' : 's'}`;
  switch (term.name) {
    case 'psqt':
      return `${the(Math.floor(cell / SQUARES))} ${is} well placed on ${where}`;
    case 'outpost':
      return `${the(KNIGHT + Math.floor(cell / 2))} ${is} on the outpost${isOne ? '' : 's'} ${where}`;
    case 'rookSeventh':
      return `${the(ROOK)} on ${where} ${is} on the ${side === WHITE ? 'seventh' : 'second'} rank`;
    case 'rookFile': {
      const file = `${cell === 1 ? 'open' : 'half-open'} file`;
      return `${the(ROOK)} on ${where} ${isOne ? `has ${cell === 1 ? 'an' : 'a'} ${file}` : `have ${file}s`}`;
    }
    default:
      return `the ${term.title} is on ${where}`;
  }
}

// There are at most two details, all of one side
function badlyPlaced(details: readonly Detail[]): string {
  const [first, second] = details.map((detail) => {
    const type = Math.floor(detail.cell / SQUARES);
    const isHome = gamePhase() > ENDGAME && HOMES[type]?.includes(detail.cell % SQUARES);
    return { piece: PIECES[type], how: isHome ? 'still' : 'badly placed', square: squaresCounted(detail)[0] };
  });
  if (first === undefined) return '';
  const { piece, how, square } = first;
  const whose = `${sideName(details[0].side)}'s ${piece}`;
  if (second === undefined) return `${whose} is ${how} on ${square}`;
  const both = piece === second.piece ? `${whose}s` : `${whose} and ${second.piece}`;
  if (how === second.how) return `${both} are ${how} on ${square} and ${second.square}`;
  return `${whose} is ${how} on ${square} and the ${second.piece} ${second.how} on ${second.square}`;
}

const MOBILITY: Readonly<Record<string, number>> = {
  knightMobility: KNIGHT,
  bishopMobility: BISHOP,
  rookMobility: ROOK,
  rookFreedom: ROOK,
  queenMobility: QUEEN,
  queenFreedom: QUEEN,
};

/** Returns a sentence on mobility. */
export function activityWords({ details }: Share, side: Color): Words {
  const text = compared(side, ACTIVITY);
  const byType = new Map<number, number>();
  for (const detail of details) {
    const type = MOBILITY[detail.term.name];
    byType.set(type, (byType.get(type) ?? 0) + valueFor(side, detail));
  }
  const best = [...byType].filter(([, value]) => value >= LEAST).sort((a, b) => b[1] - a[1]);
  if (best.length === 0) return said(text);
  const [[type]] = best;
  const own = squaresOf(side, type);
  const squares = own.map(squareName);
  if (own.length > 0 && piecesOf(side).length === 1) return said(text, squares);
  const noun = own.length === 1 ? PIECES[type] : `${PIECES[type]}s`;
  if (own.length > 0) return said(`${text}, especially the ${noun}`, squares);
  const isOne = squaresOf(side ^ 1, type).length === 1;
  const others = isOne ? `${PIECES[type]} has` : `${PIECES[type]}s have`;
  return said(`${text}: ${sideName(side ^ 1)}'s ${others} few squares`);
}

/** Returns a sentence on the attack on the enemy king, or nothing if the attacker has neither a queen nor two other pieces. */
export function attackWords({ details }: Share, side: Color): Words {
  const pieces = piecesOf(side);
  if (pieces.length < 2 && !pieces.includes(QUEEN)) return nothing;
  const own = details.filter(({ side: owner, count }) => owner === side && count > 0);
  const counts = (name: string): [number, number][] =>
    own.filter(({ term }) => term.name === name).map(({ cell, count }) => [cell, count]);
  const attackers = counts('dangerAttackers').map(([type, count]) =>
    count === 1 ? `the ${PIECES[1 + type]}` : plural(count, PIECES[1 + type]),
  );
  const checks = counts('dangerChecks').map(([cell]) => `the ${PIECES[1 + Math.floor(cell / 3)]}`);
  const weak = counts('dangerWeak').reduce((sum, [, count]) => sum + count, 0);
  const square = king(side ^ 1);
  const squares = [square];
  const target = `${sideName(side ^ 1)}'s king on ${square}`;
  if (attackers.length === 0) {
    if (checks.length === 0) return said(`${target} is exposed`, squares);
    return said(`${target} is exposed to checks by ${inWords(checks)}`, squares);
  }
  const more = [
    ...(checks.length > 0 ? [`${inWords(checks)} can give check safely`] : []),
    ...(weak > 1 ? [`${plural(weak, 'square')} around the king are weak`] : []),
  ];
  const text = `${sideName(side)} attacks the king on ${square} with ${inWords(attackers)}`;
  return said(`${text}${more.length > 0 ? `; ${more.join(', and ')}` : ''}`, squares);
}

/** An attacked piece, the kind of attack, and its square. */
interface Target {
  type: number;
  isHanging: boolean;
  byPawn: boolean;
  square: string;
}

/** Returns a sentence on threats. */
export function threatWords({ details }: Share, side: Color): Words {
  const [winner, loser] = [sideName(side), sideName(side ^ 1)];
  const own = details.filter(({ side: owner, value }) => owner === side && value > 0);
  const isByPawn = ({ term, cell, side: owner }: Detail): boolean =>
    owner === side && term.name === 'threat' && Math.floor(cell / 10) === PAWN;
  const byPawn = new Set(details.filter(isByPawn).flatMap(squaresCounted));
  const targets = new Map<string, Target>();
  for (const detail of own.toSorted((a, b) => b.value - a.value)) {
    const { term, cell } = detail;
    if (term.name !== 'hanging' && term.name !== 'threat') continue;
    for (const square of squaresCounted(detail)) {
      const target = targets.get(square) ?? { type: cell % 5, isHanging: false, byPawn: byPawn.has(square), square };
      if (term.name === 'hanging') target.isHanging = true;
      targets.set(square, target);
    }
  }
  const best = [...targets.values()].slice(0, MOST);
  if (best.length > 0)
    return said(
      `${winner} attacks ${targetWords(best)}`,
      best.map(({ square }) => square),
    );
  if (own.some(({ term }) => term.name === 'pushThreat'))
    return said(`${winner} can attack ${loser}'s pieces with a pawn`);
  return said(`${winner}'s threats outweigh ${loser}'s`);
}

function targetWords(targets: readonly Target[]): string {
  const [first, second] = targets;
  const nounOf = ({ type, isHanging }: Target): string => `${isHanging ? 'undefended ' : ''}${PIECES[type]}`;
  const isAlike = second !== undefined && nounOf(first) === nounOf(second) && first.byPawn === second.byPawn;
  if (isAlike)
    return `the ${nounOf(first)}s on ${first.square} and ${second.square}${first.byPawn ? ' with pawns' : ''}`;
  return targets
    .map((target) => `the ${nounOf(target)} on ${target.square}${target.byPawn ? ' with a pawn' : ''}`)
    .join(targets[0].byPawn ? ', and ' : ' and ');
}
