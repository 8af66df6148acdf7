// Features of a position that an evaluation may or may not know, counted White minus Black straight from the board. The
// tuner tests each against what the evaluation left unexplained (see sight.ts), before anyone writes it into the engine. They
// are the field's usual terms in their plainest form: signs of what is missing, not definitions of new terms.

import { board } from '../../engine/board/position.js';

/** What each feature counts. */
export const KNOWLEDGE = [
  'bishop pair',
  'doubled pawns',
  'isolated pawns',
  'pawns side by side or defended',
  'passed pawns',
  'passed pawns on ranks 5 to 7',
  'passed pawns with a piece in front',
  'pawns attacking pieces',
  'knight mobility',
  'bishop mobility',
  'rook mobility',
  'queen mobility',
  'rooks on open files',
  'rooks on half-open files',
  'rooks on the seventh rank',
  'knights on outposts',
  'bishops hemmed in by own pawns',
  'pawns sheltering the king',
  'king on an open or half-open file',
  'attacks on squares around the king',
  'pieces attacked by cheaper ones',
  'undefended pieces under attack',
  'knights, by number of pawns',
  'rooks, by number of pawns',
  'ahead without pawns',
  'ahead with opposite bishops',
] as const;

const [PAIR, DOUBLED, ISOLATED, LINKED, PASSED, ADVANCED, BLOCKED, PAWN_THREAT, MOBILITY] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const [OPEN_ROOK, HALF_OPEN_ROOK, SEVENTH, OUTPOST, BAD_BISHOP, SHELTER, OPEN_KING, ZONE, CHEAPER, LOOSE] = [
  12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
];
const [KNIGHT_PAWNS, ROOK_PAWNS, PAWNLESS, OPPOSITE] = [22, 23, 24, 25];

const [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING] = [0, 1, 2, 3, 4, 5];
const WORTH = [1, 3, 3, 5, 9, 100];
const STRAIGHT = [1, -1, 16, -16];
const OBLIQUE = [15, 17, -15, -17];
const LEAPS = [14, 18, 31, 33, -14, -18, -31, -33];
const STEPS: readonly (readonly number[])[] = [
  [],
  LEAPS,
  OBLIQUE,
  STRAIGHT,
  [...STRAIGHT, ...OBLIQUE],
  [...STRAIGHT, ...OBLIQUE],
];

/** Attacks by square for one side: how many, and by what the cheapest. */
interface Attacks {
  count: Uint8Array;
  cheapest: Uint8Array;
}

const SIDES: readonly Attacks[] = [0, 1].map(() => ({ count: new Uint8Array(64), cheapest: new Uint8Array(64) }));
const mobility = new Int32Array(6);
const pawns = [new Uint8Array(8), new Uint8Array(8)];

/** Fills `counts` with every feature of the engine's present position, White minus Black; `evaluation` is White's (cp). */
export function countKnowledge(counts: Float64Array, evaluation: number): void {
  counts.fill(0);
  for (const side of SIDES) {
    side.count.fill(0);
    side.cheapest.fill(255);
  }
  for (const files of pawns) files.fill(0);
  for (let square = 0; square < 64; square++) {
    if (typeOf(square) === PAWN) pawns[colorOf(square)][square & 7]++;
  }
  mobility.fill(0);
  for (let square = 0; square < 64; square++) if (typeOf(square) <= KING) walk(square);
  for (let type = KNIGHT; type <= QUEEN; type++) counts[MOBILITY + type - KNIGHT] = mobility[type];
  for (let square = 0; square < 64; square++) {
    if (typeOf(square) <= KING) countPiece(counts, square);
  }
  countWhole(counts, evaluation);
}

const typeOf = (square: number): number => board[square] & 7;
const colorOf = (square: number): number => board[square] >> 3;
/** White's view: rank 0 to 7 from the side's own end. */
const rankOf = (square: number, color: number): number => (color === 0 ? square >> 3 : 7 - (square >> 3));
const is = (square: number, type: number, color: number): boolean => board[square] === (type | (color << 3));
/** Squares as in 0x88 boards, where a step off the board shows. */
const wide = (square: number): number => square + (square & 56);

function walk(square: number): void {
  const type = typeOf(square);
  const color = colorOf(square);
  const sign = color === 0 ? 1 : -1;
  const steps = type === PAWN ? [sign * 15, sign * 17] : STEPS[type];
  const slides = type === BISHOP || type === ROOK || type === QUEEN;
  const { count, cheapest } = SIDES[color];
  for (const step of steps) {
    for (let at = wide(square) + step; (at & 0x88) === 0; at += step) {
      const target = (at & 7) | ((at >> 4) << 3);
      count[target]++;
      cheapest[target] = Math.min(cheapest[target], WORTH[type]);
      const empty = typeOf(target) > KING;
      if (type !== KING && (empty || colorOf(target) !== color)) mobility[type] += sign;
      if (!slides || !empty) break;
    }
  }
}

function countPiece(counts: Float64Array, square: number): void {
  const type = typeOf(square);
  const color = colorOf(square);
  const sign = color === 0 ? 1 : -1;
  const enemy = SIDES[1 - color];
  const file = square & 7;
  const rank = rankOf(square, color);
  if (type !== KING && enemy.count[square] > 0) {
    if (type !== PAWN && enemy.cheapest[square] === WORTH[PAWN]) counts[PAWN_THREAT] -= sign;
    if (type !== PAWN && enemy.cheapest[square] < WORTH[type]) counts[CHEAPER] -= sign;
    if (SIDES[color].count[square] === 0) counts[LOOSE] -= sign;
  }
  if (type === PAWN) countPawn(counts, square, color, sign);
  if (
    type === KNIGHT &&
    rank >= 3 &&
    rank <= 5 &&
    SIDES[color].cheapest[square] === WORTH[PAWN] &&
    isSafe(square, color)
  )
    counts[OUTPOST] += sign;
  if (type === BISHOP) {
    for (let other = 0; other < 64; other++) {
      if (is(other, PAWN, color) && shade(other) === shade(square)) counts[BAD_BISHOP] += sign;
    }
  }
  if (type === ROOK) {
    if (pawns[color][file] === 0) counts[pawns[1 - color][file] === 0 ? OPEN_ROOK : HALF_OPEN_ROOK] += sign;
    if (rank === 6) counts[SEVENTH] += sign;
  }
  if (type === KING) countKing(counts, square, color, sign);
}

const shade = (square: number): number => ((square >> 3) + square) & 1;

function countPawn(counts: Float64Array, square: number, color: number, sign: number): void {
  const file = square & 7;
  const own = pawns[color];
  const forward = color === 0 ? 8 : -8;
  // Each pawn beyond the first of its file
  for (let at = square + forward; at >= 0 && at < 64; at += forward) {
    if (!is(at, PAWN, color)) continue;
    counts[DOUBLED] += sign;
    break;
  }
  if ((own[file - 1] ?? 0) + (own[file + 1] ?? 0) === 0) counts[ISOLATED] += sign;
  const beside = [-1, 1].some((step) => (file + step) >> 3 === 0 && is(square + step, PAWN, color));
  if (beside || SIDES[color].cheapest[square] === WORTH[PAWN]) counts[LINKED] += sign;
  for (let at = square + forward; at >= 0 && at < 64; at += forward) {
    for (let step = -1; step <= 1; step++) {
      if ((file + step) >> 3 === 0 && is(at + step, PAWN, 1 - color)) return;
    }
    if (is(at, PAWN, color)) return;
  }
  counts[PASSED] += sign;
  if (rankOf(square, color) >= 4) counts[ADVANCED] += sign;
  const ahead = square + forward;
  if (typeOf(ahead) <= KING && colorOf(ahead) !== color) counts[BLOCKED] += sign;
}

/** Whether no enemy pawn can ever attack the square. */
function isSafe(square: number, color: number): boolean {
  const forward = color === 0 ? 8 : -8;
  for (let at = square + forward; at >= 0 && at < 64; at += forward) {
    for (const step of [-1, 1]) {
      if (((square & 7) + step) >> 3 === 0 && is(at + step, PAWN, 1 - color)) return false;
    }
  }
  return true;
}

function countKing(counts: Float64Array, square: number, color: number, sign: number): void {
  const file = square & 7;
  const forward = color === 0 ? 8 : -8;
  for (let step = -1; step <= 1; step++) {
    if ((file + step) >> 3 !== 0) continue;
    for (let ahead = 0; ahead <= 2; ahead++) {
      const at = square + step + ahead * forward;
      if (at < 0 || at > 63) continue;
      if (ahead > 0 && is(at, PAWN, color)) counts[SHELTER] += sign;
      counts[ZONE] -= sign * SIDES[1 - color].count[at];
    }
  }
  if (pawns[color][file] === 0) counts[OPEN_KING] += sign;
}

function countWhole(counts: Float64Array, evaluation: number): void {
  const total = [0, 1].map((color) => pawns[color].reduce((sum, count) => sum + count, 0));
  const bishops: number[][] = [[], []];
  const others = [0, 0];
  for (let square = 0; square < 64; square++) {
    const type = typeOf(square);
    if (type > KING) continue;
    const color = colorOf(square);
    const sign = color === 0 ? 1 : -1;
    if (type === BISHOP) bishops[color].push(shade(square));
    else if (type !== PAWN && type !== KING) others[color]++;
    if (type === KNIGHT) counts[KNIGHT_PAWNS] += sign * (total[color] - 5);
    if (type === ROOK) counts[ROOK_PAWNS] += sign * (total[color] - 5);
  }
  for (const color of [0, 1]) if (bishops[color].length >= 2) counts[PAIR] += color === 0 ? 1 : -1;
  const ahead = evaluation >= 0 ? 0 : 1;
  // In pawns, so that their coefficients read as others' do
  if (total[ahead] === 0) counts[PAWNLESS] = evaluation / 100;
  const opposite = bishops[0].length === 1 && bishops[1].length === 1 && bishops[0][0] !== bishops[1][0];
  if (opposite && others[0] + others[1] === 0) counts[OPPOSITE] = evaluation / 100;
}
