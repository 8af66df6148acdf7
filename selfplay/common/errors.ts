// UserError, which is printed without a stack trace, and functions that collect problems in data, count items, and sanitise and quote text
// for messages.

/** A user error; its message names the file, line or option. */
export class UserError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns the result of `run`. Errors other than UserErrors become UserErrors whose messages begin with `what`. */
export function attempt<T>(what: string, run: () => T, exitCode = 1): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${what}: ${causeOf(error)}`, exitCode);
  }
}

/** Returns an error's message; for a failed system call only its description, such as `no space left on device`. */
export function causeOf(error: unknown): string {
  const { code, message } = error as Error & { code?: string };
  if (code === undefined || !message.startsWith(`${code}: `)) return message;
  return message.slice(code.length + 2).replace(/, [a-z]+(?: '.*)?$/s, '');
}

/** Returns the text on one line with `?` for control characters, which could control the terminal or break a PGN. */
export function printable(text: string): string {
  return text.replace(/[\t\n\r]/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}

/** Problems in data: all are counted, but only the first 100 messages are kept, so a million bad lines do not fill memory. */
export interface Problems {
  count: number;
  /** The first messages, each `file:line: problem`. */
  readonly messages: string[];
}

const KEPT = 100;

/** Returns Problems without any entry. */
export const noProblems = (): Problems => ({ count: 0, messages: [] });

/** Counts a problem and keeps its message if it is among the first. */
export function addProblem(problems: Problems, file: string, line: number, what: string): void {
  problems.count++;
  if (problems.messages.length < KEPT) problems.messages.push(printable(`${file}:${line}: ${what}`));
}

/** Increases the count of a kind. */
export function addCount(counts: Record<string, number>, kind: string, by = 1): void {
  counts[kind] = (counts[kind] ?? 0) + by;
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
