// Export of a run's games as PGN, or as labelled positions, one per line (`FEN | centipawns | 1.0`).

import { dirname } from 'node:path';
import { formatFen } from '../../engine/board/fen.js';
import { UserError } from '../common/errors.js';
import { makeFolder, Replacement, writeAll } from '../common/files.js';
import { formatLabelled } from '../positions/labelled.js';
import { formatPgn, pgnOfRecord } from './pgn.js';
import { readRecords } from './reader.js';
import { type GameRecord, replay, UNSCORED } from './record.js';

/** Writes the run's games atomically to a PGN file. Uses the engine's position. */
export function exportPgn(folder: string, file: string): Promise<void> {
  return writeGames(folder, file, (game, number) => {
    const tags = { event: folder, round: String(number), white: 'Heft', black: 'Heft' };
    return formatPgn({ ...pgnOfRecord(game), ...tags });
  });
}

/** Writes every recorded position of the run with its score and its game's result, one per line, atomically. Uses the engine's position. */
export function exportPositions(folder: string, file: string): Promise<void> {
  return writeGames(folder, file, (game, number) => {
    let text = '';
    replay(
      game,
      (_, scoreWhite) => {
        const score = scoreWhite === UNSCORED ? null : scoreWhite;
        text += `${formatLabelled({ fen: formatFen(), result: game.result / 2, score })}\n`;
      },
      { index: number - 1 },
    );
    return text;
  });
}

async function writeGames(
  folder: string,
  file: string,
  textOf: (game: GameRecord, number: number) => string,
): Promise<void> {
  makeFolder(dirname(file));
  try {
    const replacement = new Replacement(file);
    try {
      let number = 0;
      for await (const game of readRecords([folder])) writeAll(replacement.fd, textOf(game, ++number));
      replacement.finish();
    } finally {
      replacement.drop();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new UserError(`cannot write ${file}: ${(error as Error).message}`);
  }
}
