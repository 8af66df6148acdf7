// Sentences that explain an idea's share of the evaluation at the end of a line and name the squares to which they refer.

import { distance } from '../board/bitboards/attacks.js';
import { kingSquare } from '../board/position.js';
import { BISHOP, BLACK, PAWN, QUEEN, squareName, WHITE } from '../board/types.js';
import { gamePhase } from '../eval/kernel.js';
import { type Idea, sideName } from './ideas.js';
import { materialWords } from './material-words.js';
import { passedWords, pawnWords } from './pawn-words.js';
import { activityWords, attackWords, placementWords, threatWords } from './piece-words.js';
import type { Share } from './shares.js';
import { squaresOf } from './squares.js';
import { ENDGAME, king, LEAST, men, nothing, said, totalFor, type Words } from './words.js';

/** Minimum evaluation of a known win, in centipawns; a smaller one means an endgame that is rarely won. */
const KNOWN_WIN = 400;

const REASONS: Readonly<Record<Idea, (share: Share, side: Color, total: number) => Words>> = {
  material: materialWords,
  placement: placementWords,
  activity: activityWords,
  kingAttack: attackWords,
  kingSafety: (_, side) => kingWords(side, side ^ 1),
  pawns: pawnWords,
  passedPawns: passedWords,
  threats: threatWords,
  space: spaceWords,
  move: (_, side) => said(`${sideName(side)} is to move at the end of the line`),
  winnable: winnableWords,
  known: (_, __, total) => knownWords(total),
};

/**
 * Returns the words about an idea and the side that it favours, or nothing for a small share; `total` is the evaluation in centipawns from
 * White's side.
 */
export function reasonOf(share: Share, total: number): Words {
  const { idea, net } = share;
  if (Math.abs(net) < LEAST && idea !== 'material') return nothing;
  return REASONS[idea](share, net > 0 ? WHITE : BLACK, total);
}

function kingWords(side: Color, other: Color): Words {
  const [own, theirs] = [king(side), king(other)];
  const squares = [own, theirs];
  const [name, their] = [sideName(side), sideName(other)];
  if (gamePhase() > ENDGAME)
    return said(`${their}'s king on ${theirs} is less sheltered than ${name}'s on ${own}`, squares);
  const quality =
    men(side, QUEEN) > 0
      ? 'safer'
      : distanceToPawns(side) < distanceToPawns(other)
        ? 'nearer to the pawns'
        : 'better placed';
  return said(`${name}'s king on ${own} is ${quality} than ${their}'s on ${theirs}`, squares);
}

/** Returns the sum of the king's distances to all pawns. */
function distanceToPawns(side: Color): number {
  const square = kingSquare[side];
  const pawns = [...squaresOf(WHITE, PAWN), ...squaresOf(BLACK, PAWN)];
  return pawns.reduce((sum, pawn) => sum + distance(pawn, square), 0);
}

function spaceWords({ details }: Share, side: Color): Words {
  const room = totalFor(details, side, ({ name }) => name === 'space');
  const what = 2 * room > totalFor(details, side) ? 'has more space' : 'controls more of the contested squares';
  return said(`${sideName(side)} ${what}`);
}

const isLight = (square: number): boolean => ((square >> 3) + square) % 2 === 1;

function winnableWords({ white, black }: Share): Words {
  const [leader, gain] = Math.abs(white) > Math.abs(black) ? [WHITE, white] : [BLACK, black];
  const lead = `${sideName(leader)}'s lead`;
  if (gain > 0) return said(`the remaining material makes ${lead} easier to convert`);
  const [own, other] = [squaresOf(WHITE, BISHOP), squaresOf(BLACK, BISHOP)];
  if (own.length === 1 && other.length === 1 && isLight(own[0]) !== isLight(other[0]))
    return said(`bishops of opposite colours make ${lead} hard to convert`, [...own, ...other].map(squareName));
  return said(`${lead} is hard to convert with the remaining material`);
}

function knownWords(total: number): Words {
  if (total === 0) return said('this endgame is known to be a draw');
  const name = sideName(total > 0 ? WHITE : BLACK);
  const isWon = Math.abs(total) >= KNOWN_WIN;
  return said(isWon ? `this endgame is a known win for ${name}` : 'this endgame is rarely won');
}
