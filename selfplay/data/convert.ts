// Converts files of games and labelled positions. Games become games or positions; positions stay positions.

import { addProblem, UserError } from '../common/errors.js';
import { isFolder, replaceFile } from '../common/files.js';
import { throwIfInterrupted } from '../common/program.js';
import { needsChess960 } from '../games/board.js';
import { faultOfFen, formatFen, moveToUci } from '../notation/board.js';
import type { Tags } from '../notation/tags.js';
import { parseColumns, refuseUnusedColumns } from '../positions/columns.js';
import { readLabelled } from '../positions/reader.js';
import { kindOfFile } from '../records/file-kind.js';
import { newReadReport, type ReadReport, type SourcedGame } from '../records/game-kind.js';
import { readGames } from '../records/game-reader.js';
import { openingHash, RecordError, replay, UNSCORED } from '../records/record.js';
import { inTurns } from '../text/unpacked.js';
import { GAME_FORMATS, POSITION_FORMATS } from './formats.js';

export interface ConvertSettings {
  /** Distinct files, or folders of runs. */
  files: readonly string[];
  out: string;
  /** A key of GAME_FORMATS or POSITION_FORMATS. */
  to: string;
  columns?: string | undefined;
  /** Tags for games that have none. */
  tags?: Tags | undefined;
}

/** Written and excluded items. */
export interface Converted {
  report: ReadReport;
  games: number;
  positions: number;
  /** Written positions without a score, if the format cannot omit it. */
  unscored: number;
  /** Number of games named by lines, if there are several files. Such games are renumbered. */
  named: number;
}

/** Writes the file atomically; throws a UserError if nothing can be written in the format. */
export async function convert({ files, out, to, columns, tags = new Map() }: ConvertSettings): Promise<Converted> {
  const converted: Converted = { report: newReadReport(), games: 0, positions: 0, unscored: 0, named: 0 };
  let hasPositions = false;
  await replaceFile(out, async (write) => {
    const header = POSITION_FORMATS[to]?.header;
    if (header !== undefined) write(header);
    for (const file of files) {
      const isPositions = !isFolder(file) && (await kindOfFile(file)) === 'positions';
      hasPositions ||= isPositions;
      const contents = isPositions
        ? labelsOf(file, to, columns, converted, files.length > 1)
        : gamesOf(file, to, tags, converted);
      // Shards are read synchronously, but Ctrl-C must stop the conversion
      for await (const content of inTurns(contents)) {
        throwIfInterrupted(`writing ${out}`);
        write(content);
      }
    }
    const [problem = `${files.join(', ')}: nothing to convert`] = converted.report.problems.messages;
    refuseUnusedColumns(columns, hasPositions);
    if (converted.positions === 0) throw new UserError(problem);
  });
  return converted;
}

type Contents = AsyncGenerator<string | Uint8Array>;

async function* labelsOf(
  file: string,
  to: string,
  columns: string | undefined,
  converted: Converted,
  isOneOfSeveral: boolean,
): Contents {
  const format = POSITION_FORMATS[to];
  if (format === undefined)
    throw new UserError(
      `${file} holds positions, but ${to} requires games; use --to ${Object.keys(POSITION_FORMATS).join(', ')}`,
    );
  const settings = { columns: columns === undefined ? undefined : parseColumns(columns) };
  const { problems } = converted.report;
  let last: number | undefined;
  for await (const label of readLabelled(file, problems, settings)) {
    const { fen, result, line, game } = label;
    // Files may use the same numbers for different games
    if (isOneOfSeveral && game !== undefined) {
      if (game !== last) converted.named++;
      label.game = converted.games + converted.named;
    }
    last = game;
    const isRefused = format.hasOnlyResults && ![0, 0.5, 1].includes(result);
    const fault = faultOfFen(fen) ?? (isRefused ? `${to} cannot represent the result ${result}` : null);
    if (fault !== null) {
      addProblem(problems, file, line, fault);
      continue;
    }
    yield format.position(label);
    converted.positions++;
    if (format.unknownScore !== undefined && label.score === null) converted.unscored++;
  }
}

async function* gamesOf(file: string, to: string, tags: Tags, converted: Converted): Contents {
  for await (const record of readGames(file, converted.report)) {
    // A record with illegal moves must not be written in another format
    try {
      yield contentOf({ tags, ...record }, converted.games + converted.named + 1, to);
      converted.games++;
      converted.positions += record.moves.length;
      if ((POSITION_FORMATS[to] ?? GAME_FORMATS[to]).unknownScore !== undefined)
        converted.unscored += record.scores.filter((score) => score === UNSCORED).length;
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      addProblem(converted.report.problems, record.file, record.index + 1, error.message);
    }
  }
}

function contentOf(record: Required<SourcedGame>, number: number, to: string): string | Uint8Array {
  const format = POSITION_FORMATS[to];
  let content = '';
  let isChess960 = false;
  const opening = openingHash(record);
  const first = 2 * record.start.fullmove - (record.start.sideToMove === 0 ? 2 : 1);
  const visit = (move: Move, score: number, ply: number): void => {
    if (format === undefined) return;
    if (ply === 0) isChess960 = needsChess960();
    const known = score === UNSCORED ? null : score;
    const place = { move: moveToUci(move, isChess960), ply: first + ply, game: number, opening };
    content += format.position({ fen: formatFen(), result: record.result / 2, score: known, ...place });
  };
  replay(record, visit, record.index);
  return format === undefined ? GAME_FORMATS[to].game(record, number) : content;
}
