// The tapered evaluation. The call that scores a term also traces it, except for material and piece-square values.

import { beside, flip, lowBits, north, shiftUp, squareBoard } from '../board/bitboards/bitboard.js';
import { EMPTY, FILE_A, KING_ATTACKS, LOWER_HALF } from '../board/bitboards/tables.js';
import { keys, state } from '../board/position.js';
import { BLACK, WHITE } from '../board/types.js';
import { max, min } from '../kernel/primitives.js';
import { endgameValue } from './endgame/endgame.js';
import { scaleEndgame } from './endgame/scale.js';
import * as M from './masks.js';
import { PAWN_SCORE, pawnInts } from './pawn-cache.js';
import { scorePassed } from './pawns/passed.js';
import { findPawns, scoreSpace } from './pawns/pawns.js';
import { scoreShelters } from './pawns/shelter.js';
import { scoreKingAttack, scoreKingLines } from './pieces/king.js';
import { findArea, scoreFreedom, scorePieces, startAttacks } from './pieces/pieces.js';
import { scoreThreats } from './pieces/threats.js';
import { egOf, MAX_PHASE, mgOf, taper } from './score.js';
import { TEMPO } from './terms.js';
import { clearTrace, countPsqt, weigh } from './trace.js';
import { CACHE_ENTRIES, evaluationKeys, evaluationScores } from './weights-in-use.js';
import { TRACING } from './workspace.js';

/** Returns the packed score of the position, White minus Black. */
export function packedScore(): i32 {
  let score = state.psqtSum;
  if (TRACING) countPsqt();

  const us = state.stm;
  const tempo = weigh(us, TEMPO, 1);
  score += us === WHITE ? tempo : -tempo;

  const pawns = findPawns();
  score += pawnInts[2 * pawns + PAWN_SCORE];

  startAttacks(WHITE);
  startAttacks(BLACK);
  findArea(WHITE);
  findArea(BLACK);
  score += scorePieces(WHITE, pawns) - scorePieces(BLACK, pawns);
  score += scoreShelters(pawns);
  score += scoreKingAttack(WHITE, pawns) - scoreKingAttack(BLACK, pawns);
  score += scoreKingLines(WHITE) - scoreKingLines(BLACK);
  score += scoreThreats(WHITE) - scoreThreats(BLACK);
  score += scoreFreedom(WHITE) - scoreFreedom(BLACK);
  score += scoreSpace(WHITE, pawns) - scoreSpace(BLACK, pawns);
  score += scorePassed(WHITE, pawns) - scorePassed(BLACK, pawns);

  return scaleEndgame(score, pawns);
}

/** Limit of evaluations in centipawns, below mate scores. */
const EVALUATION_LIMIT = 30000;

/** Returns the static evaluation in centipawns for the side to move, from the weights or from endgame knowledge. */
export function evaluate(): i32 {
  const key = keys.position;
  const entry = lowBits(key) & (CACHE_ENTRIES - 1);
  if (evaluationKeys[entry] === key && !TRACING) return evaluationScores[entry];
  const packed = packedScore();
  const white = endgameValue(taper(mgOf(packed), egOf(packed), min(state.phase, MAX_PHASE)));
  const own = state.stm === WHITE ? white : 0 - white;
  const value = max(-EVALUATION_LIMIT, min(EVALUATION_LIMIT, own));
  evaluationKeys[entry] = key;
  evaluationScores[entry] = value;
  return value;
}

/** Clears the trace, evaluates into it, and returns the packed score, White minus Black. */
export function tracedScore(): i32 {
  clearTrace();
  return packedScore();
}

/** Fills the masks of kings (rings and flanks) and of pawns. */
export function fillEvaluationTables(): void {
  for (let file = 0; file < 8; file++) {
    const first = file < 3 ? 0 : file > 4 ? 4 : 2;
    for (let i = first; i < first + 4; i++) M.FLANKS[file] |= shiftUp(FILE_A, i) & LOWER_HALF;
    M.FLANKS[8 | file] = flip(M.FLANKS[file]);
  }
  for (let square = 0; square < 64; square++) {
    const centre = 8 * max(1, min(6, square >> 3)) + max(1, min(6, square & 7));
    M.RINGS[square] = KING_ATTACKS[centre] | squareBoard(centre);
    M.BESIDE[square] = beside(squareBoard(square));
    let ahead = EMPTY;
    for (let to = north(squareBoard(square)); to !== EMPTY; to = north(to)) ahead |= to;
    M.FORWARD[square] = ahead;
    M.FORWARD[64 | (square ^ 56)] = flip(ahead);
    M.PASSAGE[square] = ahead | beside(ahead);
    M.NEIGHBOURS[square] = beside(shiftUp(FILE_A, square & 7));
    M.HELPERS[square] = M.NEIGHBOURS[square] & ~beside(ahead);
  }
}
