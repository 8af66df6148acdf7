import { afterEach, describe, expect, test } from 'vitest';
import { FenError, formatFen, parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { isInCheck, makeMove, repetitionCount, unmakeMove } from '../../../engine/board/kernel.js';
import { moveToUci } from '../../../engine/board/move.js';
import { castlingRooks, setChess960, state } from '../../../engine/board/position.js';
import { legalMoves, parseUciMove } from '../../../engine/board/rules.js';
import { describePosition, setPosition } from '../../../engine/board/setup.js';
import { BLACK, NO_PIECE, parseSquare, squareName } from '../../../engine/board/types.js';

afterEach(() => setChess960(false));

const reread = (fen: string): string => {
  parseFen(fen);
  return formatFen();
};
const castling = (fen: string): string => reread(fen).split(' ')[2];
const rights = (): string[] => castlingRooks().map(squareName);

describe('a FEN', () => {
  test.each([
    STARTPOS,
    'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2',
    'r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 345',
    '8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3',
    '4k3/8/8/8/8/8/8/4K3 w - - 99 60',
  ])('a FEN round-trips unchanged: %s', (fen) => {
    expect(reread(fen)).toBe(fen);
  });

  test('a FEN without clocks, castling or en-passant field gets defaults', () => {
    expect(reread('r3k2r/8/8/8/8/8/8/R3K2R b Kq -')).toBe('r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1');
    expect(reread('4k3/8/8/8/8/8/8/4K3 w')).toBe('4k3/8/8/8/8/8/8/4K3 w - - 0 1');
    expect(reread('  4k3/8/8/8/8/8/8/4K3   b  -\t-  7 9 ')).toBe('4k3/8/8/8/8/8/8/4K3 b - - 7 9');
  });

  test('a FEN may contain EPD operations instead of the clocks, or a move number of 0', () => {
    for (const operation of ['bm e1e2;', 'ce 150;', 'acn 123456;', 'ce -5;', ';D1 5']) {
      expect(reread(`4k3/8/8/8/8/8/8/4K3 w - - ${operation}`)).toBe('4k3/8/8/8/8/8/8/4K3 w - - 0 1');
    }
    expect(reread('4k3/8/8/8/8/8/8/4K3 w - - 5 0')).toBe('4k3/8/8/8/8/8/8/4K3 w - - 5 1');
  });

  test.each([
    ['-5 1', "the number of plies since a capture or pawn move must be from 0 to 20000, not '-5'"],
    ['20001 1', "the number of plies since a capture or pawn move must be from 0 to 20000, not '20001'"],
    ['0 99999999999999999999', "the move number must be from 0 to 20000, not '999999999999'"],
  ])('a FEN with the clocks %s is rejected', (clocks, message) => {
    expect(() => parseFen(`4k3/8/8/8/8/8/8/4K3 w - - ${clocks}`)).toThrow(message);
  });

  test('a FEN sets the side to move, the clocks and the check status', () => {
    parseFen('4k3/8/8/8/4R3/8/8/4K3 b - - 31 77');
    expect([state.stm, state.rule50, state.fullmove, isInCheck()]).toEqual([BLACK, 31, 77, true]);
  });

  test('a FEN starts a new repetition history', () => {
    const shuffle = (): void => {
      for (const move of ['g1f3', 'g8f6', 'f3g1', 'f6g8']) makeMove(parseUciMove(move));
    };
    parseFen(STARTPOS);
    shuffle();
    expect(repetitionCount()).toBe(1);
    parseFen(formatFen());
    expect(repetitionCount()).toBe(0);
    shuffle();
    expect(repetitionCount()).toBe(1);
  });
});

describe('the en-passant square', () => {
  test.each([
    ['is kept when the capture is legal', '8/8/8/2k5/2pP4/8/8/4K3 b - d3 0 1', 'd3'],
    ['is kept when the capture ends a check', '8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1', 'd3'],
    ['is dropped when no pawn can capture', 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1', '-'],
    ['is dropped when the capturing pawn is pinned', '4k3/8/8/8/3Pp3/8/8/4RK2 b - d3 0 1', '-'],
    ['is dropped when both pawns shield the king on the rank', '8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1', '-'],
    ['is dropped when the captured pawn shields the king', '7k/8/8/4pP2/3K4/8/8/b7 w - - 0 1', '-'],
    ['is dropped when no pawn stands in front of it', '4k3/8/8/8/4p3/8/8/4K3 b - d3 0 1', '-'],
    ['is dropped when the origin of the double push is occupied', '4k3/8/8/8/3Pp3/8/3N4/4K3 b - d3 0 1', '-'],
    ['is dropped on the wrong rank', '4k3/8/8/3Pp3/8/8/8/4K3 w - e3 0 1', '-'],
  ])('the en-passant square %s', (_, fen, wanted) => {
    expect(reread(fen).split(' ')[3]).toBe(wanted);
  });

  test('the en-passant square appears after a double push only if the capture is legal', () => {
    const afterPush = (fen: string, move: string): number => {
      parseFen(fen);
      makeMove(parseUciMove(move));
      return state.ep;
    };
    expect(afterPush('4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1', 'd2d4')).toBe(parseSquare('d3'));
    expect(afterPush('4k3/8/8/8/8/8/3P4/4K3 w - - 0 1', 'd2d4')).toBe(-1);
    expect(afterPush('8/8/8/8/k3p2R/8/3P4/4K3 w - - 0 1', 'd2d4')).toBe(-1);
    // The board does not wrap around: a pawn on h5 is not adjacent to a4
    expect(afterPush('4k3/8/8/7p/8/8/P7/4K3 w - - 0 1', 'a2a4')).toBe(-1);
  });
});

describe('castling rights', () => {
  test('castling rights are read in KQkq, Shredder-FEN and X-FEN notation', () => {
    for (const text of ['KQkq', 'HAha', 'HQkq', 'qkQK']) {
      parseFen(`r3k2r/8/8/8/8/8/8/R3K2R w ${text} - 0 1`);
      expect(rights(), text).toEqual(['h1', 'a1', 'h8', 'a8']);
    }
    // X-FEN: K and Q mean the outermost rook
    parseFen('1r1k1r1r/8/8/8/8/8/8/RR2K1R1 w KQkq - 0 1');
    expect(rights()).toEqual(['g1', 'a1', 'h8', 'b8']);
    // Shredder-FEN can name the inner one
    parseFen('1r1k1r1r/8/8/8/8/8/8/RR2K1R1 w GBfb - 0 1');
    expect(rights()).toEqual(['g1', 'b1', 'f8', 'b8']);
  });

  test('castling rights are written as KQkq where unambiguous, and as file letters otherwise or in Chess960', () => {
    expect(castling('1r1k1r1r/8/8/8/8/8/8/RR2K1R1 w GBfb - 0 1')).toBe('KBfq');
    expect(castling('r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1')).toBe('KQkq');
    setChess960(true);
    expect(castling('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1')).toBe('HAha');
    expect(castling('1r1k1r1r/8/8/8/8/8/8/RR2K1R1 w KQk - 0 1')).toBe('GAh');
  });

  test('castling rights are dropped if the king or rook is not on its home square', () => {
    expect(castling('4k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1')).toBe('k');
    expect(castling('r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1')).toBe('Kq');
    expect(castling('r3k2r/8/8/8/8/8/8/R3K2R w CFcf - 0 1')).toBe('-');
  });

  test('castling rights are lost when the king or rook moves or the rook is captured', () => {
    parseFen('r3k2r/8/8/8/8/8/6p1/R3K2R w KQkq - 0 1');
    const rightsAfter = (text: string): string => {
      const move = parseUciMove(text);
      expect(move, text).not.toBe(0);
      makeMove(move);
      const fen = formatFen();
      unmakeMove(move);
      return fen.split(' ')[2];
    };
    expect(rightsAfter('e1d2')).toBe('kq');
    expect(rightsAfter('h1h5')).toBe('Qkq');
    expect(rightsAfter('a1a8')).toBe('Kk');
    makeMove(parseUciMove('e1c1'));
    expect(formatFen()).toBe('r3k2r/8/8/8/8/8/6p1/2KR3R b kq - 1 1');
  });
});

describe('a castling move', () => {
  const castlings = (fen: string): string[] => {
    parseFen(fen);
    return legalMoves()
      .filter((move) => move >>> 14 === 2)
      .map((move) => moveToUci(move, true));
  };

  test.each([
    ['does not cross an attacked square', '4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1', ['e1a1']],
    ['may move the rook across an attacked square', '1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1', ['e1a1']],
    ['is not possible in check', '4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1', []],
    ['requires empty squares between king and rook', '4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1', []],
    ['may leave the king in place', '4k3/8/8/8/8/8/8/6KR w H - 0 1', ['g1h1']],
    ['may swap king and rook', '4k3/8/8/8/8/8/8/5KR1 w G - 0 1', ['f1g1']],
    ['may not expose the king to check', '4k3/8/8/8/8/8/8/rR1K4 w B - 0 1', []],
  ])('a castling move %s', (_, fen, wanted) => {
    for (const chess960 of [false, true]) {
      setChess960(chess960);
      expect(castlings(fen)).toEqual(wanted);
    }
  });
});

test.each([
  ['', /board and the side to move/],
  ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR', /board and the side to move/],
  ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1', /'x'/],
  ['rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', /7 ranks/],
  ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w KQkq - 0 1', /9 ranks/],
  ['rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', /rank 7 has 7 squares/],
  ['rnbqkbnr/pppppppp/8/9/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', /'9'/],
  ['rnbqkbnr/pppppppp/8/71p/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', /rank 5 has 9 squares/],
  ['rnbqkbnx/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', /'x'/],
  ['8/8/8/8/8/8/8/4K3 w - - 0 1', /Black has 0 kings/],
  ['4k3/8/8/8/8/8/8/3KK3 w - - 0 1', /White has 2 kings/],
  ['4k3/8/8/8/8/8/8/P3K3 w - - 0 1', /pawn .* a1/],
  ['4k2p/8/8/8/8/8/8/4K3 w - - 0 1', /pawn .* h8/],
  ['4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/4K3 w - - 0 1', /White has 17 pieces/],
  ['4k3/4R3/8/8/8/8/8/4K3 w - - 0 1', /king/],
  ['4k3/8/8/8/8/8/8/4K3 w KX - 0 1', /'X'/],
  ['4k3/8/8/8/8/8/8/4K3 w - e9 0 1', /'e9'/],
  [
    '4k3/8/8/8/8/8/8/4K3 w - - 0 1 e1e2 e8e7',
    /unknown words after the FEN: e1e2; the word moves must precede the moves/,
  ],
  ['4k3/8/8/8/8/8/8/4K3 w - - e1e2', /the word moves must precede the moves/],
])('a bad FEN is rejected and leaves the position unchanged: %s', (fen, message) => {
  const old = 'r3k2r/8/8/8/2pP4/8/8/4K3 b kq d3 0 9';
  parseFen(old);
  makeMove(parseUciMove('e8e7'));
  const before = formatFen();
  const moves = legalMoves();
  expect(() => parseFen(fen)).toThrow(FenError);
  expect(() => parseFen(fen)).toThrow(message);
  expect(formatFen()).toBe(before);
  expect(legalMoves()).toEqual(moves);
  unmakeMove(parseSquare('e8') | (parseSquare('e7') << 6));
  expect(formatFen()).toBe(old);
});

test('setPosition restores the output of describePosition and rejects impossible positions', () => {
  parseFen('r3k2r/8/8/8/2pP4/8/8/4K3 b kq d3 3 9');
  const setup = describePosition();
  parseFen(STARTPOS);
  setPosition(setup);
  expect(formatFen()).toBe('r3k2r/8/8/8/2pP4/8/8/4K3 b kq d3 3 9');
  expect(() => setPosition({ ...setup, board: new Int32Array(64).fill(NO_PIECE) })).toThrow('White has 0 kings');
  expect(formatFen()).toBe('r3k2r/8/8/8/2pP4/8/8/4K3 b kq d3 3 9');
});
