// King safety: a side's attack on the other king as one danger sum, and the open lines towards its own king.

import { bishopAttacks, rookAttacks } from '../../board/bitboards/attacks.js';
import { hasSeveral, lowestSquare, popcount, withoutLowest } from '../../board/bitboards/bitboard.js';
import { BETWEEN, DIAGONALS, EMPTY, FULL, KNIGHT_ATTACKS, STRAIGHTS } from '../../board/bitboards/tables.js';
import { slidersToward } from '../../board/checks.js';
import { ALL_BLACK, ALL_WHITE, bb, kingSquare, state } from '../../board/position.js';
import { BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK } from '../../board/types.js';
import { FLANKS, RINGS } from '../masks.js';
import { SHELTER_DANGER, SHELTER_SIDE, shelterTable } from '../pawn-cache.js';
import { dangerScore } from '../score.js';
import * as T from '../terms.js';
import { dropDanger, weigh, weighDanger } from '../trace.js';
import { BY_ANY, BY_TWO, attackMap as map, ringAttackers, ringDanger, TRACING } from '../workspace.js';

/** Returns the packed score of a side's attack on the other king, given all attacks and shelters; `entry` is the pawn cache entry. */
export function scoreKingAttack(us: Color, entry: i32): i32 {
  const own = us << 3;
  const them = own ^ 8;
  const attackers = ringAttackers[us];
  const free = FULL ^ map[them | BY_ANY];

  // Squares that we attack and that they do not defend, or defend only once, by king or queen
  const weak = map[own | BY_ANY] & ~map[them | BY_TWO] & (free | map[them | KING] | map[them | QUEEN]);

  // Safe checks; unsafe ones count only if the ring is attacked
  const open = FULL ^ bb[ALL_WHITE | own];
  const safe = open & (free | (weak & map[own | BY_TWO]));
  const way = attackers === 0 ? safe : open;
  const king = kingSquare[us ^ 1];
  const occupied = bb[ALL_WHITE] | bb[ALL_BLACK];
  const knightChecks = map[own | KNIGHT] & KNIGHT_ATTACKS[king] & way;

  // Usually no slider attacks a square on the king's lines, so the slider attacks from the king's square need not be computed
  const bishops = map[own | BISHOP] & way;
  const rooks = map[own | ROOK] & way;
  const queens = map[own | QUEEN] & way;
  const oblique = ((bishops | queens) & DIAGONALS[king]) === EMPTY ? EMPTY : bishopAttacks(king, occupied);
  const straight = ((rooks | queens) & STRAIGHTS[king]) === EMPTY ? EMPTY : rookAttacks(king, occupied);
  const bishopChecks = oblique & bishops;
  const rookChecks = straight & rooks;
  const queenChecks = (oblique | straight) & queens;
  const checks = knightChecks | bishopChecks | rookChecks | queenChecks;
  if (attackers === 0 && checks === EMPTY) {
    if (TRACING) dropDanger(us);
    return 0;
  }

  const weakRing = popcount(weak & RINGS[king]);
  const queen = T.DANGER_QUEEN + (bb[own | QUEEN] === EMPTY ? 0 : 1);
  let danger = weighDanger(us, queen, 1) + weighDanger(us, T.DANGER_WEAK, weakRing) + ringDanger[us];
  if (knightChecks !== EMPTY) danger += checkDanger(us, KNIGHT, knightChecks & safe);
  if (bishopChecks !== EMPTY) danger += checkDanger(us, BISHOP, bishopChecks & safe);
  if (rookChecks !== EMPTY) danger += checkDanger(us, ROOK, rookChecks & safe);
  if (queenChecks !== EMPTY) danger += checkDanger(us, QUEEN, queenChecks & safe);
  danger += shelterTable[entry + SHELTER_SIDE * (us ^ 1) + SHELTER_DANGER];
  danger += flankDanger(us, king & 7) + pinDanger(us, king, occupied);
  if (state.stm === us) danger += weighDanger(us, T.DANGER_TO_MOVE, 1);
  return dangerScore(danger);
}

// Danger from a piece type that has checks; `safeChecks` is empty if all of them are unsafe
function checkDanger(us: Color, type: PieceType, safeChecks: u64): i32 {
  const squares = popcount(safeChecks);
  const at = type - KNIGHT;
  const checks =
    squares === 0 ? T.DANGER_UNSAFE_CHECKS + at : T.DANGER_CHECKS + 3 * at + (squares > 3 ? 2 : squares - 1);
  const toMove = squares !== 0 && state.stm === us ? weighDanger(us, T.DANGER_CHECKS_TO_MOVE + at, 1) : 0;
  return weighDanger(us, checks, 1) + toMove;
}

// The files around the other king, in its half of the board
function flankDanger(us: Color, file: i32): i32 {
  const own = us << 3;
  const flank = FLANKS[((us ^ 1) << 3) | file];
  const attacked = popcount(map[own | BY_ANY] & flank);
  const twice = popcount(map[own | BY_TWO] & flank);
  const held = popcount(map[(own ^ 8) | BY_ANY] & flank);
  return (
    weighDanger(us, T.DANGER_FLANK, attacked) +
    weighDanger(us, T.DANGER_FLANK + 1, twice) +
    weighDanger(us, T.DANGER_FLANK_HELD, held)
  );
}

// Single pieces between a slider and the other king
function pinDanger(us: Color, king: Square, occupied: u64): i32 {
  let danger = 0;
  for (let sliders = slidersToward(king, us); sliders !== EMPTY; sliders = withoutLowest(sliders)) {
    const shield = BETWEEN[(king << 6) | lowestSquare(sliders)] & occupied;
    if (shield === EMPTY || hasSeveral(shield)) continue;
    danger += weighDanger(us, T.DANGER_PINS + ((shield & bb[ALL_WHITE | (us << 3)]) === EMPTY ? 0 : 1), 1);
  }
  return danger;
}

/**
 * Returns the packed score of the open lines towards a side's king: the empty squares and enemy pieces that a queen in its place would
 * attack if only the side's own pieces and enemy pawns blocked its way.
 */
export function scoreKingLines(us: Color): i32 {
  const king = kingSquare[us];
  const blockers = bb[ALL_WHITE | (us << 3)] | bb[((us ^ 1) << 3) | PAWN];
  const lines = T.KING_LINES + popcount((bishopAttacks(king, blockers) | rookAttacks(king, blockers)) & ~blockers);
  return weigh(us, lines, 1);
}
