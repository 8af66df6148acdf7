// `heft "genfens N seed S book B" quit`: N start positions for OpenBench's data generation, after eight or nine random plies,
// the clearly lost ones left out by a short search.

import { parseFen, STARTPOS } from '../board/fen.js';
import { newGame, search } from '../engine.js';
import { createRandom, randomBelow } from '../kernel/random.js';
import { randomOpening } from './random-opening.js';

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
