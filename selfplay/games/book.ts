// Opening books: positions as EPD (four fields, the counters as hmvc and fmvn) or FEN, one a line, games as PGN, plain or gzipped, or
// Polyglot's moves by position. An invalid line is a UserError that names it.

import { FenError, formatFen, parseFen, STARTPOS } from '../../engine/board/fen.js';
import { makeMove } from '../../engine/board/kernel.js';
import type { Move } from '../../engine/board/move.js';
import { gameEnd } from '../../engine/board/rules.js';
import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { UserError } from '../common/errors.js';
import { fenOfEpd } from '../records/labelled-line.js';
import { readPgn } from '../records/pgn-reader.js';
import { noProblems } from '../records/read-problems.js';
import { readLineBlocks } from '../records/text-lines.js';
import { type Opening, type OpeningSettings, type OpeningSource, randomOpenings } from './openings.js';
import { polyglotOpenings } from './polyglot.js';

/** So many positions are checked when a book is opened, further ones as they are used. */
const CHECKED = 100_000;
/** More than the largest books have, and what fits in memory. */
const MAX_POSITIONS = 5_000_000;

/** The openings of a file, from the first again after the last. */
export interface Book extends OpeningSource {
  /** How many there are. */
  readonly size: number;
}

/** Returns the openings of a match: its book's, or random plies. The seed decides what is random. Throws a UserError. */
export async function openingSource(settings: OpeningSettings): Promise<OpeningSource> {
  const { openings: file, order, plies, start, seed, chess960, dfrc } = settings;
  const random = (): OpeningSource => randomOpenings(seed, plies, { chess960, isDouble: dfrc });
  const source = file === undefined ? random() : await bookSource({ file, order, plies }, seed);
  return start === 1 ? source : { opening: (pair) => source.opening(pair + start - 1) };
}

function bookSource(settings: BookSettings, seed: number): OpeningSource | Promise<Book> {
  return /\.bin$/i.test(settings.file)
    ? polyglotOpenings(settings.file, settings.plies, seed)
    : openBook(settings, seed);
}

/** A book's file, the order of its openings, and the maximum of plies taken from a game of it. */
export interface BookSettings extends Pick<OpeningSettings, 'order' | 'plies'> {
  file: string;
}

/** Opens a book; its order follows from the seed if it is random. Throws a UserError. */
export async function openBook(settings: BookSettings, seed: number): Promise<Book> {
  const { file, plies } = settings;
  const positions = /\.pgn(\.gz)?$/i.test(file) ? null : await positionBook(file);
  const entries = positions ?? (await gameBook(file, plies));
  if (entries.length === 0) throw new UserError(`${settings.file}: no openings in it`);
  const order = settings.order === 'random' ? shuffled(entries.length, seed) : null;
  return {
    size: entries.length,
    opening(pair) {
      const at = pair % entries.length;
      return entries[order === null ? at : order[at]]();
    },
  };
}

/** Reads a line of an EPD or FEN book into a FEN of six fields; throws a FenError. */
export function parseBookLine(line: string): string {
  const fen = fenOfEpd(line);
  const fields = line.trim().split(/\s+/).length;
  if (fields < 4) throw new FenError(`a position has at least four fields, not ${fields}`);
  parseFen(fen);
  if (gameEnd() !== null) throw new FenError('the game is over in this position');
  return fen;
}

// Null for a file that begins as PGN does
async function positionBook(file: string): Promise<(() => Opening)[] | null> {
  const problems = noProblems();
  const entries: (() => Opening)[] = [];
  for await (const { lines, first } of readLineBlocks(file, problems)) {
    for (const [i, line] of lines.entries()) {
      if (line.trim() === '' || line.startsWith('#')) continue;
      if (entries.length === 0 && /^\s*\[\w+ "/.test(line)) return null;
      const entry = (): Opening => {
        const fen = checkedLine(line, file, first + i);
        return { start: fen, moves: [], fen };
      };
      if (entries.push(entry) <= CHECKED) entry();
      if (entries.length > MAX_POSITIONS)
        throw new UserError(`${file}: a book of more than ${MAX_POSITIONS} positions`);
    }
  }
  if (problems.count > 0) throw new UserError(problems.messages[0]);
  return entries;
}

async function gameBook(file: string, plies: number): Promise<(() => Opening)[]> {
  const problems = noProblems();
  const entries: (() => Opening)[] = [];
  for await (const game of readPgn(file, problems)) {
    const start = game.tags.get('FEN') ?? STARTPOS;
    parseFen(start);
    const moves = game.moves.slice(0, plies);
    while (moves.length > 0 && endsGame(start, moves)) moves.pop();
    const opening = { start, moves, fen: formatFen() };
    entries.push(() => opening);
  }
  if (problems.count > 0) throw new UserError(problems.messages[0]);
  return entries;
}

// Leaves the position after the moves set.
function endsGame(start: string, moves: readonly Move[]): boolean {
  parseFen(start);
  for (const move of moves) makeMove(move);
  return gameEnd() !== null;
}

function checkedLine(line: string, file: string, number: number): string {
  try {
    return parseBookLine(line);
  } catch (error) {
    if (!(error instanceof FenError)) throw error;
    if (/[\p{Cc}\uFFFD]/u.test(line)) throw new UserError(`${file}:${number}: not a text file`);
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
