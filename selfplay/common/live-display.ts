// Displays the progress of a command on stderr. On a terminal, cli-progress redraws bars and lines in place. Elsewhere one line is printed
// per minute.

import { MultiBar, type Options, type SingleBar } from 'cli-progress';

const REDRAW_MS = 200;
const LINE_MS = 60_000;
const WIDEST_BAR = 30;

/** A row with a bar between its label and its text; `share` is from 0 to 1. */
export interface BarRow {
  label: string;
  share: number;
  text: string;
}

export type Row = string | BarRow;

export class LiveDisplay {
  private multibar: MultiBar | null = null;
  private bars: SingleBar[] = [];
  private shownAt = performance.now();

  /** `head` returns the top rows. */
  constructor(
    private readonly output: NodeJS.WriteStream = process.stderr,
    private readonly head: () => readonly Row[] = () => [],
  ) {}

  /** Width of a row in columns. */
  get width(): number {
    return Math.max(NARROWEST, this.output.columns || 80) - 1;
  }

  /** Shows the rows on a terminal; elsewhere prints the line once per minute. */
  update(rows: () => readonly Row[], line: () => string): void {
    const now = performance.now();
    if (now - this.shownAt < (this.output.isTTY ? REDRAW_MS : LINE_MS)) return;
    this.shownAt = now;
    if (this.output.isTTY) this.show(...rows());
    else this.output.write(`${line()}\n`);
  }

  /** Immediately shows rows on a terminal until they are replaced. */
  show(...rows: readonly Row[]): void {
    if (!this.output.isTTY) return;
    const { width } = this;
    const lines = [...this.head(), ...rows].flatMap((row) => (hasRoom(row, width) ? [row] : wrap(textOf(row), width)));
    // The cursor cannot move above the top of the terminal, so each redraw of a taller table would add a copy to the scrollback
    const height = Math.max(2, (this.output.rows || 24) - 1);
    const hidden = lines.length - height;
    if (hidden > 0) lines.splice(height - 1, hidden + 1, `… ${hidden + 1} more lines`.slice(0, width));
    if (lines.length !== this.bars.length) {
      this.clear();
      this.open(lines.length);
    }
    for (const [i, row] of lines.entries()) this.bars[i].update(0, { row });
    // The display's timer does not fire while a fit blocks the thread
    this.multibar?.update();
  }

  private open(rows: number): void {
    const multibar = new MultiBar({
      stream: this.output,
      fps: 1000 / REDRAW_MS,
      linewrap: true,
      clearOnComplete: true,
      format: (options: Options, { maxWidth }: { maxWidth: number }, { row }: { row?: Row }) =>
        row === undefined ? '' : drawn(row, maxWidth - 1, options),
      barCompleteChar: '█',
      barIncompleteChar: '░',
      barsize: WIDEST_BAR,
    } as Options);
    this.bars = Array.from({ length: rows }, () => multibar.create(1, 0));
    this.multibar = multibar;
    // The redraw timer would keep a failed command alive
    const unref = (): unknown => (multibar as unknown as { timer: NodeJS.Timeout }).timer.unref?.();
    multibar.on('update-post', unref);
    unref();
  }

  /** Removes the rows to make room for other output. */
  clear(): void {
    this.multibar?.stop();
    this.multibar = null;
    this.bars = [];
  }

  /** Writes a permanent line. */
  note(line: string): void {
    this.clear();
    this.output.write(`${fitted(line, this.output)}\n`);
  }
}

const textOf = (row: Row): string => (typeof row === 'string' ? row : `${row.label} ${row.text}`);
const hasRoom = (row: Row, width: number): boolean => textOf(row).length <= width;

function drawn(row: Row, width: number, { barCompleteString = '', barIncompleteString = '' }: Options): string {
  const room = Math.min(WIDEST_BAR, width - textOf(row).length - 1);
  if (typeof row === 'string' || room < 4) return textOf(row);
  const full = Math.round(Math.min(1, row.share) * room);
  return `${row.label} ${barCompleteString.slice(0, full)}${barIncompleteString.slice(0, room - full)} ${row.text}`;
}

/** Returns the text wrapped between words on a terminal, otherwise unchanged. */
export function fitted(text: string, output: NodeJS.WriteStream): string {
  if (!output.isTTY) return text;
  return text
    .split('\n')
    .flatMap((row) => wrap(row, Math.max(NARROWEST, output.columns || 80)))
    .join('\n');
}

const INDENT = '  ';
/** Smallest assumed width of a terminal, in columns. */
const NARROWEST = 8;

/** Wraps the row between words to the width, because a truncated number would be wrong. */
function wrap(row: string, width: number): string[] {
  const lines: string[] = [];
  let rest = row;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    // A word that is longer than a line is split
    const end = rest.slice(0, Math.max(0, blank)).trim() === '' ? width : blank;
    lines.push(rest.slice(0, end));
    rest = `${INDENT}${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}

/** Returns the rows of a table as lines, with the columns in `left` left-aligned and the others right-aligned. */
export function alignedLines(rows: readonly (readonly string[])[], left: readonly number[] = [0]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const pad = (cell: string, column: number): string =>
    left.includes(column) ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  return rows.map((row) => row.map(pad).join('  ').trimEnd());
}
