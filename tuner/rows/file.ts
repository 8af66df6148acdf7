// rowsFiles() reads rows of another engine's evaluation from files. It stops at the first fault, because faults are rarely isolated, and
// wrong rows give wrong values.

import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import { hashOf } from '../../selfplay/common/seen.js';
import { noLines } from '../../selfplay/positions/facts.js';
import { refuseRepeated } from '../../selfplay/records/game-reader.js';
import { sha256OfFile } from '../../selfplay/records/shard.js';
import { unpackedBytes } from '../../selfplay/text/unpacked.js';
import type { Dataset } from '../dataset/dataset.js';
import { findRepeats, joinRepeats } from '../dataset/repeats.js';
import { countFen, countResult, type DataSummary, emptySummary } from '../trace/data-summary.js';
import { blockSize, type Loaded } from '../trace/load.js';
import type { LoadObserver } from '../trace/pool.js';
import { GameBuilder, RowBuilder } from './builder.js';
import { givenWeights, USUAL_START } from './given-weights.js';
import { type ColumnName, type GivenModel, parseColumnLine, readHeader } from './header.js';
import { eachLine, RowLine } from './line.js';
import type { Producer } from './producer.js';

const HASH = 35;
const TAB = 9;
const REQUIRED: readonly ColumnName[] = ['result', 'phase', 'row'];
/** Maximum length of a line in bytes, above the header of the largest model with place names. */
const LINE_MAX = 1 << 22;

/** Called with the bytes of each line, from `from` to `to` (exclusive), and its number. The result false ends the reading. */
type OnLine = (bytes: Buffer, from: number, to: number, line: number) => boolean;

/** Reads a file's lines as bytes. Throws a UserError if it cannot be read, or ends within a line or compressed data. */
async function readLines(file: string, onLine: OnLine, signal?: AbortSignal): Promise<void> {
  let damage: string | null = null;
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  for await (const chunk of unpackedBytes(file, (message) => (damage = message))) {
    if (signal?.aborted === true) throw new UserError('interrupted while reading: nothing has been fitted', 130);
    let goesOn = true;
    rest = eachLine(rest, chunk, (bytes, from, to) => (goesOn = onLine(bytes, from, to, ++line)));
    if (!goesOn) return;
    if (rest.length > LINE_MAX)
      throw new UserError(`${file}:${line + 1}: a line of more than ${LINE_MAX} characters; is this a file of rows?`);
  }
  if (damage !== null)
    throw new UserError(`${file}:${line + 1}: the compressed file is truncated or damaged (${damage}); write it again`);
  // Part of a line may parse as a complete line with other counts
  if (rest.length > 0)
    throw new UserError(
      `${file}:${line + 1}: the last line has no newline, so the file may be truncated; write it again with a newline after each row`,
    );
}

/** Reads the first line of a file. */
async function readHead(file: string): Promise<{ source: GivenModel; header: string }> {
  let head: { source: GivenModel; header: string } | undefined;
  await readLines(file, (bytes, from, to) => {
    const header = textOf(bytes, from, to);
    head = { source: readHeader(header, `${file}:1`), header };
    return false;
  });
  if (head === undefined)
    throw new UserError(`${file}: the file is empty; it must begin with the JSON line of heft-rows`);
  return head;
}

function textOf(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to);
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Returns the producer of the rows of the files. Throws a UserError if a file is not readable or their first lines differ. */
export async function rowsFiles(files: readonly string[]): Promise<Producer> {
  // A file is read several times: for its header, its rows, and the positions in the report
  const pipe = files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === false);
  if (pipe !== undefined) throw new UserError(`--rows ${pipe} is not a file; write the rows to a file first`);
  // The files are opened one after another, because there may be more files than a process can open at once
  const heads: Awaited<ReturnType<typeof readHead>>[] = [];
  for (const file of files) heads.push(await readHead(file));
  const [{ source, header }] = heads;
  const other = heads.findIndex((head) => head.header !== header);
  if (other > 0)
    throw new UserError(
      `${files[other]}:1: its first line differs from that of ${files[0]}; fit only files from the same version of the engine together`,
    );
  refuseRepeated(files);
  return {
    model: source.model,
    data: files,
    usualStart: USUAL_START,
    samples: false,
    provenance: { engine: source.model.engine },
    weights: (nameOrFile) => givenWeights(source, nameOrFile),
    load: (_, observer) => loadRows(files, source, observer),
    positions: (_, wanted, __, { signal }) => positionsOf(files, source, wanted, signal),
  };
}

/** Calls `onRow` with each parsed row of a file. */
async function eachRow(
  file: string,
  source: GivenModel,
  onRow: (row: RowLine, columns: readonly ColumnName[], line: number) => void,
  counts = noLines(),
  signal?: AbortSignal,
): Promise<void> {
  let columns: ColumnName[] | null = null;
  let row: RowLine | null = null;
  await readLines(
    file,
    (bytes, from, to, line) => {
      counts.lines++;
      if (line === 1) counts.headers++;
      else if (row === null || columns === null) {
        counts.headers++;
        columns = parseColumnLine(textOf(bytes, from, to), `${file}:${line}`, REQUIRED);
        row = new RowLine(source, columns);
      } else if (from === to) counts.blank++;
      else if (bytes[from] === HASH) {
        counts.comments++;
        refuseRow(columns, bytes.subarray(from, to), `${file}:${line}`);
      } else {
        row.read(bytes, from, to, () => `${file}:${line}`);
        onRow(row, columns, line);
      }
      return true;
    },
    signal,
  );
  if (columns === null)
    throw new UserError(`${file}: the second line, the names of the columns, is missing; print it after the first`);
}

/** Throws a UserError if a comment could be a row whose first column is a name. */
function refuseRow([first, ...more]: readonly ColumnName[], comment: Buffer, place: string): void {
  if (first !== 'game' && first !== 'opening') return;
  if (comment.filter((byte) => byte === TAB).length === more.length)
    throw new UserError(
      `${place}: a line with all columns begins with #, like a comment; delete it, or put another column before ${first}`,
    );
}

async function loadRows(files: readonly string[], source: GivenModel, observer: LoadObserver): Promise<Loaded> {
  const dataSummary = emptySummary();
  const rows = new RowBuilder();
  const games = new GameBuilder();
  const keys: number[] = [];
  const fileRows: number[] = [];
  const unnamed = new Set<number>();
  const seen = new Set<string>();
  for (const file of files) {
    const before = rows.rows;
    // Name, result and first line of the current game
    let name: string | null = null;
    let result = Number.NaN;
    let began = 0;
    await eachRow(
      file,
      source,
      (row, columns, line) => {
        const isNamed = columns.includes('game');
        if (!isNamed) {
          // Blocks are formed at the end, when the number of lines is known
          if (name === null) games.start(0);
          name = '';
          unnamed.add(fileRows.length);
          countResult(dataSummary, row.result);
        } else if (row.game !== name) {
          name = row.game;
          result = row.result;
          began = line;
          if (seen.has(`${file}\t${name}`))
            throw new UserError(
              `${file}:${line}: game ${name} appears again after another one; keep the lines of a game together`,
            );
          seen.add(`${file}\t${name}`);
          // The key contains the number of the file, not its path, so moved files give the same split
          games.start(openingHash(columns.includes('opening') ? row.opening : `${fileRows.length}\t${name}`));
          countResult(dataSummary, result);
        } else if (row.result !== result) {
          throw new UserError(
            `${file}:${line}: game ${name} has a different result on line ${began}; a game has one result`,
          );
        }
        games.add(row.result, row.score);
        rows.add(row);
        dataSummary.kept++;
        dataSummary.phases[Math.round(row.phase)]++;
        if (columns.includes('fen')) {
          const key = hashOf(row.fen.split(' ', 4).join(' '));
          keys.push(key >>> 0, Math.floor(key / 2 ** 32));
          countFen(dataSummary, row.fen);
        }
        if (rows.rows % 10_000 === 0) observer.onReading?.({ games: games.games, kept: rows.rows });
      },
      dataSummary.lines,
      observer.signal,
    );
    if (rows.rows === before)
      throw new UserError(`${file}: there are no rows after the header; print one line per position`);
    fileRows.push(rows.rows - before);
  }
  const dataset: Dataset = { ...rows.finish(), ...games.finish() };
  const blocks = inBlocks(dataset, fileRows, unnamed);
  dataSummary.positions = dataSummary.kept;
  const firstSame = repeats(dataSummary, keys, blocks);
  let begin = 0;
  for (const [file, count] of fileRows.entries()) {
    if (unnamed.has(file)) joinRepeats(blocks, firstSame, begin, begin + count);
    begin += count;
  }
  dataSummary.games = new Set(blocks.game).size;
  return {
    dataset: blocks,
    dataSummary,
    files: files.map((file) => ({ name: basename(file), sha256: sha256OfFile(file) })),
    chunkRows: fileRows,
    firstSame,
    fens: [],
    leaves: [],
    candidates: new Int8Array(0),
  };
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
function repeats(dataSummary: DataSummary, keys: readonly number[], { result }: Dataset): Uint32Array {
  if (keys.length !== 2 * result.length) return Uint32Array.from(result.keys());
  const { first, distinct, repeated, contradicting } = findRepeats(Uint32Array.from(keys), result);
  Object.assign(dataSummary, { distinct, repeated, contradicting });
  return first;
}

async function positionsOf(
  files: readonly string[],
  source: GivenModel,
  wanted: readonly number[],
  signal?: AbortSignal,
): Promise<Map<number, string>> {
  const rows = new Set(wanted);
  const fens = new Map<number, string>();
  let at = 0;
  for (const file of wanted.length === 0 ? [] : files) {
    const onRow = ({ fen }: RowLine): void => {
      if (rows.has(at) && fen !== '') fens.set(at, fen);
      at++;
    };
    await eachRow(file, source, onRow, noLines(), signal);
  }
  return fens;
}

/** Returns a 32-bit hash: FNV-1a with a final mix of the bits. */
function openingHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
