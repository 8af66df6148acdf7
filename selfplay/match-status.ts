// Shows a running match on stderr: a small table redrawn in place on a terminal, otherwise a line every ten seconds.

import { failureLines, reportLines, statusLine } from './match-report.js';
import type { MatchResult } from './match-result.js';
import type { MatchSettings } from './match-settings.js';

const REDRAW_MS = 200;
const LINE_MS = 10_000;

export class MatchStatus {
  private readonly settings: MatchSettings;
  private readonly output: NodeJS.WriteStream;
  private shownAt = performance.now();
  private linesShown = 0;

  constructor(settings: MatchSettings, output: NodeJS.WriteStream = process.stderr) {
    this.settings = settings;
    this.output = output;
  }

  /** Shows the result so far, if it is time to. */
  update(result: MatchResult): void {
    const now = performance.now();
    if (now - this.shownAt < (this.output.isTTY ? REDRAW_MS : LINE_MS)) return;
    this.shownAt = now;
    if (this.output.isTTY) this.redraw(this.table(result));
    else this.output.write(`${statusLine(result, this.settings.games)}\n`);
  }

  /** Removes the table, so that the final lines take its place. */
  clear(): void {
    if (this.output.isTTY) this.redraw([]);
  }

  /** Writes a line that stays. */
  note(line: string): void {
    this.clear();
    this.output.write(`${line}\n`);
  }

  private table(result: MatchResult): string[] {
    const { games, concurrency } = this.settings;
    const [first, second] = result.engines;
    const head = `${first} - ${second}   ${concurrency} at a time`;
    return [head, statusLine(result, games), ...reportLines(result).slice(0, 4), ...failureLines(result)];
  }

  private redraw(lines: string[]): void {
    const up = this.linesShown > 0 ? `\x1b[${this.linesShown}A` : '';
    const width = Math.max(20, this.output.columns ?? 80) - 1;
    this.output.write(`${up}\x1b[J${lines.map((line) => `${line.slice(0, width)}\n`).join('')}`);
    this.linesShown = lines.length;
  }
}
