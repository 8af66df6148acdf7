// Parses lines that begin with a position: FEN, EPD with operations, or `position fen … moves …`. The readers of labelled positions, books
// and suites and the playing page share this parser. It checks that the board has eight ranks of eight squares and one king per side, but
// not whether the position is legal.

import { quoted } from '../common/wording.js';

/** An EPD operation: its name and its operands without quotes. */
export interface Operation {
  name: string;
  operands: string[];
}

export interface PositionLine {
  /** Six fields, with counters `0 1` by default. */
  fen: string;
  /** Whether the line has the castling rights and the en-passant square. */
  isWhole: boolean;
  operations: Operation[];
  /** Moves to play from the position, as text. */
  moves: string[];
  /** Text after the position, including its operations; empty if moves follow it. */
  rest: string;
}

const PREFIX = /^\s*(?:position\s+)?(?:fen\s+)?(?=["']?[1-8pnbrqk]{1,8}\/)/i;
const START = /^\s*position\s+startpos\b/i;
const BOARD = /^["'[(]?((?:[1-8pnbrqk]{1,8}\/){7}[1-8pnbrqk]{1,8})\s+([wb])(?![A-Za-z0-9])/i;
const END = String.raw`(?=[\s;,|"'\])]|$)`;
/** Castling, then the en-passant square, then one or both counters. A number in their place is a result only if it is `1,0`, `0,5` or `0,0` at the end of the line. */
const FIELDS = new RegExp(
  String.raw`^(?:\s+(-|[A-Ha-hKQkq]{1,4})${END}(?:\s+(-|[a-h][1-8])${END}(?: +(?![01],[05]0?[;\s]*$)(-?\d+)(?: +(-?\d+))?${END})?)?)?`,
);
const MOVES = /^(?:[;"']\s*)?moves?\s+(.*)$/i;

/** Parses a line that begins with a position; returns its contents or an error message. */
export function parsePositionLine(line: string): PositionLine | string {
  const start = START.exec(line);
  if (start !== null) return withRest(STARTING, true, line.slice(start[0].length));
  const text = line.slice(PREFIX.exec(line)?.[0].length ?? 0).trimStart();
  const board = BOARD.exec(text);
  if (board === null) return boardFault(text);
  const rest = text.slice(board[0].length);
  const [others = '', castling, square, halfmove, fullmove] = FIELDS.exec(rest) ?? [];
  const fields = [board[1], board[2].toLowerCase(), castling ?? '-', square ?? '-'];
  const fault = shapeFault(fields[0]);
  if (fault !== null) return fault;
  const parsed = withRest(fields.join(' '), square !== undefined, rest.slice(others.length));
  const value = (name: string): string | undefined => operandsOf(parsed.operations, name)?.[0];
  const half = halfmove ?? value('hmvc') ?? '0';
  const full = fullmove ?? value('fmvn') ?? '1';
  return { ...parsed, fen: `${fields.join(' ')} ${half} ${full}` };
}

/** Parses text that is only a position, which may have operations; returns its contents or an error message. */
export function parseOnlyPosition(text: string): PositionLine | string {
  const position = parsePositionLine(text);
  if (typeof position === 'string') return position;
  const { isWhole, moves, rest } = position;
  const other = moves.length > 0 ? `moves ${moves.join(' ')}` : rest.trim();
  // The last operation may lack its semicolon
  const isOnly = other === '' || (isWhole && moves.length === 0 && other.includes(';'));
  return isOnly ? position : `unexpected text after the position: ${quoted(other)}`;
}

const STARTING = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

function withRest(fen: string, isWhole: boolean, text: string): PositionLine {
  const rest = text.replace(/^["'\])]/, '');
  const moves = MOVES.exec(rest.trimStart());
  if (moves !== null) {
    const words = moves[1].replace(/[;"']\s*$/, '').split(/\s+/);
    return { fen, isWhole, operations: [], moves: words.filter((word) => word !== ''), rest: '' };
  }
  return { fen, isWhole, operations: parseOperations(rest), moves: [], rest };
}

const OPCODE = /^[A-Za-z]\w{0,15}$/;

/** Returns the EPD operations in a text and skips other text. Quotes protect blanks and semicolons. */
export function parseOperations(text: string): Operation[] {
  const operations: Operation[] = [];
  let words: string[] = [];
  const finish = (): void => {
    if (words.length > 0 && OPCODE.test(words[0])) operations.push({ name: words[0], operands: words.slice(1) });
    words = [];
  };
  for (const [token, , quoted] of text.matchAll(/"((?:[^"\\]|\\.)*)("|$)|;|[^\s;"]+/g)) {
    if (token === ';') finish();
    else if (token.startsWith('"')) words.push(token.slice(1, quoted === '"' ? -1 : undefined));
    else words.push(token);
  }
  finish();
  return operations;
}

/** Returns the operands of the first operation with this name, or undefined. `name` is in lower case; the text may use any case. */
export function operandsOf(operations: readonly Operation[], name: string): string[] | undefined {
  return operations.find((operation) => operation.name.toLowerCase() === name)?.operands;
}

const BEGINNING = /^\s*(?:position\s+)?(?:fen\s+)?["'[(]?[1-8pnbrqkPNBRQK]{1,8}(?:\/[1-8pnbrqkPNBRQK]{1,9}){3,}/;

/** Returns whether the text begins with a position, valid or not. */
export const beginsWithPosition = (text: string): boolean => BEGINNING.test(text) || START.test(text);

function boardFault(text: string): string {
  const [board, side] = text.split(/\s+/, 2);
  if (!board?.includes('/')) return `${quoted(text)} is not a position`;
  const fault = shapeFault(board.replace(/^["'[(]/, ''));
  if (fault !== null) return fault;
  return side === undefined ? 'the side to move is missing' : `the side to move must be w or b, not ${quoted(side)}`;
}

// Requires eight ranks of eight squares, and one king per side
function shapeFault(board: string): string | null {
  let rank = 0;
  let file = 0;
  let kings = 0;
  for (const letter of board.slice(0, 100)) {
    if (letter === '/') {
      if (file !== 8) return `rank ${8 - rank} has ${file} squares instead of 8`;
      rank++;
      file = 0;
    } else if (letter >= '1' && letter <= '8') {
      file += letter.charCodeAt(0) - 48;
    } else {
      if (!'pnbrqkPNBRQK'.includes(letter)) return `${quoted(letter)} is not a piece`;
      if (letter === 'k') kings++;
      else if (letter === 'K') kings += 16;
      file++;
    }
  }
  if (rank !== 7 || file !== 8) return 'the board is not 8 ranks of 8 squares';
  return kings === 17 ? null : 'each side must have exactly one king';
}
