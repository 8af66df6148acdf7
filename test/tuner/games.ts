// Games for the tests of the tuner's data path: quick self-play at a few nodes, and damage to order.

import { setFlagsFromString } from 'node:v8';
import { makeMove, sideToMove } from '../../engine/board/position.js';
import { createRandom } from '../../engine/board/random.js';
import { gameEnd } from '../../engine/board/rules.js';
import { newGame, search, setHashSize } from '../../engine/engine.js';
import { randomOpening } from '../../selfplay/openings.js';
import { type GameRecord, startFromPosition } from '../../selfplay/record.js';

setFlagsFromString('--no-use-osr');

/** Plays games of at most 120 plies from random openings, two games from each. */
export function playGames(count: number, seed = 1, nodes = 40): GameRecord[] {
  setHashSize(1);
  return Array.from({ length: count }, (_, index) => playGame(seed, index, nodes));
}

function playGame(seed: number, index: number, nodes: number): GameRecord {
  randomOpening(createRandom(seed, index >> 1), 8);
  newGame();
  const start = startFromPosition();
  const moves: number[] = [];
  const scores: number[] = [];
  let end = gameEnd();
  while (end === null && moves.length < 120) {
    // The second game of an opening is another one
    const result = search({ nodes: nodes + (index & 1) * 10 });
    moves.push(result.bestMove);
    scores.push(sideToMove() === 0 ? result.score : -result.score);
    makeMove(result.bestMove);
    end = gameEnd();
  }
  const result = end !== 'checkmate' ? 1 : sideToMove() === 0 ? 0 : 2;
  return { start, result, moves: Uint16Array.from(moves), scores: Int16Array.from(scores) };
}
