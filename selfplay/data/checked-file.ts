// The report on one checked file.

import type { Problems } from '../common/errors.js';

/** The report on a file; the JSON summary uses the same names. */
export class CheckedFile {
  /** `epd`, `labels`, `book`, or a game format. */
  kind = 'labels';
  /** Games in the file, including excluded and faulty ones. */
  games = 0;
  /** Plies of all read games, except games of other variants. */
  plies = 0;
  /** Positions in the used games, in the readable lines, or in the book. */
  positions = 0;
  /** Number of games used by `tune` or `match --openings`; in files without games, positions; in Polyglot books, moves. */
  used = 0;
  /** Used games or positions by White's result. */
  results = { white: 0, draw: 0, black: 0 };
  /** Readable but excluded games or positions by reason. */
  excluded: Record<string, number> = {};
  repaired: Record<string, number> = {};
  /** Number of faults. In PGN and position files, only the first hundred are listed. */
  faultCount = 0;
  faults: { line: number; text: string }[] = [];
  /** Format, container, encoding and line endings. */
  format: string[] = [];
  /** Further facts for the terminal: name and text. */
  facts: [name: string, text: string][] = [];
  warnings: string[] = [];
  /** A few games or positions of the file. */
  sample: string[] = [];

  constructor(readonly file: string) {}

  /** Adds a fault in its printed form, `file:line: problem`. */
  addFault(message: string): void {
    const rest = message.startsWith(`${this.file}:`) ? message.slice(this.file.length + 1) : '';
    const [, line = '0', text = message] = /^(\d+): (.*)$/s.exec(rest) ?? [];
    this.faultCount++;
    this.faults.push({ line: Number(line), text });
  }

  /** Counts a result in White's points: 0, 0.5 or 1. */
  addResult(points: number): void {
    if (points === 1) this.results.white++;
    else if (points === 0) this.results.black++;
    else this.results.draw++;
  }

  /** Adds the reader's problems and the examples. A file with no games or positions (`what`) counts as faulty. */
  finish({ count, messages }: Problems, examples: Examples, what: 'games' | 'positions'): void {
    for (const message of messages) this.addFault(message);
    this.faultCount += count - messages.length;
    if (this[what] === 0 && this.faultCount === 0) this.addFault(`${this.file}: no ${what}`);
    this.sample = examples.take();
  }
}

/** Sample of up to ten of many items, evenly spaced from the first one. */
export class Examples {
  private items: string[] = [];
  private stride = 1;
  private seen = 0;

  /** Offers an item. The function is called only if the item enters the sample. */
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
