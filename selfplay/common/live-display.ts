// Shows a running command on stderr: a table redrawn in place on a terminal, otherwise a line a minute.

import { createLogUpdate } from 'log-update';

const REDRAW_MS = 200;
const LINE_MS = 60_000;

export class LiveDisplay {
  private readonly output: NodeJS.WriteStream;
  private readonly draw: ReturnType<typeof createLogUpdate>;
  private shownAt = performance.now();

  constructor(output: NodeJS.WriteStream = process.stderr) {
    this.output = output;
    this.draw = createLogUpdate(output, { showCursor: true });
  }

  /** Shows the table, made for so many columns, or the line, if it is time to. */
  update(table: (width: number) => string[], line: () => string): void {
    const now = performance.now();
    if (now - this.shownAt < (this.output.isTTY ? REDRAW_MS : LINE_MS)) return;
    this.shownAt = now;
    if (this.output.isTTY) this.show(...table(this.width));
    else this.output.write(`${line()}\n`);
  }

  /** Shows rows on a terminal at once, until something else is shown. */
  show(...rows: string[]): void {
    if (this.output.isTTY) this.draw(rows.flatMap((row) => wrap(row, this.width)).join('\n'));
  }

  private get width(): number {
    return (this.output.columns || 80) - 1;
  }

  /** Removes the table, so that other output can take its place. */
  clear(): void {
    if (this.output.isTTY) this.draw.clear();
  }

  /** Writes a line that stays. */
  note(line: string): void {
    this.clear();
    this.output.write(`${fitted(line, this.output)}\n`);
  }
}

/** Returns the text with its lines broken between words where the terminal would cut words and numbers; as it is elsewhere. */
export function fitted(text: string, output: NodeJS.WriteStream): string {
  if (!output.isTTY) return text;
  return text
    .split('\n')
    .flatMap((row) => wrap(row, output.columns || 80))
    .join('\n');
}

/** Returns the row in lines of at most so many characters, broken between words: a truncated number would be wrong. */
function wrap(row: string, width: number): string[] {
  const lines: string[] = [];
  let rest = row;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const end = blank > 0 ? blank : width;
    lines.push(rest.slice(0, end));
    rest = `  ${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}
