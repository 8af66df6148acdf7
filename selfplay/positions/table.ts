// Tables of labelled positions: one separator and set of columns per file, from the user, a header, or the first lines.

import { parsePositionLine } from '../notation/epd.js';
import { numberOf, wordValue } from './scale.js';

/** Field indices of the columns, from 0; null if absent. */
export interface FieldIndices {
  fen: number;
  result: number;
  score: number | null;
  game?: number;
  opening?: number;
  leaf?: number;
  leafScore?: number;
}

export type Separator = ',' | ';' | '\t' | '|' | ' ';
/** Separators of a header's columns, in order of preference. */
export const SEPARATORS: readonly Separator[] = ['\t', '|', ';', ','];

/** Format of a table. */
export interface Table {
  separator: Separator;
  columns: FieldIndices;
  hasHeader: boolean;
  /** Number of columns of the header, if there is one. */
  width?: number;
  /** An ambiguous column, and an error message with the remedy. */
  doubt?: { column: 'result' | 'score'; problem: string };
}

// A quoted field may contain separators and doubled quotes
const FIELDS = Object.fromEntries(
  SEPARATORS.map((end) => {
    const others = `[^${end}]*`;
    return [end, new RegExp(`(?:[^\\S${end}]*"([^"]*(?:""[^"]*)*)"?${others}|(${others}))([${end}]|$)`, 'g')];
  }),
);

/** Returns the fields of a line, without their quotes and surrounding space. */
export function splitFields(line: string, separator: Separator): string[] {
  if (separator === ' ') return splitBlanks(line);
  if (!line.includes('"')) return line.split(separator).map((field) => field.trim());
  const fields: string[] = [];
  for (const [, quoted, bare, end] of line.matchAll(FIELDS[separator])) {
    fields.push((quoted?.replaceAll('""', '"') ?? bare).trim());
    if (end === '') break;
  }
  return fields;
}

// A position in the first column contains blanks
function splitBlanks(line: string): string[] {
  const position = parsePositionLine(line);
  if (typeof position === 'string') return [line.trim()];
  const words = position.rest.trim().replace(/^[;,]/, '').replace(/;$/, '').trim().split(/\s+/);
  return [position.fen, ...words.filter((word) => word !== '')];
}

/** Returns whether a field is exactly a position. */
function isPosition(field: string): boolean {
  if (!field.includes('/')) return false;
  const position = parsePositionLine(field);
  return typeof position !== 'string' && position.rest.trim() === '' && position.moves.length === 0;
}

/** Names of the columns in a header. */
export const COLUMN_NAMES: Record<keyof FieldIndices, readonly string[]> = {
  fen: ['fen', 'epd', 'position', 'pos', 'board'],
  result: ['result', 'wdl', 'outcome', 'label', 'target', 'game_result', 'gameresult'],
  score: ['score', 'cp', 'eval', 'evaluation', 'centipawns'],
  game: ['game', 'game_id', 'gameid'],
  opening: ['opening'],
  leaf: ['leaf'],
  leafScore: ['leaf_score'],
};

/** Rows of fields with the position in the same column. */
interface Split {
  separator: Separator;
  rows: string[][];
  fen: number;
}

/** Infers the table from lines. Returns null if no separator divides a position from other fields. */
export function guessTable(lines: readonly string[]): Table | null {
  let best: Split | null = null;
  for (const separator of [...SEPARATORS, ' '] as const) {
    const rows = lines.map((line) => splitFields(line, separator)).filter((row) => row.length > 1);
    const places = rows.map((row) => row.findIndex(isPosition));
    const fen = mostFrequent(places.filter((place) => place >= 0));
    const fitting = fen < 0 ? [] : rows.filter((_, i) => places[i] === fen);
    if (fitting.length > (best?.rows.length ?? 0)) best = { separator, rows: fitting, fen };
  }
  if (best === null) return null;
  return { separator: best.separator, hasHeader: false, ...guessColumns(best) };
}

/** Returns whether fields such as 1,0 and 0,5 may be decimal numbers split at the separator. */
export function mayBeCutApart(lines: readonly string[]): boolean {
  const rows = lines.flatMap((line) => {
    const fields = splitFields(line, ',');
    const fen = fields.findIndex(isPosition);
    return fen < 0 ? [] : [{ before: fields.slice(0, fen), after: fields.slice(fen + 1) }];
  });
  const isPair = ([whole, part = '']: string[]): boolean =>
    (whole === '1' && /^00?$/.test(part)) || (whole === '0' && /^[05]0?$/.test(part));
  return (['before', 'after'] as const).some(
    (side) => rows.length > 0 && rows.every((row) => isPair(row[side])) && rows.some((row) => row[side][1][0] === '5'),
  );
}

function guessColumns({ separator, rows, fen }: Split): Pick<Table, 'columns' | 'doubt'> {
  const width = Math.max(...rows.map((row) => row.length));
  const others = Array.from({ length: width }, (_, i) => (i + fen + 1) % width).filter((i) => i !== fen);
  const values = (column: number): string[] => rows.map((row) => row[column] ?? '').filter((value) => value !== '');
  const ofKind = (fits: (value: string) => boolean): number[] =>
    others.filter((column) => values(column).length > 0 && isMost(values(column), fits));
  const isCounter = (column: number): boolean =>
    rows.length > 1 && rows.every((row, i) => Number(row[column]) === Number(rows[0][column]) + i);
  const isSide = (column: number): boolean =>
    rows.every((row) => row[column]?.toLowerCase().replace(/^(w)hite$|^(b)lack$/, '$1$2') === row[fen].split(' ')[1]);
  const allWords = ofKind((value) => wordValue(value) !== null);
  const words = allWords.filter((column) => !isSide(column));
  const possible = [isLabel, isPercent].flatMap((fits) =>
    ofKind((value) => wordValue(value) !== null || fits(numberOf(value))),
  );
  const labels = others.filter((column) => possible.includes(column));
  const numbers = unlessAll(labels, (column) => isCounter(column) || isSide(column));
  // In bullet's format, the score precedes the result
  const usual = separator === '|' ? numbers.find((column) => column === fen + 2) : undefined;
  const candidates = words.length === 0 && usual !== undefined ? [usual] : words.length > 0 ? words : numbers;
  const [result = others[0], ...rest] = likeliest(candidates, values);
  // If the numbers are all equal, they may be scores, and the side to move may have won every game
  const isVaried = new Set(values(result)).size > 1;
  const more = [...rest, ...allWords.filter((column) => !isVaried && isSide(column) && column !== result)];
  const isScore = (column: number): boolean =>
    separator === '|' || (values(column).some((value) => /\d/.test(value)) && !isCounter(column));
  const scores = others.filter((column) => column !== result && isScore(column));
  const [score = null, ...further] = unlessAll(scores, (column) => labels.includes(column));
  const columns = { fen, result, score };
  if (candidates.length === 0) return { columns };
  const rivals = further.filter((column) => isMost(values(column), (value) => !Number.isNaN(numberOf(value))));
  const [column, all] =
    more.length > 0 ? (['result', [result, ...more]] as const) : (['score', [score, ...rivals]] as const);
  if (all.length > 1) {
    const named = all.map((one) => Number(one) + 1).join(' and ');
    const problem = `columns ${named} could each be the ${column}; choose one with --columns fen=1,result=2,score=3`;
    return { columns, doubt: { column, problem: column === 'score' ? `${problem} or score=none` : problem } };
  }
  // In bullet's format, a small file may have no negative score
  const isBullet = separator === '|' && score === fen + 1;
  if (score === null || isBullet || !isCount(values(score))) return { columns };
  const choice = `name it with --columns score=${score + 1}, or omit it with score=none`;
  const problem = `column ${score + 1} has no negative number, so it might not be the score; ${choice}`;
  return { columns, doubt: { column, problem } };
}

/** With at least this many values, scores are expected to include negative numbers. */
const MANY_SCORES = 20;

// Depths, plies and similar numbers
const isCount = (texts: readonly string[]): boolean =>
  texts.length >= MANY_SCORES && texts.every((text) => numberOf(text) >= 0) && texts.some((text) => numberOf(text) > 0);

// A few rows may be invalid
const isMost = (values: readonly string[], fits: (value: string) => boolean): boolean =>
  values.filter((value) => !fits(value)).length <= values.length / 10;

const unlessAll = (columns: readonly number[], isLeftOut: (column: number) => boolean): readonly number[] => {
  const rest = columns.filter((column) => !isLeftOut(column));
  return rest.length > 0 ? rest : columns;
};

/** Returns the candidate result columns, a single one unless ambiguous. */
function likeliest(columns: readonly number[], values: (column: number) => string[]): readonly number[] {
  // Results are written as 1.0 or 0.5 more often than scores are
  const isHalf = (value: string): boolean => wordValue(value) !== null || Number.isInteger(2 * numberOf(value));
  const fractions = columns.filter(
    (column) => values(column).some((value) => /\d[.,]\d/.test(value)) && isMost(values(column), isHalf),
  );
  const likely = fractions.length > 0 ? fractions : columns;
  const varied = likely.filter((column) => new Set(values(column)).size > 1);
  const isSplit = likely.length === 3 && values(likely[0]).every((_, row) => sumOf(likely, row, values) === 1);
  return varied.length > 1 || isSplit ? likely : (varied.length > 0 ? varied : likely).slice(0, 1);
}

const sumOf = (columns: readonly number[], row: number, values: (column: number) => string[]): number =>
  columns.reduce((sum, column) => sum + numberOf(values(column)[row] ?? ''), 0);

const isLabel = (number: number): boolean => (number >= 0 && number <= 1) || number === -1 || number === 2;
const isPercent = (number: number): boolean => number === 0 || number === 50 || number === 100;

function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [-1, 0])[0];
}
