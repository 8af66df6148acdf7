// What an idea's share comes from, in plain words, with the squares that they name. The words speak of the position at the end of a line.

import { BISHOP, BLACK, type Color, KNIGHT, PAWN, QUEEN, ROOK, WHITE } from '../board/types.js';
import { PIECES } from '../eval/axes.js';
import { gamePhase } from '../eval/evaluate.js';
import { sideName } from './ideas.js';
import { passedWords, pawnWords } from './pawn-words.js';
import { attackWords, threatWords, withBest, withPieces } from './piece-words.js';
import type { Share } from './shares.js';
import { king, LEAST, listed, men, nothing, plural, type Words } from './words.js';

/** Centipawns: less is said of endgames that are rarely won. */
const KNOWN_WIN = 400;
/** Phase up to which a king belongs into the middle. */
const ENDGAME = 8;

/** Returns why an idea is worth something to the side that it favours; `total` is the evaluation from White's side. */
export function reasonOf(share: Share, total: number): Words {
  const { idea, net } = share;
  if (Math.abs(net) < LEAST && idea !== 'material') return nothing;
  const side: Color = net > 0 ? WHITE : BLACK;
  const other: Color = net > 0 ? BLACK : WHITE;
  const [winner, loser] = [sideName(side), sideName(other)];
  switch (idea) {
    case 'material':
      return materialWords(share);
    case 'placement':
      return withBest(share, side, `${winner}'s pieces are better placed`);
    case 'activity':
      return withPieces(share, side, `${winner}'s pieces have more squares to go to`);
    case 'kingAttack':
      return attackWords(share, side, `${winner} attacks the king on ${king(other)}`);
    case 'kingSafety':
      return kingWords(side, other);
    case 'pawns':
      return pawnWords(share, side, other);
    case 'passedPawns':
      return passedWords(share, side);
    case 'threats':
      return threatWords(share, side, winner, loser);
    case 'space':
      return { text: `${winner} has more room and holds more of the squares that both sides want`, squares: [] };
    case 'move':
      return { text: `${winner} is to move at the end of the line`, squares: [] };
    case 'winnable':
      return winnableWords(share);
    default:
      return knownWords(total);
  }
}

function kingWords(side: Color, other: Color): Words {
  const [own, theirs] = [king(side), king(other)];
  const text =
    gamePhase() <= ENDGAME
      ? `${sideName(side)}'s king on ${own} stands better than ${sideName(other)}'s on ${theirs}`
      : `${sideName(other)}'s king on ${theirs} is less sheltered than ${sideName(side)}'s on ${own}`;
  return { text, squares: [own, theirs] };
}

function winnableWords({ white, black }: Share): Words {
  const [leader, gain] = Math.abs(white) > Math.abs(black) ? [WHITE, white] : [BLACK, black];
  const name = sideName(leader);
  return {
    text: `with the remaining material, ${name}'s lead is ${gain > 0 ? 'easy' : 'hard'} to convert`,
    squares: [],
  };
}

function knownWords(total: number): Words {
  if (total === 0) return { text: 'this endgame is known to be a draw', squares: [] };
  const name = sideName(total > 0 ? WHITE : BLACK);
  const isWon = Math.abs(total) >= KNOWN_WIN;
  return { text: isWon ? `${name} is known to win this endgame` : 'such an endgame is rarely won', squares: [] };
}

function counted(pieces: readonly (readonly [number, number])[]): string {
  return listed(pieces.map(([type, count]) => (count === 1 ? `a ${PIECES[type]}` : plural(count, PIECES[type]))));
}

function materialWords({ net }: Share): Words {
  const types = [QUEEN, ROOK, BISHOP, KNIGHT, PAWN];
  const lead = types.map((type) => [type, men(WHITE, type) - men(BLACK, type)] as const);
  const [white, black] = [1, -1].map((sign) =>
    lead.filter(([, count]) => sign * count > 0).map(([type, count]) => [type, sign * count] as const),
  );
  if (white.length === 0 && black.length === 0) {
    if (Math.abs(net) < LEAST) return nothing;
    return { text: `material is level, and ${sideName(net > 0 ? WHITE : BLACK)} has the bishop pair`, squares: [] };
  }
  const side = white.length === 0 || (black.length > 0 && net < 0) ? BLACK : WHITE;
  const [extra, lost] = side === WHITE ? [white, black] : [black, white];
  const name = sideName(side);
  if (lost.length === 0) return { text: `${name} is ${counted(extra)} up`, squares: [] };
  const isSingle = (pieces: typeof extra, ...of: number[]): boolean =>
    pieces.length === 1 && pieces[0][1] === 1 && of.includes(pieces[0][0]);
  if (isSingle(extra, ROOK) && isSingle(lost, KNIGHT, BISHOP))
    return { text: `${name} is the exchange up`, squares: [] };
  if (Math.abs(net) < LEAST)
    return { text: `${name} has ${counted(extra)} for ${counted(lost)}, which is about level`, squares: [] };
  const hasPair = men(side, BISHOP) === 2 && men((side ^ 1) as Color, BISHOP) < 2 && men(side, PAWN) > 0;
  return {
    text: `${name} has ${counted(extra)} for ${counted(lost)}${hasPair ? ', and the bishop pair' : ''}`,
    squares: [],
  };
}
