// The data as chunks for the tracing workers: games in viriformat bytes, labelled positions as lines of text. Plain
// buffers are handed over without copying; what a chunk holds depends on the data alone, never on the workers.

import { UserError } from '../../selfplay/common/errors.js';
import { type LabelledPosition, type LineCounts, noLines, readLabelled } from '../../selfplay/records/labelled.js';
import { addProblem, noProblems, type Problems } from '../../selfplay/records/read-problems.js';
import {
  holdsRecords,
  newReadReport,
  type ReadReport,
  readRecords,
  type SourcedGame,
} from '../../selfplay/records/record-reader.js';
import { encodeGame } from '../../selfplay/records/viriformat.js';

/** Whole games back to back. */
export interface GamesChunk {
  kind: 'games';
  file: string;
  /** Index of the first game among all games of the run; it seeds the sampling. */
  firstGame: number;
  bytes: Uint8Array;
  /** Leading book moves of each game. */
  bookPlies: Uint32Array;
}

/** Labelled positions, a line each: line number, half points for White, score (empty if none), FEN; tabs between. */
export interface LinesChunk {
  kind: 'lines';
  file: string;
  text: Uint8Array;
}

export type Chunk = GamesChunk | LinesChunk;

/** What the readers found; complete when the last chunk has been read. */
export interface Intake {
  records: ReadReport;
  problems: Problems;
  files: Set<string>;
  /** Usable lines by file of labelled positions. */
  lines: Map<string, number>;
  /** Lines of those files by kind. */
  lineCounts: LineCounts;
}

const GAMES_A_CHUNK = 256;
const LINES_A_CHUNK = 4096;

/** Returns an intake of nothing. */
export function newIntake(): Intake {
  const files = new Set<string>();
  return { records: newReadReport(), problems: noProblems(), files, lines: new Map(), lineCounts: noLines() };
}

/** Reads folders of runs, shards and PGN as games, and every other file as labelled positions, in the order given. */
export async function* readChunks(paths: readonly string[], intake: Intake): AsyncGenerator<Chunk> {
  let games = 0;
  for (const [index, path] of paths.entries()) {
    if (paths.indexOf(path) < index) throw new UserError(`--data ${path} is given twice`);
    if (holdsRecords(path)) {
      for await (const batch of batches(readRecords([path], intake.records), GAMES_A_CHUNK)) {
        yield gamesChunk(batch, games, intake);
        games += batch.length;
      }
    } else {
      for await (const batch of batches(readLabelled([path], intake.problems, intake.lineCounts), LINES_A_CHUNK)) {
        yield linesChunk(batch, intake);
      }
    }
  }
}

/** Groups what comes from one file. */
async function* batches<T extends { file: string }>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.length === size || (batch.length > 0 && batch[0].file !== item.file)) {
      yield batch;
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length > 0) yield batch;
}

function gamesChunk(games: readonly SourcedGame[], firstGame: number, intake: Intake): GamesChunk {
  const { file } = games[0];
  intake.files.add(file);
  return {
    kind: 'games',
    file,
    firstGame,
    bytes: new Uint8Array(Buffer.concat(games.map(encodeGame))),
    bookPlies: Uint32Array.from(games, ({ bookPlies }) => bookPlies),
  };
}

function linesChunk(positions: readonly LabelledPosition[], intake: Intake): LinesChunk {
  const { file } = positions[0];
  intake.files.add(file);
  let text = '';
  let lines = 0;
  for (const { fen, result, score, line } of positions) {
    if (result !== 0 && result !== 0.5 && result !== 1) {
      addProblem(intake.problems, file, line, `the result ${result} is neither 0, 0.5 nor 1`);
      continue;
    }
    text += `${line}\t${2 * result}\t${score ?? ''}\t${fen}\n`;
    lines++;
  }
  intake.lines.set(file, (intake.lines.get(file) ?? 0) + lines);
  return { kind: 'lines', file, text: new TextEncoder().encode(text) };
}
