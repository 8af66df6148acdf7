// Assigns labelled positions, which are read as one game per line, to games: those that the lines name, or else blocks of neighbouring lines,
// which often come from one game.

import type { LabelledPosition } from '../../selfplay/positions/labelled.js';
import type { Dataset } from '../dataset/dataset.js';
import type { Intake } from './chunks.js';

/** For each row the numbers of its game and opening from its line. */
export interface NamedGames {
  game: Uint32Array;
  opening: Uint32Array;
}

/** Lines per block, kept on one side of the split if games are not named. */
const MAX_BLOCK = 64;
const BLOCKS_WANTED = 50;

/** Returns the games named by the lines of a chunk, by row, or null without names. */
export function namedGames(part: Dataset, positions: readonly LabelledPosition[]): NamedGames | null {
  if (positions[0]?.game === undefined) return null;
  const byLine = new Map(positions.map((position) => [position.line, position]));
  const numbers = (of: 'game' | 'opening'): Uint32Array =>
    part.game.map((row) => byLine.get(part.opening[row])?.[of] ?? 0);
  return { game: numbers('game'), opening: numbers('opening') };
}

/** Returns the part with neighbouring rows of one game joined. */
export function joinNamed(part: Dataset, { game: names, opening: openings }: NamedGames): Dataset {
  const opening: number[] = [];
  const game = part.game.map((_, row) => {
    if (row === 0 || names[row] !== names[row - 1]) opening.push(openings[row]);
    return opening.length - 1;
  });
  return { ...part, game, opening: Uint32Array.from(opening) };
}

/** Returns the part with blocks of lines as games; the block's hash is its opening. */
export function joinBlocks(part: Dataset, file: string, intake: Intake): Dataset {
  const lines = intake.lines.get(file) ?? 0;
  const size = Math.max(1, Math.min(MAX_BLOCK, Math.floor(lines / BLOCKS_WANTED)));
  const salt = [...intake.lines.keys()].indexOf(file);
  const opening: number[] = [];
  let block = -1;
  const game = part.game.map((row) => {
    const next = Math.floor(part.opening[row] / size);
    if (next !== block) opening.push(Math.imul(next, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b));
    block = next;
    return opening.length - 1;
  });
  return { ...part, game, opening: Uint32Array.from(opening, (hash) => hash >>> 0) };
}
