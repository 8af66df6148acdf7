// Parses one labelled position: EPD `… c9 "1-0";`, `FEN [1.0]`, `FEN 1-0`, JSON, or a row of a table. The result and the score remain text,
// because the scale of the results depends on the whole file.

import {
  operandsOf,
  type PositionLine,
  parseOnlyPosition,
  parseOperations,
  parsePositionLine,
} from '../notation/epd.js';
import { type Leaf, parseLeaf } from './labelled.js';
import { type ScaleName, wordValue } from './scale.js';
import { COLUMN_NAMES, splitFields, type Table } from './table.js';

/** The parts of a labelled position. */
export interface RawLabel {
  fen: string;
  result: string;
  /** Centipawns or a mate; may be empty. */
  score: string;
  /** The side from whose point of view result and score are given. */
  resultSide: 'white' | 'mover';
  scoreSide: 'white' | 'mover';
  /** The scale of the result, if the format fixes it. */
  scale?: ScaleName;
  game?: string;
  opening?: string;
  leaf?: Leaf;
}

/** Returns the parts of a line, or an error message. */
export function parseLabelLine(line: string, table: Table | null): RawLabel | string {
  if (isJsonLine(line)) return parseJson(line);
  // If the user or a header describes a table, JSON is the only other form
  if (table?.hasHeader === true) return parseRow(line, table);
  const position = parsePositionLine(line);
  if (typeof position !== 'string') {
    const found = operationLabel(position) ?? bracketLabel(position);
    if (found !== null) return found;
  }
  // Even an incomplete row of the file's table is read as a row
  if (table !== null && (typeof position === 'string' || isRow(position, table))) return parseRow(line, table);
  return typeof position === 'string' ? position : (bareLabel(position) ?? NO_RESULT);
}

const isRow = ({ rest }: PositionLine, { separator }: Table): boolean =>
  rest.startsWith(separator) || rest.trimStart().startsWith(separator);

const NO_RESULT = 'no result: expected c9 "1-0", [1.0], | cp | 1.0 or FEN,1.0';
const whites = { resultSide: 'white', scoreSide: 'white' } as const;

function operationLabel({ fen, rest }: PositionLine): RawLabel | string | null {
  const operations = parseOperations(rest.replace(/^\s*;/, ' '));
  const operands = ['c9', 'result'].map((name) => operandsOf(operations, name));
  const values = operands.map((words) => wordValue(words?.join(' ') ?? ''));
  if (!values.includes(null) && values[0] !== values[1]) return 'c9 and result differ; keep one';
  const named = operands[0] ?? operands[1];
  const comment = (): string[] | undefined =>
    operations.find(({ name, operands }) => /^c[0-8]$/i.test(name) && isResult(operands.join(' ')))?.operands;
  const result = named ?? comment();
  if (result === undefined) return null;
  // EPD's `ce` is for the side to move
  const score = operandsOf(operations, 'ce')?.[0] ?? '';
  return { fen, result: result.join(' '), score, resultSide: 'white', scoreSide: 'mover' };
}

const isResult = (text: string): boolean => wordValue(text) !== null || /^(?:[01]|[01]?\.\d+)$/.test(text);

/** Ethereal's data have a score after the bracket. It is ignored, because the point of view differs between data sets. */
const BRACKET = /^(?:[;,]\s*)?[[({](?:\s*["'])?([^\])}"']*)(?:["']\s*)?[\])}](?:\s*[+-]?\d+(?:\.\d+)?)?(?:\s*;)?\s*$/;

function bracketLabel({ fen, rest }: PositionLine): RawLabel | null {
  const bracket = BRACKET.exec(rest.trimStart());
  return bracket === null ? null : { fen, result: bracket[1].trimStart(), score: '', ...whites };
}

function bareLabel({ fen, rest }: PositionLine): RawLabel | null {
  const bare = rest.replace(/^\s*[;,]|;\s*$/g, '').trim();
  const word = bare.replace(/^(["'])(.*)\1$/, '$2');
  // If a comma is the separator, decimal commas are not accepted
  const number = /^\s*,/.test(rest) ? /^[+-]?\d*\.?\d+$/ : /^[+-]?\d*[.,]?\d+$/;
  const isBare = wordValue(word) !== null || number.test(word);
  return isBare ? { fen, result: word, score: '', ...whites } : null;
}

function parseRow(line: string, { separator, columns, width }: Table): RawLabel | string {
  const fields = splitFields(line, separator);
  if (width !== undefined && fields.slice(width).some((field) => field !== ''))
    return `${fields.length} fields, but the header has ${width}; put fields that contain '${separator}' in quotes`;
  const field = (column: number | null | undefined): string => unwrapped(fields[column ?? -1] ?? '');
  const fen = field(columns.fen);
  const position = parsePositionLine(fen);
  if (typeof position === 'string') return fen === '' ? 'no position in this line' : position;
  if (position.rest.trim() !== '' || position.moves.length > 0) return NO_RESULT;
  const label: RawLabel = { fen: position.fen, result: field(columns.result), score: field(columns.score), ...whites };
  const place = field(columns.leaf);
  const leaf = place === '' ? undefined : parseLeaf(place, field(columns.leafScore));
  if (typeof leaf === 'string') return leaf;
  if (leaf !== undefined) label.leaf = leaf;
  const game = field(columns.game);
  const opening = field(columns.opening);
  return game === '' ? label : { ...label, game, ...(opening !== '' && { opening }) };
}

const unwrapped = (field: string): string => field.replace(/^['[({](.*)['\])}]$/s, '$1').trim();

/** Returns whether the line begins a JSON object. */
export const isJsonLine = (line: string): boolean => /^\s*\{\s*"/.test(line);

const RESULT_KEYS = ['result', 'wdl', 'outcome'] as const;

function parseJson(line: string): RawLabel | string {
  let object: Record<string, unknown>;
  try {
    const parsed: unknown = JSON.parse(line.trim().replace(/,$/, ''));
    object = Object.fromEntries(Object.entries(parsed as object).map(([key, value]) => [key.toLowerCase(), value]));
  } catch {
    return 'not a JSON object: expected {"fen": …, "result": …}';
  }
  const text = (...keys: readonly string[]): string => {
    const found = keys.map((key) => object[key]).find((value) => value !== undefined && value !== null) ?? '';
    // As text, an object is an invalid value. If it counted as missing, the reader would ignore its scores
    return typeof found === 'object' ? JSON.stringify(found) : String(found);
  };
  const fen = text(...COLUMN_NAMES.fen);
  const position = fen === '' ? 'no position: expected {"fen": …, "result": …}' : parseOnlyPosition(fen);
  if (typeof position === 'string') return position;
  const results = RESULT_KEYS.filter((key) => text(key) !== '');
  if (new Set(results.map((key) => text(key))).size > 1) return `${results.join(' and ')} differ; keep one`;
  // Contradictory scores are joined to a text that is not a number, which is an error only if scores are read
  const scores = new Set(COLUMN_NAMES.score.map((key) => text(key)).filter((value) => value !== ''));
  const label = { fen: position.fen, result: text(...RESULT_KEYS), score: [...scores].join(' and ') };
  const game = text(...COLUMN_NAMES.game);
  const opening = text(...COLUMN_NAMES.opening);
  return { ...label, ...whites, ...(game !== '' && { game, ...(opening !== '' && { opening }) }) };
}
