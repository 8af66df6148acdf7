import { describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { moveToUci } from '../../../engine/board/move.js';
import { board, state } from '../../../engine/board/position.js';
import { legalMoves, parseUciMove } from '../../../engine/board/rules.js';
import { seeAtLeast } from '../../../engine/board/see.js';
import { KING, KNIGHT, NO_PIECE, PAWN } from '../../../engine/board/types.js';
import { randomWalks, seedOf } from './walks.js';

const VALUE = [100, 300, 300, 500, 900, 0];

/** A board as a list of pieces, on which the exchange is played out. */
type Squares = number[];

const STRAIGHT = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];
const DIAGONAL = [
  [1, 1],
  [1, -1],
  [-1, -1],
  [-1, 1],
];

/** Returns whether the piece on `from` attacks `to`, by walking the rays. */
function attacks(squares: Squares, from: number, to: number): boolean {
  const piece = squares[from];
  const type = piece & 7;
  const file = (to & 7) - (from & 7);
  const rank = (to >> 3) - (from >> 3);
  if (from === to) return false;
  if (type === PAWN) return Math.abs(file) === 1 && rank === (piece < 8 ? 1 : -1);
  if (type === KNIGHT) return Math.abs(file * rank) === 2;
  if (type === KING) return Math.max(Math.abs(file), Math.abs(rank)) === 1;
  const rays = [...(type === 3 ? [] : DIAGONAL), ...(type === 2 ? [] : STRAIGHT)];
  return rays.some(([df, dr]) => {
    for (let f = (from & 7) + df, r = (from >> 3) + dr; f >= 0 && f < 8 && r >= 0 && r < 8; f += df, r += dr) {
      if (8 * r + f === to) return true;
      if (squares[8 * r + f] !== NO_PIECE) return false;
    }
    return false;
  });
}

function attackers(squares: Squares, to: number, color: number): number[] {
  return squares.flatMap((piece, from) =>
    piece !== NO_PIECE && piece >> 3 === color && attacks(squares, from, to) ? [from] : [],
  );
}

/** Returns the best gain of the colour from capturing on the square, cheapest piece first, or 0. Pins are ignored. */
function bestCapture(squares: Squares, to: number, color: number): number {
  const from = attackers(squares, to, color).sort((a, b) => (squares[a] & 7) - (squares[b] & 7) || a - b)[0];
  if (from === undefined) return 0;
  const isKing = (squares[from] & 7) === KING;
  if (isKing && attackers(squares, to, color ^ 1).length > 0) return 0;
  return Math.max(0, exchange(squares, from, to, squares[from]));
}

/** Returns the gain of a capture after the opponent's best reply. */
function exchange(squares: Squares, from: number, to: number, placed: number): number {
  const after = squares.slice();
  after[from] = NO_PIECE;
  after[to] = placed;
  const won = squares[to] === NO_PIECE ? 0 : VALUE[squares[to] & 7];
  return won - bestCapture(after, to, (placed >> 3) ^ 1);
}

function exchangeOf(move: Move): number {
  const squares = Array.from(board);
  const from = move & 63;
  const to = (move >>> 6) & 63;
  const kind = move >>> 14;
  if (kind === 2) return 0;
  if (kind === 1) {
    // Place the pawn captured en passant on the target square
    squares[to] = squares[to ^ 8];
    squares[to ^ 8] = NO_PIECE;
  }
  if (kind !== 3) return exchange(squares, from, to, squares[from]);
  const promoted = 1 + ((move >>> 12) & 3);
  return VALUE[promoted] - VALUE[PAWN] + exchange(squares, from, to, promoted | (state.stm << 3));
}

/** Returns the largest threshold that seeAtLeast accepts. */
function seeOf(move: Move): number {
  for (let threshold = 2000; threshold >= -1000; threshold -= 100) if (seeAtLeast(move, threshold)) return threshold;
  return Number.NEGATIVE_INFINITY;
}

describe('static exchange evaluation', () => {
  test.each([
    ['an undefended pawn is won', '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1', 'e1e5', 100],
    ['a defended pawn costs the knight', '1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1', 'd3e5', -200],
    ['a rook behind the queen joins the exchange', '4k3/8/8/3r4/8/8/3Q4/3RK3 w - - 0 1', 'd2d5', 500],
    ['a queen behind a pawn joins the exchange', '4k3/8/2n5/3p4/4P3/5Q2/8/4K3 w - - 0 1', 'e4d5', 100],
    ['a quiet move into a pawn loses the piece', '4k3/8/2p5/8/1N6/8/8/4K3 w - - 0 1', 'b4d5', -300],
    ['the king may not capture a defended piece', '8/8/3k4/3p4/3R4/8/8/3RK3 w - - 0 1', 'd4d5', 100],
    ['the king captures an undefended piece', '8/8/3k4/3p4/3R4/8/8/4K3 w - - 0 1', 'd4d5', -400],
    ['a promotion that is captured costs the pawn', 'r3k3/2P5/8/8/8/8/8/4K3 w - - 0 1', 'c7c8q', -100],
    ['a promotion that is not captured gains a queen for a pawn', '4k3/P7/8/8/8/8/8/4K3 w - - 0 1', 'a7a8q', 800],
    ['en passant wins a pawn', '4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1', 'e5d6', 100],
    ['castling is even', '4k3/8/8/8/8/8/8/4K2R w K - 0 1', 'e1g1', 0],
  ])('static exchange evaluation: %s', (_, fen, text, wanted) => {
    parseFen(fen);
    const move = parseUciMove(text);
    expect(move).not.toBe(0);
    expect([seeOf(move), exchangeOf(move)]).toEqual([wanted, wanted]);
  });

  test('static exchange evaluation agrees with a full exchange in random positions', () => {
    const values = new Set<number>();
    randomWalks(seedOf('see'), 30, 80, ({ path }) => {
      for (const move of legalMoves()) {
        const value = exchangeOf(move);
        values.add(value);
        const message = `${path()}: ${moveToUci(move, true)} is worth ${value}`;
        if (!seeAtLeast(move, value) || seeAtLeast(move, value + 1)) expect(seeOf(move), message).toBe(value);
        for (const threshold of [-901, -300, -1, 0, 1, 100, 450]) {
          if (seeAtLeast(move, threshold) !== value >= threshold) expect.fail(`${message}, asked for ${threshold}`);
        }
      }
    });
    expect(values.size, 'many different exchanges were met').toBeGreaterThan(15);
  });
});
