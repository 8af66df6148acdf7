// What was wrong with data that was read: every problem is counted, the first ones are kept with their place, so that a file
// of a million bad lines neither fills the memory nor passes unnoticed.

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
  if (problems.messages.length < KEPT) problems.messages.push(`${file}:${line}: ${what}`);
}
