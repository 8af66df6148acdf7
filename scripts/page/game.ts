// A game that can be taken back, and games and positions read from text.

import { moveToUci } from '../../engine/board/move.js';
import { createPosition } from '../../engine/library/browser.js';
import type { Position } from '../../engine/library/types.js';
import { MovetextError, parseMovetext } from '../../selfplay/records/pgn-movetext.js';

/** The positions of a game from its start, at least one. */
export type Game = readonly Position[];

/** Returns a game without moves. */
export const newGame = (fen?: string): Game => [createPosition(fen)];

/** Returns the position that the game has come to. */
export const present = (game: Game): Position => game[game.length - 1];

/** Returns the game after a move. */
export const afterMove = (game: Game, move: string): Game => [...game, present(game).play(move)];

/** Returns the game that a FEN or the first game of a PGN text holds; throws an Error that says what is wrong with it. */
export function parseGame(text: string): Game {
  const trimmed = text.trim();
  if (/^[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+)+\s/.test(trimmed)) return newGame(trimmed);
  const tags = new Map(
    Array.from(trimmed.matchAll(/^\s*\[(\w+)\s+"(.*)"\s*\]\s*$/gm), ([, name, value]) => [name, value]),
  );
  const [first = ''] = trimmed.split(/\n\s*\n(?=\s*\[Event\s)/);
  const movetext = first.replace(/^\s*\[\w+\s+".*"\s*\]\s*$/gm, '').trim();
  if (movetext === '' && !tags.has('FEN')) throw new Error('there is neither a FEN nor a game in the text');
  const fen = tags.get('FEN');
  try {
    const { moves } = parseMovetext(movetext, fen);
    return moves.map((move) => moveToUci(move)).reduce(afterMove, newGame(fen));
  } catch (error) {
    if (!(error instanceof MovetextError)) throw error;
    const line = movetext.slice(0, error.at).split('\n').length;
    throw new Error(`line ${line} of the moves: ${error.message}`);
  }
}

/** Returns moves as SAN with their numbers, played from a position. */
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
