// What a file turned out to hold: the report of a check, and what its parts are gathered with.

import type { Problems } from '../common/errors.js';

export type CheckedKind = 'pgn' | 'epd' | 'labels' | 'book' | 'viriformat';

/** What a file holds; the summary for scripts has the same names. */
export interface CheckedFile {
  file: string;
  kind: CheckedKind;
  /** Games in the file, those left out and faulty ones included. */
  games: number;
  /** Plies of the games that were read, of other variants none. */
  plies: number;
  /** Positions that the used games or lines have. */
  positions: number;
  /** Games, or of files without games positions, that `tune` or `match --openings` takes in. */
  used: number;
  /** Of what is used, by White's result. */
  results: { white: number; draw: number; black: number };
  /** Of what is readable, by reason. */
  excluded: Record<string, number>;
  repaired: Record<string, number>;
  /** How many faults there are; the first hundred are listed. */
  faultCount: number;
  faults: { line: number; text: string }[];
  /** Container, encoding, line ends. */
  format: string[];
  /** Further facts for the terminal: name and text. */
  facts: [name: string, text: string][];
  warnings: string[];
  /** A few games or positions of the file. */
  sample: string[];
}

/** Returns the report of a file of a kind that holds nothing. */
export function emptyCheck(file: string, kind: CheckedKind): CheckedFile {
  return {
    file,
    kind,
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

/** Adds a fault as it is printed, `file:line: what`. */
export function addFault(check: CheckedFile, message: string): void {
  const [, line = '0', text = message] = new RegExp(`^${escaped(check.file)}:(\\d+): (.*)$`, 's').exec(message) ?? [];
  check.faultCount++;
  check.faults.push({ line: Number(line), text });
}

/** Adds the problems of a reader. */
export function addProblems(check: CheckedFile, { count, messages }: Problems): void {
  for (const message of messages) addFault(check, message);
  check.faultCount += count - messages.length;
}

/** Counts a result: White's points. */
export function countResult({ results }: CheckedFile, points: number): void {
  if (points === 1) results.white++;
  else if (points === 0) results.black++;
  else results.draw++;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Keeps ten of many items, spread evenly over those given so far. */
export class Sample {
  private items: string[] = [];
  private stride = 1;
  private seen = 0;

  /** Offers an item; the function is called only if it is kept for now. */
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
