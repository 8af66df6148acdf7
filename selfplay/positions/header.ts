// Headers of tables of labelled positions, and other lines without a position.

import { beginsWithPosition } from '../notation/epd.js';
import { isJsonLine } from './line.js';
import { COLUMN_NAMES, type FieldIndices, SEPARATORS, splitFields, type Table } from './table.js';

/** Returns the table described by a header line, an error message if the header is ambiguous or incomplete, or null for other lines. */
export function headerTable(line: string): Table | string | null {
  // A JSON object, split at its commas, could have fields such as "fen"
  if (isJsonLine(line)) return null;
  for (const separator of SEPARATORS) {
    const names = splitFields(line, separator).map((name) => name.toLowerCase());
    const find = (column: keyof FieldIndices): number[] =>
      names.flatMap((name, i) => (COLUMN_NAMES[column].includes(name) ? [i] : []));
    const [fen] = find('fen');
    if (fen === undefined || names.length < 2) continue;
    const [results, scores, [game], [opening]] = [find('result'), find('score'), find('game'), find('opening')];
    if (results.length === 0) return `the header has no result column; name one with --columns fen=${fen + 1},result=…`;
    const listed = (indices: readonly number[]): string => indices.map((i) => `'${names[i]}'`).join(' and ');
    const choice = `choose with --columns fen=${fen + 1},result=${results[0] + 1}`;
    if (results.length > 1) return `${listed(results)} could be the result; ${choice}`;
    const columns: FieldIndices = { fen, result: results[0], score: scores[0] ?? null };
    if (game !== undefined) {
      columns.game = game;
      if (opening !== undefined) columns.opening = opening;
    }
    const [[leaf], [leafScore]] = [find('leaf'), find('leafScore')];
    if (leaf !== undefined && leafScore !== undefined) Object.assign(columns, { leaf, leafScore });
    const width = 1 + names.findLastIndex((name) => name !== '');
    if (scores.length < 2) return { separator, columns, width, hasHeader: true };
    const problem = `${listed(scores)} could be the score; choose with --columns score=${scores[0] + 1}, or omit it with score=none`;
    return { separator, columns, width, hasHeader: true, doubt: { column: 'score', problem } };
  }
  return null;
}

/** Returns whether two tables have the same separator, and the same columns for position, result and score. */
export function hasSameColumns(one: Table, other: Table | null): boolean {
  const names = ['fen', 'result', 'score'] as const;
  return one.separator === other?.separator && names.every((name) => one.columns[name] === other.columns[name]);
}

/** Number of lines searched for the header; a title or a spreadsheet's separator line may precede it. */
const TITLE_LINES = 10;

/** Returns the index of the header, which may follow title lines; 0 if there is none. */
export function headerPlace(texts: readonly string[]): number {
  const first = texts.slice(0, TITLE_LINES).findIndex((text) => beginsWithPosition(text) || headerTable(text) !== null);
  return first < 0 || beginsWithPosition(texts[first]) ? 0 : first;
}

const BOARD = /(?:[1-8pnbrqk]{1,8}\/){7}[1-8pnbrqk]{1,8}\s+[wb]\b/i;

/** Returns whether a line contains a position, begins JSON, or is the header of a table. */
export const isPositionLine = (line: string): boolean =>
  beginsWithPosition(line) ||
  /^\s*(?:\{\s*"\w+"\s*:|\[\s*(?:\{|$))/.test(line) ||
  BOARD.test(line) ||
  headerTable(line) !== null;

/** Returns whether the line is a spreadsheet's separator line, or a bracket of an array. */
export const isFrame = (text: string): boolean => /^\s*(?:sep=.|[[\]])\s*$/i.test(text);
/** Returns whether the lines begin an array of JSON objects, one per line. */
export const isArrayOfLines = ([first = '', second = '']: readonly string[]): boolean =>
  isFrame(first) && /^\s*\{.*\}\s*(?:,\s*)?$/.test(second);
