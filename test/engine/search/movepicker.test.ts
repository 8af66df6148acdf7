import { beforeEach, describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { isInCheck } from '../../../engine/board/kernel.js';
import { moveToUci, NO_MOVE } from '../../../engine/board/move.js';
import { legalMoves, parseUciMove } from '../../../engine/board/rules.js';
import { seeAtLeast } from '../../../engine/board/see.js';
import { randomBelow } from '../../../engine/kernel/random.js';
import { quietHistory, rewardQuiet } from '../../../engine/search/history.js';
import { clearHistories, HISTORY_LIMIT, tried } from '../../../engine/search/history-tables.js';
import {
  isNoisy,
  nextMove,
  skipNoisy,
  skipQuiets,
  startPicker,
  startQuiescencePicker,
} from '../../../engine/search/movepicker.js';
import { forgetSquares, givesDirectCheck } from '../../../engine/search/squares.js';
import { randomWalks, seedOf } from '../board/walks.js';
import { KIWIPETE } from './harness.js';

const PLY = 3;

/** Returns the remaining moves of the picker. */
function takeAll(): Move[] {
  const moves: Move[] = [];
  for (let move = nextMove(PLY); move !== NO_MOVE; move = nextMove(PLY)) moves.push(move);
  return moves;
}

const texts = (moves: Move[]): string[] => moves.map((move) => moveToUci(move, true)).sort();

beforeEach(clearHistories);

describe('the move picker', () => {
  test('the move picker returns every legal move once, starting with the ttMove', () => {
    randomWalks(seedOf('picker'), 40, 80, ({ random, path }) => {
      const legal = legalMoves();
      const any = (): Move =>
        randomBelow(random, 2) === 0 || legal.length === 0
          ? randomBelow(random, 0x10000)
          : legal[randomBelow(random, legal.length)];
      const ttMove = any();
      for (let i = 0; i < 3; i++) rewardQuiet(any(), 4, PLY, 0, 0);
      forgetSquares(PLY);
      startPicker(PLY, ttMove);
      const picked = takeAll();
      expect(texts(picked), path()).toEqual(texts(legal));
      if (legal.includes(ttMove)) expect(picked[0], path()).toBe(ttMove);
      expect(nextMove(PLY), 'the end is the end').toBe(NO_MOVE);
    });
  });

  test('the quiescence picker returns captures and checks that do not lose material, or every evasion in check', () => {
    let checksGiven = 0;
    randomWalks(seedOf('quiescence picker'), 40, 80, ({ random, path }) => {
      const legal = legalMoves();
      const inCheck = isInCheck();
      const ttMove = legal[randomBelow(random, legal.length + 1)] ?? NO_MOVE;
      const withChecks = randomBelow(random, 2) === 0;
      forgetSquares(PLY);
      startQuiescencePicker(PLY, ttMove, inCheck, withChecks);
      const picked = takeAll();
      expect(new Set(picked).size, path()).toBe(picked.length);
      if (inCheck) expect(texts(picked), path()).toEqual(texts(legal));
      else {
        const isMinorPromotion = (move: Move): boolean => move >>> 14 === 3 && ((move >>> 12) & 3) !== 3;
        const good = legal.filter((move) => isNoisy(move) && seeAtLeast(move, 0) && !isMinorPromotion(move));
        if (isNoisy(ttMove) && legal.includes(ttMove) && !good.includes(ttMove)) good.push(ttMove);
        const checks = legal.filter((move) => !isNoisy(move) && givesDirectCheck(PLY, move) && seeAtLeast(move, 0));
        expect(texts(picked), path()).toEqual(texts(withChecks ? [...good, ...checks] : good));
        expect(picked.slice(0, good.length).every(isNoisy), path()).toBe(true);
        checksGiven += withChecks ? checks.length : 0;
      }
    });
    expect(checksGiven).toBeGreaterThan(20);
  });

  test('the move picker orders good captures, quiet moves by history, then losing captures', () => {
    parseFen(KIWIPETE);
    forgetSquares(PLY);
    const [favourite, second] = ['e2d1', 'a2a4'].map(parseUciMove);
    for (const move of [favourite, second, favourite]) rewardQuiet(move, 20, PLY, 0, 0);
    startPicker(PLY, NO_MOVE);
    const picked = takeAll();
    const kinds = picked.map((move) => {
      if (isNoisy(move)) return seeAtLeast(move, 0) ? 'good' : 'losing';
      return move === favourite ? 'favourite' : move === second ? 'second' : 'quiet';
    });
    const order = kinds.filter((kind, i) => kind !== kinds[i - 1]);
    expect(order).toEqual(['good', 'favourite', 'second', 'quiet', 'losing']);
    // The bishop takes the bishop before anything takes a pawn
    expect(moveToUci(picked[0])).toBe('e2a6');
  });

  test('the move picker starts the quiet moves with safe checks and with pieces that escape lesser attackers', () => {
    const orderOf = (fen: string): string[] => {
      parseFen(fen);
      forgetSquares(PLY);
      startPicker(PLY, NO_MOVE);
      return takeAll().map((move) => moveToUci(move));
    };
    // The pawn on b5 attacks the rook; the pawn on c5 attacks b4 and d4
    const [first] = orderOf('7k/8/8/1p6/R7/8/5PPP/6K1 w - - 0 1').filter((move) => move !== 'a4a8');
    expect(first.slice(0, 2)).toBe('a4');
    const last = orderOf('7k/8/8/2p5/R7/8/5PPP/6K1 w - - 0 1').slice(-2);
    expect(last.sort()).toEqual(['a4b4', 'a4d4']);
    // A check that loses the rook is not preferred
    expect(orderOf('6k1/6pp/8/8/8/8/R4PPP/6K1 w - - 0 1')[0]).toBe('a2a8');
    expect(orderOf('r5k1/6pp/8/8/8/8/1R3PPP/6K1 w - - 0 1')[0]).not.toBe('b2b8');
  });

  test('skipNoisy skips the remaining captures', () => {
    parseFen('6k1/5p1p/8/8/3p4/8/PPP2PPP/R2QR1K1 w - - 0 1');
    forgetSquares(PLY);
    startQuiescencePicker(PLY, NO_MOVE, false, true);
    expect(isNoisy(nextMove(PLY))).toBe(true);
    skipNoisy(PLY);
    expect(texts(takeAll())).toEqual(['d1g4', 'e1e8']);
  });

  test('skipQuiets skips the remaining quiet moves', () => {
    parseFen(KIWIPETE);
    forgetSquares(PLY);
    startPicker(PLY, NO_MOVE);
    let move = nextMove(PLY);
    while (isNoisy(move)) move = nextMove(PLY);
    skipQuiets(PLY);
    const rest = takeAll();
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.every((left) => isNoisy(left) && !seeAtLeast(left, 0))).toBe(true);
  });
});

test('history bonuses and penalties stay within the limit, separately for each side', () => {
  parseFen(KIWIPETE);
  const [good, bad] = ['a2a4', 'b2b3'].map(parseUciMove);
  tried.quiets[0] = bad;
  let before = 0;
  for (let i = 0; i < 200; i++) {
    rewardQuiet(good, 12, PLY, 0, 1);
    expect(quietHistory(PLY, good)).toBeGreaterThanOrEqual(before);
    before = quietHistory(PLY, good);
  }
  // The sum of two tables, by squares and by pawn structure: there is no earlier move
  for (const history of [quietHistory(PLY, good), -quietHistory(PLY, bad)]) {
    expect(history).toBeGreaterThan(HISTORY_LIMIT);
    expect(history).toBeLessThanOrEqual(2 * HISTORY_LIMIT);
  }
  parseFen(KIWIPETE.replace(' w ', ' b '));
  for (const move of legalMoves()) expect(quietHistory(PLY, move)).toBe(0);
});
