// Passed pawns: rank, blockers, path, support and distance of the kings.

import { distance } from '../../board/bitboards/attacks.js';
import { hasSquare, lowestSquare, withoutLowest } from '../../board/bitboards/bitboard.js';
import { EMPTY } from '../../board/bitboards/tables.js';
import { officers } from '../../board/placement.js';
import { ALL_BLACK, ALL_WHITE, bb, board, kingSquare, state } from '../../board/position.js';
import { KNIGHT, NO_PIECE, PAWN, ROOK, WHITE } from '../../board/types.js';
import { FORWARD } from '../masks.js';
import { PASSED, pawnTable } from '../pawn-cache.js';
import * as T from '../terms.js';
import { weigh } from '../trace.js';
import { BY_ANY, attackMap as map } from '../workspace.js';

/** Returns the packed score of a side's passed pawns. `entry` is the pawn cache entry, and the attack maps must be complete. */
export function scorePassed(us: Color, entry: i32): i32 {
  const passed = pawnTable[entry + PASSED + us];
  if (passed === EMPTY) return 0;
  const own = us << 3;
  const them = own ^ 8;
  const occupied = bb[ALL_WHITE] | bb[ALL_BLACK];
  const isRace = officers(us ^ 1) === EMPTY;
  let score = 0;
  for (let rest = passed; rest !== EMPTY; rest = withoutLowest(rest)) {
    const square = lowestSquare(rest);
    const rank = us === WHITE ? square >> 3 : 7 - (square >> 3);
    const stop = us === WHITE ? square + 8 : square - 8;
    const isAttacked = hasSquare(map[them | BY_ANY], stop);
    const blocker = board[stop];

    score += weigh(us, T.PASSED_PAWN + (blocker === NO_PIECE ? 0 : 16) + (isAttacked ? 8 : 0) + rank, 1);

    if (state.stm === us) score += weigh(us, T.PASSED_TO_MOVE + rank, 1);

    if (blocker !== NO_PIECE && blocker >> 3 !== us && (blocker & 7) !== PAWN) {
      score += weigh(us, T.PASSED_BLOCKER + (blocker & 7) - KNIGHT, 1);
    }

    if (hasSquare(map[own | BY_ANY], stop)) score += weigh(us, T.PASSED_SUPPORT + rank, 1);

    const path = FORWARD[(us << 6) | square];
    const isFree = (path & occupied) === EMPTY;
    if (isFree && (path & map[them | BY_ANY]) === EMPTY) score += weigh(us, T.PASSED_PATH + rank, 1);

    const back = FORWARD[((us ^ 1) << 6) | square];
    if ((back & bb[own | ROOK]) !== EMPTY) score += weigh(us, T.PASSED_ROOK, 1);
    if ((back & bb[them | ROOK]) !== EMPTY) score += weigh(us, T.PASSED_ROOK + 1, 1);

    const stage = rank <= 3 ? 0 : rank === 4 ? 8 : 16;
    score += weigh(us, T.PASSED_OWN_KING + stage + distance(kingSquare[us], stop), 1);
    score += weigh(us, T.PASSED_THEIR_KING + stage + distance(kingSquare[us ^ 1], stop), 1);

    if (isRace && isFree) {
      // The rule of the square; a pawn on its second rank saves a move by its double step
      const promotion = us === WHITE ? 56 | (square & 7) : square & 7;
      const moves = rank === 1 ? 5 : 7 - rank;
      const ahead = state.stm === us ? 0 : 1;
      if (distance(kingSquare[us ^ 1], promotion) - ahead > moves) score += weigh(us, T.PASSED_UNSTOPPABLE, 1);
    }
  }
  return score | 0;
}
