// UserError, which is printed without a stack trace, and functions that collect problems in data.

import { printable } from './wording.js';

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
