// Converts requests to UCI lines. Every value is checked first, because strings could contain commands, and numbers such as 1.5 or 1e21
// would not be printed as integers. For an invalid value, a TypeError names the argument, the value and the accepted values.

import { FenError, formatFen, parseFen, STARTPOS } from '../board/fen.js';
import { NO_MOVE } from '../board/move.js';
import { setChess960 } from '../board/position.js';
import { advanceGame, parseUciMove } from '../board/rules.js';
import { didYouMean } from '../names.js';
import { LIMITING } from '../uci/command.js';
import { MAX_ELO, MAX_LINES, MIN_ELO } from '../uci/options.js';
import type { PositionInput, SearchRequest } from './types.js';

/** Limits that must be positive integers, and limits in milliseconds. */
const COUNTS = ['depth', 'nodes', 'mate'] as const;
const CLOCKS = ['movetime', 'wtime', 'btime', 'winc', 'binc'] as const;
const POSITION_FIELDS = ['fen', 'moves'];
const SEARCH_FIELDS = [...POSITION_FIELDS, ...COUNTS, ...CLOCKS, 'movestogo', 'searchMoves', 'multiPv', 'elo'];
/** Largest accepted number. Larger ones are probably errors, and 1e21 would not be printed as an integer. */
const LONGEST = 2 ** 50;
const MOVE = /^[a-h][1-8][a-h][1-8][nbrq]?$/i;
const SHOWN = 60;

/** Returns a value for messages, on one line of limited length. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** Throws a TypeError unless the value is an object with only known properties, because a misspelt limit would cause an endless search. */
export function checkFields(name: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${name}: expected an object, not ${shown(value)}`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const remedy = didYouMean(unknown, known) || `; known properties: ${known.join(', ')}`;
  throw new TypeError(`${name}: unknown property ${shown(unknown)}${remedy}`);
}

/** Returns the number if it is an integer within the range. */
export function wholeNumber(name: string, value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  const range = max >= LONGEST ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new TypeError(`${name}: expected a whole number ${range}, not ${shown(value)}`);
}

/** Returns the value if it is true or false. */
export function trueOrFalse(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${name}: expected true or false, not ${shown(value)}`);
}

/** Throws a TypeError unless the value is a URL as text or as an object. */
export function checkUrl(name: string, value: unknown): void {
  const href: unknown = typeof value === 'object' && value !== null ? (value as { href?: unknown }).href : value;
  if (typeof href !== 'string' || href === '') throw new TypeError(`${name}: expected a URL, not ${shown(value)}`);
}

function milliseconds(name: string, value: unknown): number {
  if (typeof value === 'number' && Math.abs(value) <= LONGEST) return Math.round(value);
  throw new TypeError(`${name}: expected a number of milliseconds, not ${shown(value)}`);
}

function moveList(name: string, value: unknown): string[] {
  if (!Array.isArray(value)) throw new TypeError(`${name}: expected an array of moves, not ${shown(value)}`);
  return Array.from(value, (move: unknown) => {
    if (typeof move === 'string' && MOVE.test(move)) return move.toLowerCase();
    throw new TypeError(`${name}: expected moves such as e2e4 or e7e8q, not ${shown(move)}`);
  });
}

/** Sets up the position of a FEN in this isolate; throws a TypeError if it is invalid. */
export function setUpFen(fen: unknown, chess960: boolean): void {
  if (typeof fen !== 'string') throw new TypeError(`fen: expected a string, not ${shown(fen)}`);
  if (/\smoves(\s|$)/.test(fen)) throw new TypeError('fen: contains moves; pass the moves separately');
  setChess960(chess960);
  try {
    parseFen(fen);
  } catch (error) {
    throw error instanceof FenError ? new TypeError(`fen: ${error.message} in ${shown(fen)}`) : error;
  }
}

/** Returns the UCI line of a position, and its moves; overwrites this isolate's position. */
function readPosition({ fen, moves = [] }: PositionInput, chess960: boolean): { line: string; played: string[] } {
  const played = moveList('moves', moves);
  setUpFen(fen === undefined ? STARTPOS : fen, chess960);
  const line = `position fen ${formatFen()}${played.length > 0 ? ` moves ${played.join(' ')}` : ''}`;
  return { line, played };
}

// The moves are played only if the position is needed here; the engine checks them itself
function checkSearchMoves(played: readonly string[], searchMoves: readonly string[]): void {
  for (const text of played) {
    const move = parseUciMove(text);
    if (move === NO_MOVE) throw new TypeError(`moves: ${text} is not legal in ${formatFen()}`);
    advanceGame(move);
  }
  const wrong = searchMoves.find((move) => parseUciMove(move) === NO_MOVE);
  if (wrong !== undefined) throw new TypeError(`searchMoves: ${wrong} is not legal in ${formatFen()}`);
}

/** Returns the UCI line of a position; overwrites this isolate's position. */
export function positionLine(input: PositionInput, chess960: boolean): string {
  checkFields('position', input, POSITION_FIELDS);
  return readPosition(input, chess960).line;
}

/** A search as UCI lines: preparation and `go`. */
export interface SearchLines {
  before: string[];
  go: string;
}

/** Returns the lines of a search; overwrites this isolate's position. */
export function searchLines(request: SearchRequest, chess960: boolean): SearchLines {
  checkFields('request', request, SEARCH_FIELDS);
  const { line, played } = readPosition(request, chess960);
  const { searchMoves = [], multiPv = 1, elo, movestogo } = request;
  const only = moveList('searchMoves', searchMoves);
  if (only.length > 0) checkSearchMoves(played, only);

  const limits: string[] = [];
  for (const name of COUNTS) {
    const { [name]: value } = request;
    if (value !== undefined) limits.push(`${name} ${wholeNumber(name, value, 1, LONGEST)}`);
  }
  for (const name of CLOCKS) {
    const { [name]: value } = request;
    if (value !== undefined) limits.push(`${name} ${milliseconds(name, value)}`);
  }
  if (movestogo !== undefined) limits.push(`movestogo ${wholeNumber('movestogo', movestogo, 0, LONGEST)}`);
  const [first] = limits.map((limit) => limit.split(' ', 1)[0]);
  if (first === undefined) limits.push('infinite');
  else if (!LIMITING.some((name) => limits.some((limit) => limit.startsWith(`${name} `))))
    throw new TypeError(`${first}: needs wtime or btime`);

  const before = [line, `setoption name MultiPV value ${wholeNumber('multiPv', multiPv, 1, MAX_LINES)}`];
  before.push(`setoption name UCI_LimitStrength value ${elo !== undefined}`);
  if (elo !== undefined) before.push(`setoption name UCI_Elo value ${wholeNumber('elo', elo, MIN_ELO, MAX_ELO)}`);
  return { before, go: `go ${limits.join(' ')}${only.length > 0 ? ` searchmoves ${only.join(' ')}` : ''}` };
}
