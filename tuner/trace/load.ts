// traceData() reads the data at the given paths into one dataset. Workers trace chunks; their parts are joined in the order of the data, so
// the result does not depend on the number of workers.

import { basename } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import type { LabelledPosition } from '../../selfplay/positions/labelled.js';
import { sha256OfFile } from '../../selfplay/records/shard.js';
import { concatenated, type Dataset, joinParts } from '../dataset/dataset.js';
import { findRepeats, joinRepeats } from '../dataset/repeats.js';
import { type Intake, newIntake } from './chunks.js';
import { addSummary, countBad, type DataSummary, emptySummary, formatSummary } from './data-summary.js';
import type { RowLeaf } from './leaves.js';
import { type LoadObserver, type LoadSettings, traceChunks } from './pool.js';
import type { TraceResult } from './worker.js';

export interface Loaded {
  dataset: Dataset;
  dataSummary: DataSummary;
  /** All files that were read, by name without the folder. */
  files: { name: string; sha256: string }[];
  /** Number of rows of each chunk of the data, for a second pass. */
  chunkRows: number[];
  /** For each row, the first row with the same position. */
  firstSame: Uint32Array;
  /** The positions by row, if requested. */
  fens: string[];
  /** The leaves of labelled positions that have one. */
  leaves: RowLeaf[];
  /** Candidate features by row, see candidateValue(). */
  candidates: Int8Array;
}

/** Reads and traces the data; throws a UserError if there is no usable position, or if a check of the trace fails. */
export async function traceData(settings: LoadSettings, observer: LoadObserver = {}): Promise<Loaded> {
  const intake = newIntake();
  const parts: TracedPart[] = [];
  const read = { games: 0, kept: 0 };
  await traceChunks(settings, intake, observer, {
    onResult: (index, chunk, result) => {
      const isGames = chunk.kind === 'games';
      const firstGame = isGames ? chunk.firstGame : null;
      const firstPosition = isGames ? 0 : chunk.firstPosition;
      const joined = isGames ? result.part : joinNamed(result.part, chunk.positions, fileNumber(intake, chunk.file));
      parts[index] = { ...result, file: chunk.file, firstGame, firstPosition, joined };
      read.games += result.dataSummary.games;
      read.kept += result.dataSummary.kept;
    },
    onChunk: () => observer.onReading?.(read),
  });

  const dataSummary = sumOf(parts);
  addIntake(dataSummary, intake);
  const dataset = joinParts(parts.map((traced) => traced.joined ?? joinBlocks(traced, intake)));
  const firstSame = addRepeats(dataSummary, parts, dataset);
  const blocks = new Set(dataset.game).size;
  const chunkRows = parts.map(({ part }) => part.phase.length);
  const starts = startsOf(chunkRows);
  for (const [i, { joined }] of parts.entries())
    if (joined === null) joinRepeats(dataset, firstSame, starts[i], starts[i] + chunkRows[i]);
  // Games without rows count, but not blocks whose rows have moved
  dataSummary.games = dataset.opening.length - blocks + new Set(dataset.game).size;
  if (dataSummary.kept === 0)
    throw new UserError(`no usable position in ${settings.data.join(', ')}\n${formatSummary(dataSummary)}`);
  const files = Array.from(intake.files, (file) => ({ name: basename(file), sha256: sha256OfFile(file) }));
  const candidates = concatenated(parts, Int8Array, (part) => part.candidates);
  const fens = parts.flatMap((part) => part.fens.map(({ fen }) => fen));
  for (const [i, part] of parts.entries()) for (const leaf of part.leaves) leaf.row += starts[i];
  const leaves = parts.flatMap((part) => part.leaves);
  return { dataset, dataSummary, files, chunkRows, firstSame, fens, leaves, candidates };
}

/** Returns the sum of the counts before each one. */
export function startsOf(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => {
    sum += count;
    return sum - count;
  });
}

function sumOf(parts: readonly TracedPart[]): DataSummary {
  const sum = emptySummary();
  for (const part of parts) addSummary(sum, part.dataSummary);
  return sum;
}

/** Data of a chunk; `firstGame` is null for labelled positions. */
interface TracedPart extends TraceResult {
  file: string;
  firstGame: number | null;
  /** Index of the first labelled position in its file. */
  firstPosition: number;
  /** The part with its games; null for labelled positions without game names, which joinBlocks() joins into blocks. */
  joined: Dataset | null;
}

/** Counts the repeats, and returns for each row the first row with the same position. */
function addRepeats(dataSummary: DataSummary, parts: readonly TracedPart[], dataset: Dataset): Uint32Array {
  const keys = concatenated(parts, Uint32Array, (part) => part.keys);
  const starts = startsOf(parts.map(({ part }) => part.phase.length));
  const placeOf = (of: number): string => {
    const index = starts.findLastIndex((start) => start <= of);
    const { file, firstGame, part } = parts[index];
    const game = part.game[of - starts[index]];
    // Each labelled position is a separate game, with its line number as the opening
    return firstGame === null ? `${file}:${part.opening[game]}` : `${file}: game ${firstGame + game + 1} of the data`;
  };
  const { first, distinct, repeated, contradicting, examples } = findRepeats(keys, dataset.result);
  Object.assign(dataSummary, { distinct, repeated, contradicting });
  dataSummary.contradictions = examples.map(
    (example) => `${placeOf(example.row)}: a different result from ${placeOf(example.first)}`,
  );
  return first;
}

function addIntake(dataSummary: DataSummary, intake: Intake): void {
  dataSummary.lines = intake.lineCounts;
  const { excluded, formats, repairs, terminations } = intake.records;
  Object.assign(dataSummary, { excluded, formats, repairs, terminations });
  for (const { count, messages } of [intake.records.problems, intake.problems]) {
    for (const message of messages) countBad(dataSummary, message);
    // Problems keeps only the first messages
    dataSummary.bad += count - messages.length;
  }
}

// Assigns labelled positions, which are read as one game per line, to games: the games that the lines name, or else blocks of neighbouring
// lines, which often come from one game.

/**
 * Returns the number of positions per block, at most 64 and few enough for 50 blocks. A block stays on one side of the split if games are
 * not named.
 */
export const blockSize = (positions: number): number => Math.max(1, Math.min(64, Math.floor(positions / 50)));

/**
 * Returns the part in which neighbouring rows form one game if their lines name the same game; null if the lines name no games. Games
 * without a named opening have openings of their own, even if another file uses the same numbers.
 */
function joinNamed(part: Dataset, positions: readonly LabelledPosition[], file: number): Dataset | null {
  if (positions[0]?.game === undefined) return null;
  const byLine = new Map(positions.map((position) => [position.line, position]));
  const opening: number[] = [];
  let last: number | undefined;
  const game = part.game.map((index) => {
    const named = byLine.get(part.opening[index]);
    if (named?.game !== last) opening.push(named?.opening ?? ((named?.game ?? 0) ^ saltOf(file)) >>> 0);
    last = named?.game;
    return opening.length - 1;
  });
  return { ...part, game, opening: Uint32Array.from(opening) };
}

/**
 * Returns the part with blocks of positions as games, and a hash of file and block as their opening. Blocks have a number of positions, not
 * of lines, because Stockfish's plain text has several lines per position.
 */
function joinBlocks({ part, file, firstPosition }: TracedPart, intake: Intake): Dataset {
  const size = blockSize(intake.lines.get(file) ?? 0);
  const salt = saltOf(fileNumber(intake, file) + 1);
  const opening: number[] = [];
  let block = -1;
  const game = part.game.map((row) => {
    const next = Math.floor((firstPosition + row) / size);
    if (next !== block) opening.push(Math.imul(next, 0x9e3779b1) ^ salt);
    block = next;
    return opening.length - 1;
  });
  return { ...part, game, opening: Uint32Array.from(opening, (hash) => hash >>> 0) };
}

const fileNumber = (intake: Intake, file: string): number => [...intake.lines.keys()].indexOf(file);

const saltOf = (file: number): number => Math.imul(file, 0x85ebca6b);
