// The report of a check, and the functions that fill it in.

import type { Problems } from '../common/errors.js';

/** The report on a file; the JSON summary uses the same names. */
export interface CheckedFile {
  file: string;
  /** `epd`, `labels`, `book`, or a game format. */
  kind: string;
  /** Games in the file, including excluded and faulty ones. */
  games: number;
  /** Plies of the games read, except those of other variants. */
  plies: number;
  /** Positions in the used games, in the readable lines, or in the book. */
  positions: number;
  /** Games, positions in files without games, or moves of a Polyglot book, that `tune` or `match --openings` uses. */
  used: number;
  /** Used games or positions by White's result. */
  results: { white: number; draw: number; black: number };
  /** Readable but excluded games or positions by reason. */
  excluded: Record<string, number>;
  repaired: Record<string, number>;
  /** Number of faults; of those in PGN and position files, the first hundred are listed. */
  faultCount: number;
  faults: { line: number; text: string }[];
  /** Format, container, encoding and line endings. */
  format: string[];
  /** Further facts for the terminal: name and text. */
  facts: [name: string, text: string][];
  warnings: string[];
  /** A few games or positions of the file. */
  sample: string[];
}

/** Returns an empty report, whose kind is determined later. */
export function emptyCheck(file: string): CheckedFile {
  return {
    file,
    kind: 'labels',
    games: 0,
    plies: 0,
    positions: 0,
    used: 0,
    results: { white: 0, draw: 0, black: 0 },
    excluded: {},
    repaired: {},
    faultCount: 0,
    faults: [],
    format: [],
    facts: [],
    warnings: [],
    sample: [],
  };
}

/** Adds a fault in its printed form, `file:line: problem`. */
export function addFault(check: CheckedFile, message: string): void {
  const rest = message.startsWith(`${check.file}:`) ? message.slice(check.file.length + 1) : '';
  const [, line = '0', text = message] = /^(\d+): (.*)$/s.exec(rest) ?? [];
  check.faultCount++;
  check.faults.push({ line: Number(line), text });
}

/** Adds the problems of a reader. */
export function addProblems(check: CheckedFile, { count, messages }: Problems): void {
  for (const message of messages) addFault(check, message);
  check.faultCount += count - messages.length;
}

/** Counts a result: White's points. */
export function addResult({ results }: CheckedFile, points: number): void {
  if (points === 1) results.white++;
  else if (points === 0) results.black++;
  else results.draw++;
}

/** Keeps up to ten of many items, evenly spaced from the first one. */
export class Examples {
  private items: string[] = [];
  private stride = 1;
  private seen = 0;

  /** Offers an item; the function is called only if the item is kept for now. */
  offer(item: () => string): void {
    if (this.seen++ % this.stride !== 0) return;
    this.items.push(item());
    if (this.items.length < 2 * SAMPLE) return;
    this.items = this.items.filter((_, i) => i % 2 === 0);
    this.stride *= 2;
  }

  /** Returns at most ten of the items. */
  take(): string[] {
    return this.items.slice(0, SAMPLE);
  }
}

const SAMPLE = 10;
