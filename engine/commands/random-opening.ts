// Random openings: a game that begins with random legal moves leads every run to positions of its own.

import { formatFen, parseFen, STARTPOS } from '../board/fen.js';
import { makeMove } from '../board/kernel.js';
import type { Move } from '../board/move.js';
import { gameEnd, legalMoves } from '../board/rules.js';
import { newGame, search } from '../engine.js';
import { createRandom, type Random, randomBelow } from '../kernel/random.js';

/** A start position, the moves played from it, and the position they lead to. */
export interface Opening {
  start: string;
  moves: Move[];
  fen: string;
}

/** Thrown when no opening is found that meets the conditions. */
export class OpeningError extends Error {}

const MAX_ATTEMPTS = 10_000;

/**
 * Plays random legal moves in the engine's position until `plies` are played from `start`, the game is not over and
 * `accept` (asked with the position set) agrees; the position is left there. Throws OpeningError when that never happens.
 */
export function randomOpening(random: Random, plies: number, accept?: () => boolean, start = STARTPOS): Opening {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    parseFen(start);
    const moves: Move[] = [];
    while (moves.length < plies && gameEnd() === null) {
      const legal = legalMoves();
      const move = legal[randomBelow(random, legal.length)];
      makeMove(move);
      moves.push(move);
    }
    if (moves.length === plies && gameEnd() === null && (accept === undefined || accept())) {
      return { start, moves, fen: formatFen() };
    }
  }
  throw new OpeningError(`no acceptable opening of ${plies} random plies from ${start} in ${MAX_ATTEMPTS} attempts`);
}

/** A side more than this many centipawns ahead has won the opening already. */
const LOST = 300;
const CHECK_NODES = 2000;

/** Returns whether a short search finds the position playable for both sides; the position is kept. */
export function isBalanced(): boolean {
  newGame();
  return Math.abs(search({ nodes: CHECK_NODES }).score) <= LOST;
}

/** Yields the lines that answer a genfens request, as they are found: from random positions, or from those of the book's text, one FEN a line. */
export function* genfens(count: number, seed: number, book: readonly string[]): Generator<string> {
  for (let i = 0; i < count; i++) {
    const random = createRandom(seed, i);
    const start = book.length === 0 ? STARTPOS : book[randomBelow(random, book.length)];
    parseFen(start);
    const plies = book.length === 0 ? 8 + randomBelow(random, 2) : 2;
    yield `info string genfens ${randomOpening(random, plies, isBalanced, start).fen}`;
  }
}
