// The option --columns: names of columns, the scale of their results, and the side for which results and scores are given. tableOf() returns
// the table of a file, in which these columns have precedence.

import { UserError } from '../common/errors.js';
import { parseLabelLine } from './line.js';
import { SCALES, type ScaleName } from './scale.js';
import { type FieldIndices, guessTable, mayBeCutApart, splitFields, type Table } from './table.js';

/** The columns that `--columns` can name. Leaves are read only from the header of a label file. */
const NAMEABLE: readonly (keyof FieldIndices)[] = ['fen', 'result', 'score', 'game', 'opening'];

/** Value of `--columns`: columns by number from 1 or by header name, and the meaning of their values. */
export interface ColumnSettings {
  names: Partial<Record<keyof FieldIndices, string>>;
  scale: ScaleName | null;
  /** The side for which results and scores are given, if the user names it. */
  side: 'white' | 'mover' | null;
  /** Whether scores are not read. */
  isUnscored: boolean;
}

/** Parses `fen=1,result=3,score=4`, `score=none`, `result=-1/0/1` for the scale, or `side=mover`; throws a UserError for other text. */
export function parseColumns(text: string): ColumnSettings {
  const settings: ColumnSettings = { names: {}, scale: null, side: null, isUnscored: false };
  for (const part of text.split(',')) {
    const [name, value = ''] = part.split('=', 2).map((word) => word.trim());
    const scale = SCALES.find((one) => one === value.replace('0/½/1', '0/0.5/1'));
    if (name === 'result' && scale !== undefined) settings.scale = scale;
    else if (name === 'score' && value.toLowerCase() === 'none') settings.isUnscored = true;
    else if (name === 'side' && (value === 'white' || value === 'mover')) settings.side = value;
    else if (Object.hasOwn(settings.names, name)) throw new UserError(`--columns names two columns for ${name}`, 2);
    else if (NAMEABLE.some((column) => column === name) && value !== '')
      settings.names[name as keyof FieldIndices] = value;
    else {
      throw new UserError(
        `--columns takes ${NAMEABLE.map((column) => `${column}=`).join(', ')} with numbers from 1 or names, score=none, side=mover, or result=${SCALES.join(' or ')}, not ${part}`,
        2,
      );
    }
  }
  return settings;
}

/** Throws a UserError if `--columns` is given although none of the files holds positions. */
export function refuseUnusedColumns(columns: unknown, hasPositions: boolean): void {
  if (columns !== undefined && !hasPositions)
    throw new UserError('--columns applies to files of positions, but all files contain games; omit it', 2);
}

/** Lines from which the columns are inferred. */
const COLUMN_LINES = 200;

/** A file's header: its line, or null without a header, and the table that it describes, if any. */
interface Header {
  line: string | null;
  described: Table | null;
}

/** Returns the table of a file with these first lines, or null; throws a UserError if it is ambiguous. */
export function tableOf(
  file: string,
  lines: readonly string[],
  { line, described }: Header,
  columns: ColumnSettings | undefined,
): Table | null {
  const named = columns !== undefined && Object.keys(columns.names).length > 0 ? columns : null;
  if (line === null && named === null && mayBeCutApart(lines)) {
    throw new UserError(
      `${file}: results such as 0,5 may be decimal numbers or two columns; separate columns by ; or name them with --columns fen=1,result=2,score=3`,
    );
  }
  const first = lines.slice(line === null ? 0 : 1, COLUMN_LINES);
  // With named columns, every line is a row; otherwise lines in other forms need no table
  const rows = named === null ? first.filter((text) => typeof parseLabelLine(text, null) === 'string') : first;
  const table = described ?? guessTable(rows);
  const chosen = { ...columns?.names, ...(columns?.isUnscored && { score: 'none' }) };
  const doubt = table?.doubt;
  if (doubt !== undefined && !(doubt.column in chosen)) throw new UserError(`${file}: ${doubt.problem}`);
  return named === null ? table : namedTable(table, named, line);
}

/** Returns the table with the user's columns; throws a UserError for a name that is not in the header line. */
function namedTable(table: Table | null, { names }: ColumnSettings, line: string | null): Table {
  const separator = table?.separator ?? ',';
  const header = line === null ? [] : splitFields(line, separator).map((name) => name.toLowerCase());
  const columns: FieldIndices = { ...(table?.columns ?? { fen: 0, result: 1, score: null }) };
  // Without a header, a column that the user does not name may hold anything
  if (line === null && names.result !== undefined) columns.score = null;
  for (const [column, value] of Object.entries(names) as [keyof FieldIndices, string][]) {
    const number = /^\d+$/.test(value) ? Number(value) - 1 : header.indexOf(value.toLowerCase());
    if (number < 0) {
      const known = header.length > 0 ? `: ${header.join(', ')}` : '';
      throw new UserError(`--columns: no column '${value}' in the header${known}`, 2);
    }
    columns[column] = number;
    if (columns.score === number && column !== 'score') columns.score = null;
  }
  if (names.opening !== undefined && columns.game === undefined)
    throw new UserError('--columns: opening= requires game=, because openings are read only for named games', 2);
  return { separator, hasHeader: true, columns, ...(table?.width !== undefined && { width: table.width }) };
}
