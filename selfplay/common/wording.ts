// Numbers, counts by kind, times, and text from files, as messages show them.

/** Returns the text on one line with `?` for control characters, which could control the terminal or break a PGN. */
export function printable(text: string): string {
  return text.replace(/[\t\n\r]/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}

/** Returns a number with thousands separators: `1,000`. */
export const thousands = (count: number): string => count.toLocaleString('en-US');

/** Returns a number with its noun: `1 game`, `1,000 games`. `nouns` is the plural. */
export function counted(count: number, nouns: string): string {
  return `${thousands(count)} ${count === 1 ? nouns.replace(/s\b/, '') : nouns}`;
}

const MAX_SHOWN = 20;

/** Returns text from a file in quotes, shortened to 20 characters. */
export function quoted(text: string): string {
  const letters = [...text];
  return `'${letters.length <= MAX_SHOWN ? text : `${letters.slice(0, MAX_SHOWN).join('')}…`}'`;
}

/** Increases the count of a kind. */
export function addCount(counts: Record<string, number>, kind: string, by = 1): void {
  counts[kind] = (counts[kind] ?? 0) + by;
}

/** Returns a number with a minus sign instead of a hyphen. */
export const withMinus = (value: number): string => String(value).replace('-', '−');

/** Returns a number with its sign. */
export const signed = (value: number, digits = 0): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;

/** Returns seconds as `0:07`, `12:30` or `1:02:03`. */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const two = (value: number): string => String(value % 60).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes}:${two(whole)}` : `${Math.floor(minutes / 60)}:${two(minutes)}:${two(whole)}`;
}
