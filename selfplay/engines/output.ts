// Reads the output of a UCI engine: lines in a chunk of output, option declarations, error messages.

import { printable } from '../common/wording.js';

const SPACE = 0x20;

/** Returns the index of the word in the first line that starts with it after any blanks, or -1. */
export function findLine(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(text.lastIndexOf('\n', at) + 1, at);
    if (before.trim() === '' && !(text.charCodeAt(at + word.length) > SPACE)) return at;
  }
  return -1;
}

/** Returns the line that begins at the index. */
export function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.slice(at) : text.slice(at, end);
}

/** Returns the most informative line of error output: the last line that mentions an error, otherwise the last line. */
export function lastComplaint(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.findLast((line) => /error|panic|assert|abort|exception/i.test(line));
  const line = telling ?? lines.at(-1);
  return line === undefined ? undefined : printable(line.trim().slice(0, 200));
}

/** Returns the reason why an option with this declaration (undefined: not declared) rejects the value, or null. */
export function optionProblem(declaration: string | undefined, value: string): string | null {
  if (declaration === undefined) return 'the engine has no such option';
  if (declaration.startsWith('check')) return /^(true|false)$/.test(value) ? null : 'it takes true or false';
  if (declaration.startsWith('combo')) {
    const choices = [...declaration.matchAll(/ var (.+?)(?= var | default |$)/g)].map(([, choice]) => choice);
    const isChoice = choices.some((choice) => choice.toLowerCase() === value.toLowerCase());
    return isChoice || choices.length === 0 ? null : `it takes ${choices.join(', ')}`;
  }
  if (!declaration.startsWith('spin')) return null;
  const min = Number(/ min (\S+)/.exec(declaration)?.[1] ?? Number.NEGATIVE_INFINITY);
  const max = Number(/ max (\S+)/.exec(declaration)?.[1] ?? Number.POSITIVE_INFINITY);
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return number >= min && number <= max ? null : `it takes a number from ${min} to ${max}`;
}

/** Returns the declared options: the name, and the declaration from its type on. */
export function declaredOptions(text: string): [name: string, declaration: string][] {
  const lines = text.matchAll(/^ *option name (.+?) type (.*)$/gm);
  return [...lines].map(([, name, declaration]) => [name, declaration.trim()]);
}
