// Openings: where games start. A run's openings depend on its seed and the pair's number only, so that any number of
// workers, or a run continued after an interruption, plays the same games.

import { formatFen, parseFen, STARTPOS } from '../engine/board/fen.js';
import type { Move } from '../engine/board/move.js';
import { makeMove } from '../engine/board/position.js';
import { createRandom, type Random, randomBelow } from '../engine/board/random.js';
import { gameEnd, legalMoves } from '../engine/board/rules.js';

/** A start position, the moves played from it, and the position they lead to. */
export interface Opening {
  start: string;
  moves: Move[];
  fen: string;
}

/** Numbered openings; the same number gives the same opening. */
export interface OpeningSource {
  opening(pair: number): Opening;
}

const MAX_ATTEMPTS = 10_000;

/**
 * Plays random legal moves in the engine's position until `plies` are played from `start`, the game is not over and
 * `accept` (asked with the position set) agrees; the position is left there. Throws when that never happens.
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
  throw new Error(`no acceptable opening of ${plies} random plies from ${start} in ${MAX_ATTEMPTS} attempts`);
}

/** Returns openings of random plies from the start position, or from a random Chess960 one. */
export function randomOpenings(
  seed: number,
  plies: number,
  options: { chess960?: boolean; accept?: () => boolean } = {},
): OpeningSource {
  return {
    opening(pair) {
      const random = createRandom(seed, pair);
      const start = options.chess960 === true ? chess960Start(randomBelow(random, 960)) : STARTPOS;
      return randomOpening(random, plies, options.accept, start);
    },
  };
}

// The ten ways to put two knights on the five squares left after bishops and queen (Scharnagl's numbering).
const KNIGHTS = [
  [0, 1],
  [0, 2],
  [0, 3],
  [0, 4],
  [1, 2],
  [1, 3],
  [1, 4],
  [2, 3],
  [2, 4],
  [3, 4],
] as const;

/** Returns the FEN of Chess960's start position by its number 0..959 (518 is the standard one). */
export function chess960Start(number: number): string {
  const files: string[] = new Array(8).fill('');
  const put = (piece: string, emptyIndex: number): void => {
    const empty = files.flatMap((occupant, file) => (occupant === '' ? [file] : []));
    files[empty[emptyIndex]] = piece;
  };
  files[2 * (number % 4) + 1] = 'b';
  files[2 * (Math.floor(number / 4) % 4)] = 'b';
  put('q', Math.floor(number / 16) % 6);
  const [first, second] = KNIGHTS[Math.floor(number / 96)];
  put('n', second);
  put('n', first);
  for (const piece of ['r', 'k', 'r']) put(piece, 0);
  const rank = files.join('');
  return `${rank}/pppppppp/8/8/8/8/PPPPPPPP/${rank.toUpperCase()} w KQkq - 0 1`;
}
