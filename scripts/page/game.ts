// A game is a list of positions, so moves can be taken back. Games are read from text, and moves are formatted in SAN.

import { moveToUci } from '../../engine/board/move.js';
import { createPosition } from '../../engine/library/inline.js';
import type { Position } from '../../engine/library/types.js';
import { readTextGame } from '../../selfplay/notation/text-game.js';

/** The positions of a game from its start, at least one. */
export type Game = readonly Position[];

/** Returns a game without moves. */
export const emptyGame = (fen?: string): Game => [createPosition(fen)];

/** Returns the current position of the game. */
export const present = (game: Game): Position => game[game.length - 1];

/** Returns the game after a move in SAN or UCI notation; throws a TypeError if it is illegal. */
export const afterMove = (game: Game, move: string): Game => [...game, present(game).play(move)];

/**
 * Returns the plies back to the last move of Heft or, without `ofHeft`, of the other player: 1 for the latest move, 0 if there is none, or
 * if the game was already over, as in a PGN that continues after a repetition. `heft` is Heft's side. In an analysis, Heft has all moves.
 */
export function movesBack(game: Game, heft: string, ofHeft: boolean): number {
  for (let back = 1; back < game.length; back++) {
    const { turn, end } = game[game.length - 1 - back];
    if ((heft === 'nobody' || turn === heft) === ofHeft) return end === null ? back : 0;
  }
  return 0;
}

/**
 * Returns the game from a FEN, or the first game of a PGN text, up to its first fault, and a message about the fault or ''; throws an
 * Error if there is no game.
 */
export function parseGame(text: string): { game: Game; problem: string } {
  const { start, moves, problem } = readTextGame(text);
  const game = moves.map((move) => moveToUci(move)).reduce(afterMove, emptyGame(start));
  return { game, problem };
}

/** Returns the moves from a position in SAN, with move numbers. */
export function numberedSan(from: Position, moves: readonly string[]): string {
  let position = from;
  const words: string[] = [];
  for (const [i, uci] of moves.entries()) {
    const number = position.fen.split(' ')[5];
    if (position.turn === 'white') words.push(`${number}.`);
    else if (i === 0) words.push(`${number}…`);
    words.push(position.legalMoves().find((move) => move.uci === uci)?.san ?? uci);
    position = position.play(uci);
  }
  return words.join(' ');
}
