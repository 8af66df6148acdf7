// Games for the tests of the tuner: fast self-play at a few nodes.

import { parseFen, STARTPOS } from '../../engine/board/fen.js';
import { makeMove } from '../../engine/board/kernel.js';
import { state } from '../../engine/board/position.js';
import { gameEnd, legalMoves } from '../../engine/board/rules.js';
import { newGame, search, setHashSize } from '../../engine/engine.js';
import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { table } from '../../engine/search/tt/memory.js';
import { type GameRecord, startFromPosition } from '../../selfplay/records/record.js';

/** Plays games of at most 120 plies from random openings, two per opening. A side that is 1.5 pawns ahead at the end wins. */
export function playGames(count: number, seed = 1, nodes = 40): GameRecord[] {
  return Array.from({ length: count }, (_, index) => playGame(seed, index, nodes));
}

/** Returns a game of playGames() by its index. */
export function playGame(seed: number, index: number, nodes = 40): GameRecord {
  if (table.ints.byteLength > 1 << 20) setHashSize(1);
  const random = createRandom(seed, index >> 1);
  parseFen(STARTPOS);
  for (let ply = 0; ply < 8; ply++) {
    const legal = legalMoves();
    makeMove(legal[randomBelow(random, legal.length)]);
  }
  newGame();
  const start = startFromPosition();
  const moves: number[] = [];
  const scores: number[] = [];
  let end = gameEnd();
  while (end === null && moves.length < 120) {
    // The second game of an opening differs from the first
    const result = search({ nodes: nodes + (index & 1) * 10 });
    moves.push(result.bestMove);
    scores.push(state.stm === 0 ? result.score : -result.score);
    makeMove(result.bestMove);
    end = gameEnd();
  }
  // The side ahead has won, so that even a few games determine the piece values
  const last = scores[scores.length - 1];
  const result = Math.abs(last) < 150 ? 1 : last > 0 ? 2 : 0;
  return { start, result, moves: Uint16Array.from(moves), scores: Int16Array.from(scores) };
}
