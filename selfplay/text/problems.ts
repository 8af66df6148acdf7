// Counts the problems met while reading data and keeps the first few with their places, so that a file with a million bad lines
// is reported without filling memory.

import { printable } from '../common/errors.js';

export interface Problems {
  /** How many there were in all. */
  count: number;
  /** The first of them, each `file:line: what`. */
  readonly messages: string[];
}

const KEPT = 100;

/** Returns an empty list. */
export function noProblems(): Problems {
  return { count: 0, messages: [] };
}

/** Counts a problem and keeps its message if it is among the first. */
export function addProblem(problems: Problems, file: string, line: number, what: string): void {
  problems.count++;
  if (problems.messages.length < KEPT) problems.messages.push(printable(`${file}:${line}: ${what}`));
}

/** Counts one more of a kind, or `by` more. */
export function addCount(counts: Record<string, number>, kind: string, by = 1): void {
  counts[kind] = (counts[kind] ?? 0) + by;
}

const MAX_SHOWN = 20;

/** Returns text from a file in quotes, at most 20 characters of it. */
export function quoted(text: string): string {
  const letters = [...text];
  return `'${letters.length <= MAX_SHOWN ? text : `${letters.slice(0, MAX_SHOWN).join('')}…`}'`;
}
