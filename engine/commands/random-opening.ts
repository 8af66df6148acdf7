// Random openings: random legal moves from the start position or a book position, which make games diverse.

import { formatFen, parseFen, STARTPOS } from '../board/fen.js';
import { makeMove } from '../board/kernel.js';
import { gameEnd, legalMoves } from '../board/rules.js';
import { newGame, search } from '../engine.js';
import { createRandom, type Random, randomBelow } from '../kernel/random.js';

/** A start position, moves, and the resulting position. */
export interface Opening {
  start: string;
  moves: Move[];
  fen: string;
}

/** Thrown if no acceptable opening is found. */
export class OpeningError extends Error {}

const MAX_ATTEMPTS = 10_000;

/**
 * Plays `plies` random legal moves from `start` on the engine's board, and repeats this until they lead to a position in which the game is
 * not over and `accept` returns true. That position stays on the board. Throws an OpeningError after too many attempts. `accept` must
 * return the same result for the same moves.
 */
export function randomOpening(
  random: Random,
  plies: number,
  accept?: () => boolean,
  start = STARTPOS,
  attempts = MAX_ATTEMPTS,
): Opening {
  const rejected = new Set<string>();
  for (let attempt = 0; attempt < (plies === 0 ? 1 : attempts); attempt++) {
    parseFen(start);
    const moves: Move[] = [];
    while (moves.length < plies && gameEnd() === null) {
      const legal = legalMoves();
      const move = legal[randomBelow(random, legal.length)];
      makeMove(move);
      moves.push(move);
    }
    // With few plies, lines soon repeat, and `accept` may be slow
    const line = moves.join();
    if (rejected.has(line)) continue;
    if (moves.length === plies && gameEnd() === null && (accept === undefined || accept())) {
      return { start, moves, fen: formatFen() };
    }
    rejected.add(line);
  }
  throw new OpeningError(`no acceptable opening of ${plies} random plies from ${start}`);
}

/** Score in centipawns beyond which an opening counts as decided. */
const LOST = 300;
const CHECK_NODES = 2000;

/** Starts a new game and returns whether a short search scores the position within ±LOST. The position does not change. */
export function isBalanced(): boolean {
  newGame();
  return Math.abs(search({ nodes: CHECK_NODES }).score) <= LOST;
}

/** Maximum number of book positions tried for an opening. */
const MAX_STARTS = 100;
/** Openings tried from each of them. */
const START_ATTEMPTS = 100;

/**
 * Yields the answer to genfens, one FEN per line, reached by random moves from the start position or from a position of the book. Throws an
 * OpeningError if there is no acceptable opening.
 */
export function* genfens(count: number, seed: number, book: readonly string[]): Generator<string> {
  for (let i = 0; i < count; i++) {
    const random = createRandom(seed, i);
    const { fen } =
      book.length === 0 ? randomOpening(random, 8 + randomBelow(random, 2), isBalanced) : bookOpening(random, book);
    yield `info string genfens ${fen}`;
  }
}

// No opening from a book position is acceptable if the position is decided or the game is over
function bookOpening(random: Random, book: readonly string[]): Opening {
  for (let tried = 1; ; tried++) {
    const start = book[randomBelow(random, book.length)];
    try {
      return randomOpening(random, 2, isBalanced, start, START_ATTEMPTS);
    } catch (error) {
      if (!(error instanceof OpeningError) || tried === MAX_STARTS) throw error;
    }
  }
}
