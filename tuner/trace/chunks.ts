// readChunks() yields the data in chunks of games or of labelled positions for the tracing workers. The contents of a chunk depend only on
// the data, not on the number of workers.

import { addProblem, noProblems, type Problems } from '../../selfplay/common/errors.js';
import { addCount } from '../../selfplay/common/wording.js';
import { parseColumns, refuseUnusedColumns } from '../../selfplay/positions/columns.js';
import { LabelFacts, type LineCounts, noLines } from '../../selfplay/positions/facts.js';
import type { LabelledPosition } from '../../selfplay/positions/labelled.js';
import { readLabelled } from '../../selfplay/positions/reader.js';
import { newReadReport, type ReadReport, type SourcedGame } from '../../selfplay/records/game-kind.js';
import { distinctFiles, holdsRecords, readGames } from '../../selfplay/records/game-reader.js';
import { describeText } from '../../selfplay/text/files.js';

export interface GamesChunk {
  kind: 'games';
  file: string;
  /** Index of the first game among all games of the data; it seeds the sampling. */
  firstGame: number;
  games: SourcedGame[];
}

export interface LinesChunk {
  kind: 'lines';
  file: string;
  /** Index of the first position among the usable positions of the file. */
  firstPosition: number;
  positions: LabelledPosition[];
}

export type Chunk = GamesChunk | LinesChunk;

/** Counts and problems from the readers; complete after the last chunk. */
export interface Intake {
  records: ReadReport;
  problems: Problems;
  files: Set<string>;
  /** Number of usable positions by file of labelled positions. */
  lines: Map<string, number>;
  /** Lines of those files by kind. */
  lineCounts: LineCounts;
}

const GAMES_A_CHUNK = 256;
const LINES_A_CHUNK = 4096;

/** Returns an empty intake. */
export function newIntake(): Intake {
  const files = new Set<string>();
  return { records: newReadReport(), problems: noProblems(), files, lines: new Map(), lineCounts: noLines() };
}

/**
 * Reads folders of runs, shards and PGN files as games, and other files as labelled positions. The content of a file decides, or else its
 * name. The files of a folder are read in the order of their names. Throws a UserError for unreadable data.
 */
export async function* readChunks(
  paths: readonly string[],
  intake: Intake,
  columnNames?: string,
): AsyncGenerator<Chunk> {
  const columns = columnNames === undefined ? undefined : parseColumns(columnNames);
  let firstGame = 0;
  let hasPositions = false;
  for (const path of distinctFiles(paths)) {
    if (await holdsRecords(path)) {
      for await (const games of batches(readGames(path, intake.records), GAMES_A_CHUNK, intake)) {
        yield { kind: 'games', file: games[0].file, firstGame, games };
        firstGame += games.length;
      }
    } else {
      hasPositions = true;
      const facts = new LabelFacts();
      const labelled = readLabelled(path, intake.problems, { columns, counts: intake.lineCounts, facts });
      for await (const batch of batches(labelled, LINES_A_CHUNK, intake)) {
        const { file } = batch[0];
        const positions = batch.filter((position) => isUsable(position, intake));
        const firstPosition = intake.lines.get(file) ?? 0;
        intake.lines.set(file, firstPosition + positions.length);
        yield { kind: 'lines', file, firstPosition, positions };
      }
      addCount(intake.records.formats, [facts.form, ...describeText(facts.text)].join(', '));
    }
  }
  refuseUnusedColumns(columns, hasPositions);
}

/** Groups the items of each file. Lines of a named game stay together and are not mixed with lines without a game. */
async function* batches<T extends { file: string; game?: number }>(
  items: AsyncIterable<T>,
  size: number,
  { files }: Intake,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    const last = batch.at(-1);
    const isNamed = item.game !== undefined;
    const isFull = batch.length >= size && (!isNamed || item.game !== last?.game);
    const isOther = last !== undefined && (last.file !== item.file || (last.game !== undefined) !== isNamed);
    if (isFull || isOther) {
      yield batch;
      batch = [];
    }
    files.add(item.file);
    batch.push(item);
  }
  if (batch.length > 0) yield batch;
}

function isUsable({ result, file, line }: LabelledPosition, intake: Intake): boolean {
  if (result === 0 || result === 0.5 || result === 1) return true;
  addProblem(intake.problems, file, line, `the result ${result} is not 0, 0.5 or 1`);
  return false;
}
