// The commands that the executable accepts as arguments: bench, genfens and help.

import { parseFen } from '../board/fen.js';
import { BENCH_DEPTH, bench, benchLine } from './bench.js';
import { genfens, OpeningError } from './random-opening.js';

/** Returns a file's text; throws if it cannot be read. */
export type ReadFile = (name: string) => string;

/** Error for an invalid argument; its message is the line to print. */
export class ArgumentError extends Error {}

const USAGE = `usage: heft [--weights FILE] [--tune-options] [COMMAND]

Without a command, heft runs as a UCI engine on standard input and output.

  --weights FILE          uses the weights in FILE
  --tune-options          also offers the search parameters as UCI options
  bench [DEPTH]           searches fixed positions to DEPTH (${BENCH_DEPTH} by default) and prints "N nodes M nps"
  genfens N seed S [book FILE]
                          prints N random openings for self-play, played from positions of an EPD book or from the start position
  --help                  prints this text
  --version               prints the name and version`;

/** Yields the lines that `bench [depth]`, `genfens N seed S book B` or `--help` prints; throws an ArgumentError for other words. */
export function* commandLines(words: readonly string[], readFile: ReadFile): Generator<string> {
  if (words[0] === 'help' || words.some((word) => word === '--help' || word === '-h')) yield USAGE;
  else if (words[0] === 'bench') {
    const depth = words[1] === undefined ? undefined : wholeNumber('bench', words[1]);
    if (words[2] !== undefined)
      throw new ArgumentError(
        `unknown argument '${words[2]}'; bench takes only a depth, and options come before bench`,
      );
    yield benchLine(bench(depth));
  } else if (words[0] === 'genfens') {
    const after = (name: string): string | undefined => words[words.indexOf(name) + 1];
    const book = words.includes('book') ? (after('book') ?? 'None') : 'None';
    const seed = words.includes('seed') ? wholeNumber('seed', after('seed')) : 0;
    const count = wholeNumber('genfens', words[1]);
    try {
      yield* genfens(count, seed, book === 'None' ? [] : readBook(book, readFile));
    } catch (error) {
      throw error instanceof OpeningError ? new ArgumentError(`genfens: ${error.message}`) : error;
    }
  } else
    throw new ArgumentError(
      `unknown argument '${words[0]}'; usage: heft [--weights FILE] [bench [DEPTH] | "genfens N seed S book B"], or heft --help`,
    );
}

function wholeNumber(name: string, text: string | undefined): number {
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text);
  throw new ArgumentError(`${name} takes a whole number, not '${text ?? ''}'`);
}

function readBook(file: string, readFile: ReadFile): string[] {
  let at = file;
  try {
    const lines = readFile(file)
      .split(/\r?\n/)
      .map((line) => line.split(';')[0].trim());
    for (const [i, line] of lines.entries()) {
      at = `${file}:${i + 1}`;
      if (/^(?:\S+\s+){4}(?:\d+\s+){0,2}moves(?:\s|$)/.test(line))
        throw new Error('genfens takes positions without moves');
      if (line !== '') parseFen(line);
    }
    at = file;
    if (lines.every((line) => line === '')) throw new Error('no positions');
    return lines.filter((line) => line !== '').map((line) => line.split(/\s+/).slice(0, 4).join(' '));
  } catch (error) {
    throw new ArgumentError(`book ${at}: ${(error as Error).message}`);
  }
}
