// Shows what is going on, on stderr: a table redrawn in place on a terminal, otherwise a line every ten seconds.

const REDRAW_MS = 200;
const LINE_MS = 10_000;

export class LiveDisplay {
  private readonly output: NodeJS.WriteStream;
  private shownAt = performance.now();
  private linesShown = 0;

  constructor(output: NodeJS.WriteStream = process.stderr) {
    this.output = output;
  }

  /** Shows the table, or the line, if it is time to. */
  update(table: () => string[], line: () => string): void {
    const now = performance.now();
    if (now - this.shownAt < (this.output.isTTY ? REDRAW_MS : LINE_MS)) return;
    this.shownAt = now;
    if (this.output.isTTY) this.redraw(table());
    else this.output.write(`${line()}\n`);
  }

  /** Removes the table, so that other output can take its place. */
  clear(): void {
    if (this.output.isTTY) this.redraw([]);
  }

  /** Writes a line that stays. */
  note(line: string): void {
    this.clear();
    this.output.write(`${line}\n`);
  }

  // Lines are cut to the terminal's width: a wrapped one would spoil the count of lines to go up.
  private redraw(lines: string[]): void {
    const up = this.linesShown > 0 ? `\x1b[${this.linesShown}A\x1b[J` : '';
    const width = (this.output.columns || 80) - 1;
    this.output.write(up + lines.map((line) => `${line.slice(0, width)}\n`).join(''));
    this.linesShown = lines.length;
  }
}
