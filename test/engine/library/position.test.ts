import { describe, expect, test } from 'vitest';
import { createPosition } from '../../../engine/library/position.js';
import { searchLines } from '../../../engine/library/requests.js';

describe('a position', () => {
  test('playing a move returns a new position and leaves the old one unchanged', () => {
    const start = createPosition();
    const moved = start.play('e4').play('c7c5');
    expect([start.moves, moved.moves]).toEqual([[], ['e2e4', 'c7c5']]);
    expect([start.turn, start.legalMoves().length, start.perft(2)]).toEqual(['white', 20, 400]);
    expect(moved.fen).toBe('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
    expect(start.perft(0)).toBe(1);
    expect(createPosition(moved.start).play('e4').play('c5').fen).toBe(moved.fen);
  });

  test('a position reports check and the end of the game', () => {
    const mate = ['f3', 'e5', 'g4', 'Qh4'].reduce((position, san) => position.play(san), createPosition());
    expect([mate.isCheck, mate.end, mate.legalMoves()]).toEqual([true, 'checkmate', []]);
    const shuffle = ['Nf3', 'Nf6', 'Ng1', 'Ng8', 'Nf3', 'Nf6', 'Ng1', 'Ng8'];
    expect(shuffle.reduce((position, san) => position.play(san), createPosition()).end).toBe('repetition');
    expect(createPosition('7k/5Q2/6K1/8/8/8/8/8 b - - 0 1').end).toBe('stalemate');
  });

  test('a game may have more moves than the engine can unmake', () => {
    const shuffle = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
    const moves = Array.from({ length: 5000 }, (_, ply) => shuffle[ply % 4]);
    expect(searchLines({ moves, searchMoves: ['e2e4'], depth: 1 }, false).go).toBe('go depth 1 searchmoves e2e4');
  });

  test('a position lists its moves in UCI and SAN, with castling in the notation of the variant', () => {
    const fen = '4k3/8/8/8/8/8/8/4K2R w K - 0 1';
    const castling = (chess960: boolean): unknown =>
      createPosition(fen, { chess960 })
        .legalMoves()
        .find(({ san }) => san === 'O-O');
    expect(castling(false)).toEqual({ uci: 'e1g1', san: 'O-O' });
    expect(castling(true)).toEqual({ uci: 'e1h1', san: 'O-O' });
  });

  test('every Chess960 move in UCI notation can also be played without the chess960 option', () => {
    for (const fen of ['rk2r3/8/8/8/8/8/8/RK2R3 w KQkq - 0 1', '1r3kr1/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1']) {
      const position = createPosition(fen);
      for (const { uci, san } of position.legalMoves()) expect(position.play(uci).fen).toBe(position.play(san).fen);
    }
  });

  test('a position rejects illegal moves and FENs', () => {
    expect(() => createPosition().play('e5')).toThrow("'e5' is not a legal move in rnbqkbnr");
    expect(() => createPosition().play(5 as never)).toThrow('expected a move as a string, not 5');
    expect(() => createPosition('8/8/8 w - -')).toThrow('ranks');
  });
});
