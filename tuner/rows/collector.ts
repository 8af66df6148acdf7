// RowCollector: the dataset of the rows of several files. In files with a `game` column, the rows of a game are adjacent. The rows of other
// files are grouped into blocks, which count as games.

import { UserError } from '../../selfplay/common/errors.js';
import { hashOf } from '../../selfplay/common/seen.js';
import type { Dataset } from '../dataset/dataset.js';
import { findRepeats, joinRepeats } from '../dataset/repeats.js';
import { countFen, countResult, type DataSummary, emptySummary } from '../trace/data-summary.js';
import { blockSize, type Loaded } from '../trace/load.js';
import { GameBuilder, RowBuilder } from './builder.js';
import type { ColumnName } from './header.js';
import type { RowLine } from './line.js';

export class RowCollector {
  readonly dataSummary = emptySummary();
  readonly rows = new RowBuilder();
  readonly games = new GameBuilder();
  /** Low and high half of the hash of each row's position. */
  private readonly keys: number[] = [];
  /** Number of rows of each finished file. */
  private readonly fileRows: number[] = [];
  /** Numbers of the files without a `game` column. */
  private readonly unnamed = new Set<number>();
  /** Games of the current file. */
  private readonly names = new Set<string>();
  /** The current game, with its first line. */
  private game: { name: string; result: number; line: number } | null = null;

  /** Adds the row of a line. Throws a UserError if it contradicts an earlier row of its game. */
  add(row: RowLine, columns: readonly ColumnName[], file: string, line: number): void {
    const { dataSummary } = this;
    if (!columns.includes('game')) this.addToBlock(row);
    else if (row.game !== this.game?.name) this.startGame(row, columns, file, line);
    else if (row.result !== this.game.result)
      throw new UserError(
        `${file}:${line}: game ${row.game} has a different result on line ${this.game.line}; a game has one result`,
      );
    this.games.add(row.result, row.score);
    this.rows.add(row);
    dataSummary.kept++;
    dataSummary.phases[Math.round(row.phase)]++;
    if (!columns.includes('fen')) return;
    const key = hashOf(row.fen.split(' ', 4).join(' '));
    this.keys.push(key >>> 0, Math.floor(key / 2 ** 32));
    countFen(dataSummary, row.fen);
  }

  /** Must be called after the last row of each file; throws a UserError if it had none. */
  endFile(file: string): void {
    const before = this.fileRows.reduce((sum, rows) => sum + rows, 0);
    if (this.rows.rows === before)
      throw new UserError(`${file}: there are no rows after the header; print one line per position`);
    this.fileRows.push(this.rows.rows - before);
    this.names.clear();
    this.game = null;
  }

  finish(): Pick<Loaded, 'dataset' | 'dataSummary' | 'chunkRows' | 'firstSame'> {
    const { dataSummary, fileRows, unnamed, keys } = this;
    const dataset = inBlocks({ ...this.rows.finish(), ...this.games.finish() }, fileRows, unnamed);
    const firstSame = firstRows(dataSummary, keys, dataset);
    let begin = 0;
    for (const [file, count] of fileRows.entries()) {
      if (unnamed.has(file)) joinRepeats(dataset, firstSame, begin, begin + count);
      begin += count;
    }
    dataSummary.positions = dataSummary.kept;
    dataSummary.games = new Set(dataset.game).size;
    return { dataset, dataSummary, chunkRows: fileRows, firstSame };
  }

  // All rows of the file form one game. finish() divides it, because the size of a block depends on the number of rows
  private addToBlock({ result }: RowLine): void {
    if (this.game === null) {
      this.game = { name: '', result, line: 0 };
      this.games.start(0);
      this.unnamed.add(this.fileRows.length);
    }
    countResult(this.dataSummary, result);
  }

  private startGame(row: RowLine, columns: readonly ColumnName[], file: string, line: number): void {
    const { game: name, result } = row;
    if (this.names.has(name))
      throw new UserError(
        `${file}:${line}: game ${name} appears again after another one; keep the lines of a game together`,
      );
    this.names.add(name);
    this.game = { name, result, line };
    // The key contains the number of the file, not its path, so moved files give the same split
    this.games.start(openingHash(columns.includes('opening') ? row.opening : `${this.fileRows.length}\t${name}`));
    countResult(this.dataSummary, result);
  }
}

/** Groups neighbouring rows into blocks that count as games, in files without a `game` column. */
function inBlocks(dataset: Dataset, fileRows: readonly number[], unnamed: ReadonlySet<number>): Dataset {
  if (unnamed.size === 0) return dataset;
  const game = new Uint32Array(new SharedArrayBuffer(4 * dataset.game.length));
  const opening: number[] = [];
  let row = 0;
  for (const [file, rows] of fileRows.entries()) {
    const isNamed = !unnamed.has(file);
    const size = blockSize(rows);
    for (let at = 0; at < rows; at++, row++) {
      const named = dataset.game[row];
      if (isNamed && (at === 0 || named !== dataset.game[row - 1])) opening.push(dataset.opening[named]);
      else if (!isNamed && at % size === 0) opening.push(openingHash(String(opening.length)));
      game[row] = opening.length - 1;
    }
  }
  return { ...dataset, game, opening: Uint32Array.from(opening) };
}

/** Returns, for each row, the first row with the same position, or the row itself if a file lacks the `fen` column. */
function firstRows(dataSummary: DataSummary, keys: readonly number[], { result }: Dataset): Uint32Array {
  if (keys.length !== 2 * result.length) return Uint32Array.from(result.keys());
  const { first, distinct, repeated, contradicting } = findRepeats(Uint32Array.from(keys), result);
  Object.assign(dataSummary, { distinct, repeated, contradicting });
  return first;
}

/** Returns a 32-bit hash: FNV-1a with a final mix of the bits. */
function openingHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
