// Progress of long work: on a terminal a line redrawn in place, with a bar in the remaining width; otherwise one line per minute.

import { LiveDisplay } from './live-display.js';

export interface ProgressDisplay {
  /** Shows that `value` units are done, with a word on how things stand. */
  update: (value: number, status: string) => void;
  /** Writes a line that stays. */
  note: (line: string) => void;
  /** Ends the display; what is printed next begins on a line of its own. */
  stop: () => void;
}

const WIDEST_BAR = 30;

/** Returns a progress display on stderr for work of `total` units, null if unknown; a name of the units adds their number at the start. */
export function showProgress(
  label: string,
  total: number | null,
  units?: string,
  output: NodeJS.WriteStream = process.stderr,
): ProgressDisplay {
  const display = new LiveDisplay(output);
  const startedAt = performance.now();
  let before: number | null = null;
  return {
    update(value, status) {
      if (total === null) {
        const text = `${label} ${value} | ${formatTime((performance.now() - startedAt) / 1000)} | ${status}`;
        display.update(
          () => [text],
          () => text,
        );
        return;
      }
      if (before === null) {
        before = Math.max(0, value - 1);
        const number = (count: number): string => count.toLocaleString('en-US');
        if (before > 0 && units !== undefined)
          display.note(`continues: ${number(before)} of ${number(total)} ${units} are there`);
      }
      // Units of earlier sessions do not count for the speed
      const seconds = (performance.now() - startedAt) / 1000;
      const eta = formatTime((seconds / Math.max(1, value - before)) * (total - value));
      const text = `${value}/${total} | ETA ${eta} | ${status}`;
      display.update(
        (width) => [`${label} ${bar(value / total, width - label.length - text.length - 2)}${text}`],
        () => `${label} ${text}`,
      );
    },
    note: (line) => display.note(line),
    stop: () => display.clear(),
  };
}

/** Returns a bar of at most so many characters, '' where there is no room for one. */
function bar(share: number, room: number): string {
  const width = Math.min(WIDEST_BAR, room);
  if (width < 4) return '';
  const full = Math.round(Math.min(1, share) * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} `;
}

/** Returns seconds as `0:07`, `12:30` or `1:02:03`. */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const two = (value: number): string => String(value % 60).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes}:${two(whole)}` : `${Math.floor(minutes / 60)}:${two(minutes)}:${two(whole)}`;
}

// Warnings of a long run: similar warnings are printed once, then at ten, a hundred, … occurrences.

/** What differs between warnings that are alike: which game, and how late. */
const PARTICULARS = /\bgame \d+|\b\d+ ?ms\b/g;

/** Returns what passes on the first of warnings that are alike, and later ones with their number ever more rarely. */
export function foldAlike(write: (message: string) => void): (message: string) => void {
  const counts = new Map<string, number>();
  return (message) => {
    const kind = message.replace(PARTICULARS, '');
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count === 1) write(message);
    else if (Number.isInteger(Math.log10(count))) write(`${message} (${count} alike so far)`);
  };
}
