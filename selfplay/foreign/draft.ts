// The state while a command line of fastchess or cutechess-cli is translated, option by option.

import { UserError } from '../common/errors.js';

export type Program = 'fastchess' | 'cutechess-cli';

export interface Draft {
  program: Program;
  engines: string[][];
  each: string[];
  /** Games per encounter, and encounters per pairing. */
  games: number | null;
  rounds: number | null;
  /** Whether each opening is played twice. */
  repeats: boolean;
  hasOpenings: boolean;
  hasSprt: boolean;
  /** The words of our command after those of the engines. */
  words: string[];
  /** Differences in Heft. */
  notes: string[];
  /** Options without effect in Heft. */
  idle: string[];
}

/** Parses `key=value` words of an option; throws a UserError for unknown keys. */
export function keyed(option: string, words: readonly string[], known: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf('=');
    const key = at < 0 ? word : word.slice(0, at);
    if (at <= 0 || !known.includes(key))
      throw new UserError(`-${option}: '${word}' is an unknown key; known keys: ${known.join('=, ')}=`, 2);
    values.set(key, word.slice(at + 1));
  }
  return values;
}

/** Returns the only value of an option; throws a UserError for none or several. */
export function single(option: string, words: readonly string[]): string {
  if (words.length === 1) return words[0];
  throw new UserError(`-${option} takes one value, not ${words.length === 0 ? 'none' : `'${words.join(' ')}'`}`, 2);
}

/** Returns the only value of an option as a whole number. */
export function wholeNumber(option: string, words: readonly string[]): number {
  const value = single(option, words);
  if (/^-?\d+$/.test(value)) return Number(value);
  throw new UserError(`-${option} takes a whole number, not '${value}'`, 2);
}
