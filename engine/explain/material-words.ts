// Sentences about material.

import { BISHOP, BLACK, KNIGHT, PAWN, QUEEN, ROOK, WHITE } from '../board/types.js';
import { PIECES } from '../eval/axes.js';
import { sideName } from './ideas.js';
import type { Share } from './shares.js';
import { inWords, LEAST, men, nothing, plural, said, type Words } from './words.js';

/** Piece types, each with one side's surplus. */
type Surplus = readonly (readonly [type: number, count: number])[];

const TYPES = [QUEEN, ROOK, BISHOP, KNIGHT, PAWN];

const isSingle = (pieces: Surplus, ...of: number[]): boolean =>
  pieces.length === 1 && pieces[0][1] === 1 && of.includes(pieces[0][0]);
const isPawn = ([type]: Surplus[number]): boolean => type === PAWN;

function counted(pieces: Surplus): string {
  return inWords(pieces.map(([type, count]) => (count === 1 ? `a ${PIECES[type]}` : plural(count, PIECES[type]))));
}

/** Returns whether this side has two bishops and pawns, and the other side has fewer than two bishops. */
const hasPair = (side: Color): boolean => men(side, BISHOP) === 2 && men(side ^ 1, BISHOP) < 2 && men(side, PAWN) > 0;

/** Returns a sentence on the material balance. */
export function materialWords({ net }: Share): Words {
  const lead = TYPES.map((type) => [type, men(WHITE, type) - men(BLACK, type)] as const);
  const surplus = (sign: 1 | -1): Surplus =>
    lead.filter(([, count]) => sign * count > 0).map(([type, count]) => [type, sign * count]);
  const [white, black] = [surplus(1), surplus(-1)];
  if (white.length === 0 && black.length === 0) {
    if (Math.abs(net) < LEAST) return nothing;
    return said(`material is level, and ${sideName(net > 0 ? WHITE : BLACK)} has the bishop pair`);
  }
  const side: Color = white.length === 0 || (black.length > 0 && net < 0) ? BLACK : WHITE;
  const [extra, lost] = side === WHITE ? [white, black] : [black, white];
  const name = sideName(side);
  if (lost.length === 0) return said(`${name} is ${counted(extra)} up`);
  if (isSingle(extra, ROOK) && isSingle(lost, KNIGHT, BISHOP)) return said(`${name} is the exchange up`);
  return pairWords(side, extra, lost) ?? said(`${name} has ${counted(extra)} for ${counted(lost)}`);
}

/** Returns words for the bishop pair against bishop and knight, possibly with extra pawns on either side; otherwise null. */
function pairWords(side: Color, extra: Surplus, lost: Surplus): Words | null {
  const name = sideName(side);
  const [own, other] = [extra, lost].map((pieces) => pieces.filter((piece) => !isPawn(piece)));
  const [more, less] = [extra, lost].map((pieces) => pieces.filter(isPawn));
  if (hasPair(side) && isSingle(own, BISHOP) && isSingle(other, KNIGHT)) {
    const pawns = more.length > 0 ? ` and is ${counted(more)} up` : less.length > 0 ? ` for ${counted(less)}` : '';
    return said(`${name} has the bishop pair${pawns}`);
  }
  if (hasPair(side ^ 1) && isSingle(own, KNIGHT) && isSingle(other, BISHOP) && more.length > 0)
    return said(`${name} is ${counted(more)} up, but ${sideName(side ^ 1)} has the bishop pair`);
  return null;
}
