// Blunders at limited strength: from Elo 1500 on, no move leaves the queen en prise.

import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { makeMove, unmakeMove } from '../../../engine/board/kernel.js';
import { moveTo, moveToUci } from '../../../engine/board/move.js';
import { board } from '../../../engine/board/position.js';
import { gameEnd, legalMoves } from '../../../engine/board/rules.js';
import { seeAtLeast } from '../../../engine/board/see.js';
import { NO_PIECE, QUEEN } from '../../../engine/board/types.js';
import { setHashSize } from '../../../engine/engine.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { weakened } from '../../../engine/strength/strength.js';
import { searchHere } from '../search/harness.js';

const ELO = 1500;
/** Moves played from each position, by both sides. */
const PLIES = 8;

/** Centipawns: the opponent's gain by exchanges on the queen's square, and the loss by a full search. */
const LOSS = 500;
const VALUES = [100, 300, 300, 500, 900];
/** Nodes at full strength, to distinguish a sacrifice from a blunder. */
const JUDGE = { nodes: 20_000 };

const KINDS = readFileSync('test/data/explained.tsv', 'utf8').trim().split('\n').slice(1);
const OPENINGS = readFileSync('books/heft.epd', 'utf8').split('\n').slice(0, 30);
const POSITIONS = [
  ...KINDS.map((row) => row.split('\t')[1]),
  ...OPENINGS.map((line) => `${line.split(' ').slice(0, 4).join(' ')} 0 5`),
];

/** Returns whether exchanges on the queen's square win at least `LOSS` more for the opponent than the move has captured. */
function leavesQueen(move: Move): boolean {
  const captured = board[moveTo(move)];
  const won = captured === NO_PIECE ? 0 : VALUES[captured & 7];
  makeMove(move);
  const isLeft = legalMoves().some(
    (reply) =>
      board[moveTo(reply)] !== NO_PIECE && (board[moveTo(reply)] & 7) === QUEEN && seeAtLeast(reply, LOSS + won),
  );
  unmakeMove(move);
  return isLeft;
}

/** Returns whether another move would have kept the queen: the move is not a sacrifice, and the queen was not lost anyway. */
function isBlunder(move: Move): boolean {
  if (!leavesQueen(move)) return false;
  const { bestMove, score } = searchHere(JUDGE);
  return !leavesQueen(bestMove) && score - searchHere({ ...JUDGE, searchMoves: [move] }).score >= LOSS;
}

/** Plays the moves of `choose` from all positions until there are `most` blunders; returns the number of moves and the blunders. */
function play(choose: () => Move, most = Number.POSITIVE_INFINITY): { moves: number; blunders: string[] } {
  const blunders: string[] = [];
  let moves = 0;
  for (const fen of POSITIONS) {
    parseFen(fen);
    for (let ply = 0; ply < PLIES && gameEnd() === null && blunders.length < most; ply++) {
      const move = choose();
      if (isBlunder(move)) blunders.push(`${formatFen()}: ${moveToUci(move)}`);
      makeMove(move);
      moves++;
    }
  }
  return { moves, blunders };
}

// The table is cleared before each move
beforeAll(() => setHashSize(1));

test('an engine of Elo 1500 never leaves its queen en prise', () => {
  const { moves, blunders } = play(() => searchHere(weakened({}, ELO)).bestMove);
  expect(moves).toBeGreaterThan(PLIES * 60);
  expect(blunders).toEqual([]);
});

test('the check detects queens left en prise by random moves', () => {
  const random = createRandom(1);
  const { moves, blunders } = play(() => {
    const legal = legalMoves();
    return legal[randomBelow(random, legal.length)];
  }, 5);
  expect(blunders).toHaveLength(5);
  expect(moves).toBeLessThan(PLIES * 60);
});
