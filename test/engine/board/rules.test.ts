import { describe, expect, test } from 'vitest';
import { isRepetition } from '../../../engine/board/draws.js';
import { formatFen, parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { isMaterialDraw, makeMove, repetitionCount } from '../../../engine/board/kernel.js';
import { castlingRooks, setChess960, state } from '../../../engine/board/position.js';
import { gameEnd, legalMoves, parseUciMove } from '../../../engine/board/rules.js';
import { MAX_HISTORY } from '../../../engine/board/workspace.js';

/** Plays the moves from the FEN. */
function play(fen: string, moves: string): void {
  parseFen(fen);
  for (const text of moves.split(' ')) {
    const move = parseUciMove(text);
    expect(move, `${text} in ${formatFen()}`).not.toBe(0);
    makeMove(move);
  }
}

const endOf = (fen: string): string | null => {
  parseFen(fen);
  return gameEnd();
};
const BACK_AND_FORTH = 'g1f3 g8f6 f3g1 f6g8';

describe('the end of the game', () => {
  test('the game ends with checkmate or stalemate', () => {
    expect(endOf(STARTPOS)).toBeNull();
    expect(endOf('rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3')).toBe('checkmate');
    expect(endOf('7k/5Q2/6K1/8/8/8/8/8 b - - 0 1')).toBe('stalemate');
    expect(endOf('7k/6Q1/6K1/8/8/8/8/8 b - - 0 1')).toBe('checkmate');
  });

  test('the game ends with the third occurrence of a position, not the second', () => {
    play(STARTPOS, BACK_AND_FORTH);
    expect([gameEnd(), repetitionCount()]).toEqual([null, 1]);
    play(STARTPOS, `${BACK_AND_FORTH} g1f3 g8f6 f3g1`);
    expect([gameEnd(), repetitionCount()]).toEqual([null, 1]);
    play(STARTPOS, `${BACK_AND_FORTH} ${BACK_AND_FORTH}`);
    expect([gameEnd(), repetitionCount()]).toEqual(['repetition', 2]);
  });

  test('positions with different castling rights are not repetitions', () => {
    const dance = 'e1e2 e8e7 e2e1 e7e8';
    const shuffle = 'a1b1 a8b8 b1a1 b8a8';
    const fen = 'r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1';
    play(fen, `${dance} ${shuffle}`);
    expect([gameEnd(), repetitionCount(), castlingRooks()]).toEqual([null, 1, []]);
    play(fen, `${dance} ${shuffle} ${dance}`);
    expect(gameEnd()).toBe('repetition');
  });

  test('a position with an en-passant capture is not a repetition of one without', () => {
    const knights = 'g8f6 g1f3 f6g8 f3g1';
    const fen = 'rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
    play(fen, `e2e4 ${knights}`);
    expect(repetitionCount()).toBe(0);
    play(fen, `e2e4 ${knights} ${knights}`);
    expect([repetitionCount(), gameEnd()]).toEqual([1, null]);
    // Without a pawn to capture, there is no en-passant square
    play(STARTPOS, `e2e4 ${knights} ${knights}`);
    expect(gameEnd()).toBe('repetition');
  });

  test('repetitions are not counted across a capture or pawn move', () => {
    play(STARTPOS, `${BACK_AND_FORTH} e2e4 e7e5 ${BACK_AND_FORTH}`);
    expect(repetitionCount()).toBe(1);
  });

  test('the game ends after 100 plies without a capture or pawn move, unless the last one mates', () => {
    play('7k/8/8/8/8/8/R7/K7 w - - 98 80', 'a2b2');
    expect([gameEnd(), state.rule50]).toEqual([null, 99]);
    play('7k/8/8/8/8/8/R7/K7 w - - 98 80', 'a2b2 h8g8');
    expect(gameEnd()).toBe('fifty');
    play('7k/R7/6K1/8/8/8/8/8 w - - 99 80', 'a7a8');
    expect([gameEnd(), state.rule50]).toEqual(['checkmate', 100]);
    play('7k/8/8/8/8/8/P7/K7 w - - 99 80', 'a2a4');
    expect([gameEnd(), state.rule50]).toEqual([null, 0]);
    play('r6k/8/8/8/8/8/R7/K7 w - - 99 80', 'a2a8');
    expect([gameEnd(), state.rule50]).toEqual([null, 0]);
  });

  test.each([
    ['4k3/8/8/8/8/8/8/4K3', true],
    ['4k3/8/8/8/8/8/8/4KN2', true],
    ['4k3/8/8/8/8/8/8/4KB2', true],
    ['4kb2/8/8/8/8/8/8/3BK3', false],
    ['2b1k3/8/8/8/8/8/8/4KB2', true],
    ['2b1kb2/8/8/8/8/8/8/4K3', false],
    ['4k1b1/7b/8/8/8/8/8/1B2K3', true],
    ['4k3/8/8/8/8/8/8/3NKN2', false],
    ['4kn2/8/8/8/8/8/8/4KN2', false],
    ['4kb2/8/8/8/8/8/8/4KN2', false],
    ['4k3/8/8/8/8/8/4P3/4K3', false],
    ['4k3/8/8/8/8/8/8/4KR2', false],
    ['4kq2/8/8/8/8/8/8/4K3', false],
  ])('isMaterialDraw of %s is %s', (placement, isDraw) => {
    for (const side of ['w', 'b']) {
      parseFen(`${placement} ${side} - - 0 1`);
      expect(isMaterialDraw()).toBe(isDraw);
      if (isDraw) expect(gameEnd()).toBe('material');
    }
  });
});

test('isRepetition requires one earlier occurrence below the root, or two otherwise', () => {
  play(STARTPOS, BACK_AND_FORTH);
  expect(isRepetition(5), 'the first occurrence lies below the root').toBe(true);
  expect(isRepetition(4), 'the first occurrence is the root').toBe(false);
  expect(isRepetition(1)).toBe(false);
  play(STARTPOS, `${BACK_AND_FORTH} ${BACK_AND_FORTH}`);
  expect(isRepetition(1)).toBe(true);
});

describe('parseUciMove', () => {
  test('parseUciMove accepts both castling notations and returns 0 for illegal moves', () => {
    parseFen('r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1');
    expect(parseUciMove('e1g1')).toBe(parseUciMove('e1h1'));
    expect(parseUciMove('e1c1')).toBe(parseUciMove('e1a1'));
    expect(parseUciMove('e1g1')).not.toBe(0);
    expect(parseUciMove('b7a8q')).not.toBe(parseUciMove('b7a8n'));
    for (const text of [
      'b7a8',
      'b7b8k',
      'e1e3',
      'a8a7',
      '0000',
      'e1',
      '',
      'e1g1q',
      'E1G1',
      'e1g1 ',
      'i1a1',
      'e1-g1',
      'toString',
    ]) {
      expect(parseUciMove(text), text).toBe(0);
    }
  });

  test('parseUciMove prefers a king move to Chess960 castling with the same text', () => {
    setChess960(true);
    // f1g1: to the empty square g1; f1h1 castles
    parseFen('4k3/8/8/8/8/8/8/5K1R w H - 0 1');
    expect(parseUciMove('f1g1') >>> 14).toBe(0);
    expect(parseUciMove('f1h1') >>> 14).toBe(2);
    setChess960(false);
  });
});

test('the position history holds long games without a capture', () => {
  parseFen(STARTPOS);
  const cycle = BACK_AND_FORTH.split(' ');
  for (let ply = 0; ply < MAX_HISTORY - 8; ply++) makeMove(parseUciMove(cycle[ply % 4]));
  expect(formatFen().split(' ')[0]).toBe(STARTPOS.split(' ')[0]);
  expect(gameEnd()).toBe('fifty');
  expect(legalMoves()).toHaveLength(20);
});
