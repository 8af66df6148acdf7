// RowLine: parses a row from the bytes of its line. Creating strings for a million lines of 400 characters would take most of the time.

import type { Pair } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import { UNSCORED } from '../../selfplay/records/record.js';
import { entryCoefficient, entryIndex, packEntry } from '../dataset/dataset.js';
import { weightLabel } from '../model/names.js';
import type { ColumnName, GivenModel } from './header.js';

const NEWLINE = 10;
const RETURN = 13;
const TAB = 9;
const SPACE = 32;
const MINUS = 45;
const PLUS = 43;
const ZERO = 48;
const COLON = 58;

const COEFFICIENT_MAX = 255;
const PHASES = 24;
const FEN = /^(?:[pnbrqkPNBRQK1-8]{1,8}\/){7}[pnbrqkPNBRQK1-8]{1,8} [wb](?: |$)/;
const SCORE_MAX = 32_000;
/** The texts of each result, by half points for White. */
const RESULTS = [
  ['0', '0.0', '0-1'],
  ['0.5', '1/2', '1/2-1/2'],
  ['1', '1.0', '1-0'],
];
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Range and meaning of the numeric columns. */
const NUMBERS = {
  phase: { min: 0, max: PHASES, meaning: 'it must be from 24 (all pieces) to 0' },
  scale: { min: 0, max: 4, meaning: 'it must be the factor of the endgame score, from 0 to 4 (1: no scaling)' },
  rest: { min: -SCORE_MAX, max: SCORE_MAX, meaning: `it must be centipawns for White within ±${SCORE_MAX}` },
  eval: { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY, meaning: '' },
};

/** Tolerance in centipawns for rounding, and number of steps of engines that taper in 256ths. */
const ROUNDING = 2;
const TAPER_STEPS = 256;

/**
 * Calls `onLine` with the bytes of each complete line in `rest` and `chunk`, until it returns false. Returns a copy of the bytes after the
 * last such line.
 */
export function eachLine(
  rest: Buffer,
  chunk: Uint8Array,
  onLine: (bytes: Buffer, from: number, to: number) => boolean,
): Buffer {
  const bytes = Buffer.concat([rest, chunk]);
  let from = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
    const isLast = !onLine(bytes, from, end > from && bytes[end - 1] === RETURN ? end - 1 : end);
    from = end + 1;
    if (isLast) break;
  }
  return Buffer.from(bytes.subarray(from));
}

/** The values of the last line. */
export class RowLine {
  /** Half points for White. */
  result = 0;
  score = UNSCORED;
  game = '';
  opening = '';
  fen = '';
  phase = 0;
  scale = 1;
  rest = 0;
  /** Packed coefficients; the first `count` are valid. */
  entries = new Int32Array(256);
  count = 0;

  private readonly mg: Float64Array;
  private readonly eg: Float64Array;
  /** The number of the last row in which each weight occurred. */
  private readonly lastRead: Int32Array;
  private eval = Number.NaN;
  private reads = 0;

  constructor(
    private readonly source: GivenModel,
    private readonly columns: readonly ColumnName[],
  ) {
    const { model, given } = source;
    const values: Pair[] = model.terms.flatMap(({ name }) => given[name]);
    this.mg = Float64Array.from(values, ([mg]) => mg);
    this.eg = Float64Array.from(values, ([, eg]) => eg);
    this.lastRead = new Int32Array(model.size);
  }

  /** Parses the bytes of a line. Throws a UserError that begins with the place if the line is invalid. */
  read(bytes: Buffer, from: number, to: number, place: () => string): void {
    const { columns } = this;
    let at = from;
    for (let column = 0; column < columns.length; column++) {
      let end = at;
      while (end < to && bytes[end] !== TAB) end++;
      if (end === to && column + 1 < columns.length) {
        const missing = columns.slice(column + 1).join(', ');
        throw new UserError(
          `${place()}: the line has ${column + 1} of ${columns.length} columns (${missing} missing); print them all, separated by tabs`,
        );
      }
      const problem = this.readField(columns[column], bytes, at, end);
      if (problem !== null) throw new UserError(`${place()}: ${problem}`);
      at = end + 1;
    }
    if (at <= to)
      throw new UserError(`${place()}: the line has more than ${columns.length} columns; name them all on line 2`);
    const problem = Number.isNaN(this.eval) ? null : this.evalProblem();
    if (problem !== null) throw new UserError(`${place()}: ${problem}`);
  }

  // Reads one column; returns an error message or null
  private readField(column: ColumnName, bytes: Buffer, from: number, to: number): string | null {
    if (column === 'row') return this.readRow(bytes, from, to);
    const text = bytes.toString(column === 'game' || column === 'opening' ? 'utf8' : 'latin1', from, to);
    switch (column) {
      case 'result': {
        const result = RESULTS.findIndex((texts) => texts.includes(text));
        if (result < 0) return `result ${shown(text)}; it must be 1, 0.5 or 0 for White (or 1-0, 1/2-1/2, 0-1)`;
        this.result = result;
        return null;
      }
      case 'game':
      case 'opening':
        if (text === '') return `the ${column} is empty; give the same name in all lines of one ${column}`;
        this[column] = text;
        return null;
      case 'fen':
        if (!FEN.test(text)) return `fen ${shown(text)}; it must be a position in FEN`;
        this.fen = text;
        return null;
      case 'score':
        return this.readScore(text);
      default:
        return this.readNumber(column, text);
    }
  }

  private readScore(text: string): string | null {
    this.score = UNSCORED;
    if (text === '' || text === '-') return null;
    const value = NUMBER.test(text) ? Math.round(Number(text)) : Number.NaN;
    if (!(Math.abs(value) <= SCORE_MAX))
      return `score ${shown(text)}; it must be centipawns for White within ±${SCORE_MAX}, or - for none`;
    this.score = value;
    return null;
  }

  private readNumber(column: keyof typeof NUMBERS, text: string): string | null {
    const value = NUMBER.test(text) ? Number(text) : Number.NaN;
    if (!Number.isFinite(value)) return `${column} ${shown(text)} is not a number`;
    const { min, max, meaning } = NUMBERS[column];
    if (value < min || value > max) return `${column} ${text}; ${meaning}`;
    this[column] = value;
    return null;
  }

  // Reads `index:count` pairs; returns an error message or null
  private readRow(bytes: Buffer, from: number, to: number): string | null {
    const { size } = this.source.model;
    const { lastRead } = this;
    const read = ++this.reads;
    this.count = 0;
    let at = from;
    while (at < to) {
      if (bytes[at] === SPACE) {
        at++;
        continue;
      }
      const start = at;
      let index = 0;
      for (; at < to && isDigit(bytes[at]); at++) index = 10 * index + bytes[at] - ZERO;
      const hasIndex = at > start && bytes[at] === COLON;
      const isNegative = bytes[at + 1] === MINUS;
      at += isNegative || bytes[at + 1] === PLUS ? 2 : 1;
      const first = at;
      let amount = 0;
      for (; at < to && isDigit(bytes[at]); at++) amount = Math.min(1e6, 10 * amount + bytes[at] - ZERO);
      if (!hasIndex || at === first || (at < to && bytes[at] !== SPACE)) {
        let end = start;
        while (end < to && bytes[end] !== SPACE) end++;
        const text = shown(bytes.toString('latin1', start, end));
        return `row entry ${text} is not index:count with whole numbers, such as 12:-1; put fractions into rest`;
      }
      if (index >= size) return `index ${index}; the terms of the header have indices 0 to ${size - 1}`;
      if (amount > COEFFICIENT_MAX)
        return `${this.labelOf(index)} counts ${isNegative ? '-' : ''}${amount}; the limit is ±${COEFFICIENT_MAX}, so count in larger units`;
      if (lastRead[index] === read) return `index ${index} (${this.labelOf(index)}) occurs twice; add up its counts`;
      lastRead[index] = read;
      if (amount === 0) continue;
      if (this.count === this.entries.length) {
        const longer = new Int32Array(2 * this.count);
        longer.set(this.entries);
        this.entries = longer;
      }
      this.entries[this.count++] = packEntry(index, isNegative ? -amount : amount);
    }
    return null;
  }

  private labelOf(index: number): string {
    return weightLabel(this.source.model, index);
  }

  // Returns an error message if `eval` differs from the value of the row under the given weights, or null
  private evalProblem(): string | null {
    let [mg, eg] = [0, 0];
    for (let i = 0; i < this.count; i++) {
      const entry = this.entries[i];
      mg += entryCoefficient(entry) * this.mg[entryIndex(entry)];
      eg += entryCoefficient(entry) * this.eg[entryIndex(entry)];
    }
    eg *= this.scale;
    const sum = (mg * this.phase + eg * (PHASES - this.phase)) / PHASES + this.rest;
    if (Math.abs(sum - this.eval) <= ROUNDING + Math.abs(mg - eg) / TAPER_STEPS) return null;
    return `eval is ${this.eval}, but the row gives ${sum.toFixed(2)} with the header's weights; print the part that no term covers as rest, or correct the counts`;
  }
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= ZERO + 9;

const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
