// Games as PGN in cutechess's style: seven-tag roster, SAN, `{+0.31/12 0.045s}` after each move (mover's score, depth, time),
// `{book}` after book moves, the reason for the end in the last comment, lines of at most 80 characters.

import { formatFen, parseFen, STARTPOS } from '../../engine/board/fen.js';
import { state } from '../../engine/board/position.js';
import { advanceGame, formatSan } from '../../engine/board/rules.js';
import { setPosition } from '../../engine/board/setup.js';
import { WHITE } from '../../engine/board/types.js';
import { type PgnResult, resultTextOf } from '../common/game-result.js';
import { printable } from '../common/wording.js';
import { type GameRecord, MATE_BOUND, MATE_SCORE, UNSCORED } from './record.js';

/** A game to write. Scores, depths, times and notes cover the moves after the first `bookPlies`. A missing score is unknown. */
export interface PgnInput {
  event?: string;
  site?: string;
  /** For example `2026.01.31`. */
  date?: string;
  round?: string;
  white?: string;
  black?: string;
  result: PgnResult;
  /** FEN of the start position; default: the standard one. */
  start?: string;
  chess960?: boolean;
  moves: readonly Move[];
  bookPlies?: number;
  /** Centipawns for White; mates are encoded as described at MATE_SCORE. */
  scores?: readonly (number | null)[];
  depths?: readonly number[];
  milliseconds?: readonly number[];
  /** Further fields of the comments. */
  notes?: readonly string[];
  /** The reason for the end, such as `White mates`. */
  reason?: string;
  /** Value of the Termination tag, such as `normal`, `adjudication`, `time forfeit`. */
  termination?: string;
  timeControl?: string;
  /** Further tags, and values that override those above. */
  tags?: Record<string, string>;
}

const LINE = 80;

/** Returns the local date in PGN's format. */
export const pgnDate = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => `${part}`.padStart(2, '0')).join('.');

/** Returns the game as PGN, ending in an empty line. Overwrites the engine's position. */
export function formatPgn(game: PgnInput): string {
  const tags = tagsOf(game).map(([name, value]) => `[${name} "${escaped(value)}"]\n`);
  return `${tags.join('')}\n${wrapped([...movetext(game), game.result])}\n\n`;
}

/** Returns a record as PGN input: moves, scores, start and result. Overwrites the engine's position. */
export function pgnOfRecord(record: GameRecord): PgnInput {
  setPosition(record.start);
  return {
    start: formatFen(),
    moves: Array.from(record.moves),
    scores: Array.from(record.scores, (score) => (score === UNSCORED ? null : score)),
    result: resultTextOf(record.result),
  };
}

function tagsOf(game: PgnInput): [string, string][] {
  const isUsualStart = game.start === undefined || game.start === STARTPOS;
  const tags: [string, string | undefined][] = [
    ['Event', game.event ?? '?'],
    ['Site', game.site ?? '?'],
    ['Date', game.date ?? '????.??.??'],
    ['Round', game.round ?? '?'],
    ['White', game.white ?? '?'],
    ['Black', game.black ?? '?'],
    ['Result', game.result],
    ['SetUp', isUsualStart ? undefined : '1'],
    ['FEN', isUsualStart ? undefined : game.start],
    ['Variant', game.chess960 === true ? 'Chess960' : undefined],
    ['PlyCount', String(game.moves.length)],
    ['Termination', game.termination],
    ['TimeControl', game.timeControl],
  ];
  const own = tags.filter((tag): tag is [string, string] => tag[1] !== undefined);
  return [...new Map([...own, ...Object.entries(game.tags ?? {})])];
}

// Move numbers, moves and whole comments; line breaks split only long comments
function movetext(game: PgnInput): string[] {
  const bookPlies = game.bookPlies ?? 0;
  const words: string[] = [];
  parseFen(game.start ?? STARTPOS);
  game.moves.forEach((move, ply) => {
    if (state.stm === WHITE) words.push(`${state.fullmove}.`);
    else if (ply === 0) words.push(`${state.fullmove}...`);
    words.push(formatSan(move));
    const index = ply - bookPlies;
    const notes = index < 0 ? ['book'] : [searchNote(game, index, state.stm === WHITE), game.notes?.[index] ?? ''];
    if (ply === game.moves.length - 1) notes.push(game.reason ?? '');
    words.push(...comment(notes));
    advanceGame(move);
  });
  return game.moves.length > 0 ? words : comment([game.reason ?? '']);
}

function comment(notes: readonly string[]): string[] {
  const text = notes.filter((note) => note !== '').join(', ');
  return text === '' ? [] : [`{${printable(text).replaceAll('}', ')')}}`];
}

function searchNote(game: PgnInput, index: number, isWhite: boolean): string {
  const score = game.scores?.[index] ?? null;
  if (score === null) return '';
  const depth = game.depths?.[index] === undefined ? '' : `/${game.depths[index]}`;
  const time = game.milliseconds?.[index] === undefined ? '' : ` ${seconds(game.milliseconds[index])}`;
  return scoreInPawns(isWhite ? score : -score) + depth + time;
}

/** Returns a score in pawns as cutechess prints it: `+0.31`, `0.00`, `-M6` (plies to mate). */
export function scoreInPawns(centipawns: number): string {
  const size = Math.abs(centipawns);
  const sign = centipawns > 0 ? '+' : centipawns < 0 ? '-' : '';
  return sign + (size > MATE_BOUND ? `M${Math.max(0, MATE_SCORE - size)}` : (size / 100).toFixed(2));
}

// Uses the precision of cutechess, which is finer for shorter times
function seconds(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  const digits = milliseconds < 100 ? 3 : milliseconds < 1000 ? 2 : milliseconds < 10_000 ? 1 : 0;
  return `${(milliseconds / 1000).toFixed(digits)}s`;
}

const escaped = (value: string): string => printable(value).replace(/["\\]/g, '\\$&').replace(/ +/g, ' ');

/** Columns reserved for the numbered move before a comment. */
const MOVE = 12;

// No line begins with a comment, because fastchess would not read it. Only comments that are too long to share a line are broken at spaces
function wrapped(words: readonly string[]): string {
  const pieces: string[] = [];
  for (const piece of words.flatMap((unit) => (unit.length > LINE - MOVE ? unit.split(' ') : [unit]))) {
    if (piece.startsWith('{') && pieces.length > 0) pieces.push(`${pieces.pop()} ${piece}`);
    else pieces.push(piece);
  }
  let text = '';
  let column = 0;
  for (const piece of pieces) {
    const fits = column + 1 + piece.length <= LINE;
    text += column === 0 ? piece : fits ? ` ${piece}` : `\n${piece}`;
    column = column > 0 && fits ? column + 1 + piece.length : piece.length;
  }
  return text;
}
