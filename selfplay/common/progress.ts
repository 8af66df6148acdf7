// Progress of long tasks: on a terminal a bar with the remaining time, elsewhere one line per minute.

import { LiveDisplay, type Row } from './live-display.js';
import { formatTime, thousands } from './wording.js';

export interface ProgressDisplay {
  /** Moves the bar to `value` units and shows a status text. */
  update: (value: number, status: string) => void;
  /** Writes a permanent line. */
  note: (line: string) => void;
  /** Ends the display; further output begins on a new line. */
  stop: () => void;
}

/** Returns a progress display for `total` units (null if unknown). `units` is their noun in the line about a continued run. */
export function showProgress(
  label: string,
  total: number | null,
  units?: string,
  output: NodeJS.WriteStream = process.stderr,
): ProgressDisplay {
  const display = new LiveDisplay(output);
  const step = new Step(label, total, units);
  return {
    update(value, status) {
      const start = step.begin(value);
      if (start !== null) display.note(start);
      display.update(
        () => [step.row(value, status)],
        () => step.line(value, status),
      );
    },
    note: (line) => display.note(line),
    stop: () => display.clear(),
  };
}

/** Work of `total` units, null if unknown. */
export class Step {
  private readonly startedAt = performance.now();
  /** Units done before this process started, which are excluded from the speed. */
  private before: number | null = null;

  constructor(
    readonly label: string,
    private readonly total: number | null,
    private readonly units?: string,
  ) {}

  /** Returns, on the first call only, a line about the work done before this process started; null if there was none. */
  begin(value: number): string | null {
    if (this.before !== null || this.total === null) return null;
    this.before = Math.max(0, value - 1);
    if (this.before === 0 || this.units === undefined) return null;
    return `continuing: ${thousands(this.before)} of ${thousands(this.total)} ${this.units} done`;
  }

  row(value: number, status: string): Row {
    if (this.total === null) return this.line(value, status);
    return { label: this.label, share: value / this.total, text: this.text(value, status) };
  }

  line(value: number, status: string): string {
    return `${this.label} ${this.text(value, status)}`;
  }

  private text(value: number, status: string): string {
    const seconds = (performance.now() - this.startedAt) / 1000;
    if (this.total === null) return `${value} | ${formatTime(seconds)} | ${status}`;
    const eta = (seconds / Math.max(1, value - (this.before ?? 0))) * (this.total - value);
    return `${value}/${this.total} | ETA ${formatTime(eta)} | ${status}`;
  }
}

// Warnings of a long run: similar warnings are printed at the first, tenth, hundredth, … occurrence.

/** Parts in which similar warnings differ: game number and delay. */
const PARTICULARS = /\bgame \d+|\b\d+ ?ms\b/g;

/** Returns a function that passes on a warning if the number of similar ones so far is a power of ten, including 1. */
export function foldAlike(write: (message: string) => void): (message: string) => void {
  const counts = new Map<string, number>();
  return (message) => {
    const kind = message.replace(PARTICULARS, '');
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count === 1) write(message);
    else if (Number.isInteger(Math.log10(count))) write(`${message} (${count} similar so far)`);
  };
}
