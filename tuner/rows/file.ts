// rowsFiles() reads rows of another engine's evaluation from files. It stops at the first fault, because faults are rarely isolated, and
// wrong rows give wrong values.

import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import { noLines } from '../../selfplay/positions/facts.js';
import { refuseRepeated } from '../../selfplay/records/game-reader.js';
import { sha256OfFile } from '../../selfplay/records/shard.js';
import { unpackedBytes } from '../../selfplay/text/unpacked.js';
import type { Loaded } from '../trace/load.js';
import type { LoadObserver } from '../trace/pool.js';
import { RowCollector } from './collector.js';
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
  const collector = new RowCollector();
  const { rows, games, dataSummary } = collector;
  for (const file of files) {
    const onRow = (row: RowLine, columns: readonly ColumnName[], line: number): void => {
      collector.add(row, columns, file, line);
      if (rows.rows % 10_000 === 0) observer.onReading?.({ games: games.games, kept: rows.rows });
    };
    await eachRow(file, source, onRow, dataSummary.lines, observer.signal);
    collector.endFile(file);
  }
  return {
    ...collector.finish(),
    files: files.map((file) => ({ name: basename(file), sha256: sha256OfFile(file) })),
    fens: [],
    leaves: [],
    candidates: new Int8Array(0),
  };
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
