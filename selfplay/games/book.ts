// Reads opening books of three kinds: positions in EPD (four fields, with the counters as hmvc and fmvn) or FEN, one per line and
// optionally followed by moves; PGN games; and Polyglot books. The content determines the format. For an invalid line, throws a UserError
// that gives its location.

import type { Opening } from '../../engine/commands/random-opening.js';
import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { noProblems, UserError } from '../common/errors.js';
import { invocation } from '../common/program.js';
import { advanceGame, FenError, formatFen, gameEnd, NO_MOVE, parseFen, STARTPOS } from '../notation/board.js';
import { parsePositionLine } from '../notation/epd.js';
import { moveOf, playWords } from '../notation/moves.js';
import { type FileKind, GAME_KINDS, kindOfFile } from '../records/file-kind.js';
import { readPgn } from '../records/pgn-reader.js';
import { readLineBlocks } from '../text/files.js';
import { TOO_LONG } from '../text/lines.js';
import { setUpStart } from './board.js';
import { type OpeningSettings, type OpeningSource, randomOpenings } from './openings.js';
import { polyglotOpenings } from './polyglot.js';

const IS_OVER = 'the game is over in this position';

/** Number of positions checked when a book is opened. Further positions are checked on use. */
const CHECKED = 100_000;
/** Maximum number of positions: more than in the largest books, but few enough to fit in memory. */
const MAX_POSITIONS = 5_000_000;

/** Returns the openings of a match, from its book, or from random plies with its seed. Throws a UserError for a faulty book. */
export async function openingSource(settings: OpeningSettings): Promise<OpeningSource> {
  const { start } = settings;
  const source = await numberedOpenings(settings);
  return (pair) => source(pair + start - 1);
}

async function numberedOpenings(settings: OpeningSettings): Promise<OpeningSource> {
  const { openings: file, order, plies, seed } = settings;
  if (file === undefined) return randomOpenings(settings);
  const kind = await kindOfFile(file);
  if (kind === 'polyglot' || (kind === 'viriformat' && /\.bin$/i.test(file)))
    return polyglotOpenings(file, plies, seed);
  return (await openBook({ file, order, plies }, seed, kind)).opening;
}

/** The file of a book, the order of its openings, and the maximum number of plies taken from a game. */
export interface BookSettings extends Pick<OpeningSettings, 'order' | 'plies'> {
  file: string;
}

/**
 * Returns the openings of a book, repeated cyclically, in file order or in a random order given by the seed. `known` is the kind of the
 * file; by default it is detected. Throws a UserError for an invalid book.
 */
export async function openBook({ file, order, plies }: BookSettings, seed: number, known?: FileKind) {
  const kind = known ?? (await kindOfFile(file));
  if (kind === 'polyglot')
    throw new UserError(`${file} is a Polyglot book, which self-play cannot use; give a book in EPD, FEN or PGN`);
  if (kind !== 'pgn' && kind in GAME_KINDS)
    throw new UserError(`${file} holds games in ${kind}; convert it to PGN with ${invocation('data')} convert`);
  const entries = kind === 'pgn' ? await gameBook(file, plies) : await positionBook(file);
  if (entries.length === 0) throw new UserError(`${file}: no openings`);
  const shuffle = order === 'random' ? shuffled(entries.length, seed) : null;
  return {
    size: entries.length,
    opening: (pair: number): Opening => {
      const at = pair % entries.length;
      return entries[shuffle?.[at] ?? at]();
    },
  };
}

/** Parses a line of an EPD or FEN book. The board then has the position of the opening. Throws a FenError for an invalid line. */
export function parseBookLine(line: string): Opening {
  const position = parsePositionLine(line);
  if (typeof position === 'string') throw new FenError(position);
  const { fen, isWhole, moves: words, rest } = position;
  if (!isWhole) throw new FenError('a position has four fields: board, side to move, castling, en passant');
  const start = setUpStart(fen);
  // The EPD comments c0 to c9 could also be pawn moves
  const [first = ''] = rest.match(/[^\s,;|]+/) ?? [];
  if (!/^c\d$/.test(first) && moveOf(first) > NO_MOVE)
    throw new FenError(`the moves after the position need the word moves before them: moves ${first} …`);
  const { moves, problem } = playWords(words);
  if (problem !== '') throw new FenError(problem);
  if (gameEnd() !== null) throw new FenError(IS_OVER);
  return { start, moves, fen: moves.length === 0 ? start : formatFen() };
}

async function positionBook(file: string): Promise<(() => Opening)[]> {
  const problems = noProblems();
  const entries: (() => Opening)[] = [];
  for await (const { lines, first, tooLong } of readLineBlocks(file, problems)) {
    for (const [i, line] of lines.entries()) {
      if (tooLong.includes(i)) throw new UserError(`${file}:${first + i}: ${TOO_LONG}`);
      if (line.trim() === '' || line.startsWith('#')) continue;
      const entry = (): Opening => checkedLine(line, file, first + i);
      if (entries.push(entry) <= CHECKED) entry();
      if (entries.length > MAX_POSITIONS)
        throw new UserError(`${file}: the book has more than ${MAX_POSITIONS} positions`);
    }
  }
  if (problems.count > 0) throw new UserError(problems.messages[0]);
  return entries;
}

async function gameBook(file: string, plies: number): Promise<(() => Opening)[]> {
  const problems = noProblems();
  const entries: (() => Opening)[] = [];
  for await (const game of readPgn(file, problems)) {
    if (game.variant !== '') throw new UserError(`${file}:${game.line}: variant ${game.variant} is not supported`);
    parseFen(game.tags.get('FEN') ?? STARTPOS);
    // UCI requires six fields, but a FEN tag may have fewer. Engines accept castling rights other than KQkq only in Chess960
    const start = formatFen();
    const moves = game.moves.slice(0, plies);
    while (moves.length > 0 && endsGame(start, moves)) moves.pop();
    if (moves.length === 0 && endsGame(start, moves)) throw new UserError(`${file}:${game.line}: ${IS_OVER}`);
    const opening = { start, moves, fen: formatFen() };
    entries.push(() => opening);
  }
  if (problems.count > 0) throw new UserError(problems.messages[0]);
  return entries;
}

// The board then has the position after the moves
function endsGame(start: string, moves: readonly Move[]): boolean {
  parseFen(start);
  for (const move of moves) advanceGame(move);
  return gameEnd() !== null;
}

function checkedLine(line: string, file: string, number: number): Opening {
  try {
    return parseBookLine(line);
  } catch (error) {
    if (!(error instanceof FenError)) throw error;
    if (line.includes('\uFFFD')) throw new UserError(`${file}:${number}: not a text file`);
    const message = error.message.replace(/'([^']{20})[^']+'/, "'$1…'");
    throw new UserError(`${file}:${number}: ${message}`);
  }
}

function shuffled(length: number, seed: number): Uint32Array {
  const random = createRandom(seed);
  const order = Uint32Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const j = randomBelow(random, i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
