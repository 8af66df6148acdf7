import { beforeEach, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { makeMove } from '../../../engine/board/kernel.js';
import { state } from '../../../engine/board/position.js';
import { gameEnd } from '../../../engine/board/rules.js';
import { BLACK, WHITE } from '../../../engine/board/types.js';
import { newGame, search } from '../../../engine/engine.js';

/** Nodes per move. Hundreds of such endings were played against Stockfish with more nodes (engine/RESULTS.md). */
const DEFENDER = 500;

beforeEach(newGame);

test.each([
  ['queen', 5000, '8/8/8/8/6Q1/4k3/6K1/8 b - - 0 1'],
  ['rook', 5000, '8/8/8/3k4/8/8/1R6/K7 w - - 0 1'],
  ['two bishops', 5000, '6B1/5K2/k7/8/8/4B3/8/8 w - - 0 1'],
  ['bishop and knight', 20_000, '8/K7/8/5B2/8/8/1N1k4/8 w - - 0 1'],
  ['pawn', 5000, '8/8/8/8/8/1P6/8/K4k2 w - - 0 1'],
  ['rook against a pawn', 5000, '8/8/8/8/k1p5/8/2K5/7R w - - 0 1'],
])('the engine mates before a draw by the fifty-move rule: %s', (_, attacker, fen) => {
  parseFen(fen);
  while (gameEnd() === null) {
    makeMove(search({ nodes: state.stm === WHITE ? attacker : DEFENDER }).bestMove);
  }
  expect([gameEnd(), state.stm]).toEqual(['checkmate', BLACK]);
});

test.each([
  ['whose king is near', '7K/8/8/8/8/1k6/1p6/7R w - - 0 1'],
  ['that threatens to queen', '6K1/8/8/8/1R6/8/2kp4/8 w - - 0 1'],
])('a rook draws against a pawn %s', (_, fen) => {
  parseFen(fen);
  while (gameEnd() === null) makeMove(search({ nodes: 5000 }).bestMove);
  expect(gameEnd()).not.toBe('checkmate');
});
