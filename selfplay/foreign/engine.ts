// Translates the words after `-engine` in command lines of fastchess and cutechess-cli. Most words are the same in Heft.

import { UserError } from '../common/errors.js';

/** Translation of a word: its new form, or null if it has no effect in Heft. */
type Rule = (value: string, word: string) => string | null;

const refused =
  (reason: string): Rule =>
  (_, word) => {
    throw new UserError(`${word}: ${reason}`, 2);
  };

const SAME = ['cmd', 'dir', 'name', 'arg', 'args', 'st', 'nodes', 'depth', 'timemargin'];
/** Keys that need no value. */
const BARE = ['ponder', 'whitepov', 'trust'];
const DROPPED = ['whitepov', 'stderr', 'bookdepth', 'trust'];

const RULES: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(SAME.map((key): [string, Rule] => [key, (_, word) => word])),
  ...Object.fromEntries(DROPPED.map((key): [string, Rule] => [key, () => null])),
  plies: (value) => `depth=${value}`,
  tc: (value) => `tc=${value.replace(/^infinite$/, 'inf').replace(/^0\/|s$/g, '')}`,
  ponder(value, word) {
    if (/^(?:on|true|1)?$/.test(value)) return 'ponder=on';
    if (/^(?:off|false|0)$/.test(value)) return 'ponder=off';
    throw new UserError(`-engine or -each: ${word}: use ponder or ponder=off`, 2);
  },
  restart: (value, word) => (value === 'auto' ? null : word),
  proto: (value) => {
    if (value === 'uci') return null;
    throw new UserError(`proto=${value}: only UCI engines are supported; use an adapter such as PolyGlot`, 2);
  },
  book: refused('books per engine are not supported; use --openings FILE.bin for both'),
  conf: refused("cutechess' engine list is not supported; give cmd= and the engine's options"),
  initstr: refused('only UCI options are supported: option.NAME=VALUE'),
  tscale: refused('clock scaling is not supported; give the engine its own tc='),
  hg: refused('hourglass clocks are not supported'),
};

/**
 * Returns the words for `--engine`: the engine's own words, then the common ones, which override them as in both programs. Throws a
 * UserError for a word without a counterpart.
 */
export function engineWords(own: readonly string[], each: readonly string[]): string[] {
  const keys = new Set(each.filter((word) => !isList(word)).map(keyOf));
  const words = [...own.filter((word) => !keys.has(keyOf(word))), ...each];
  const translated = words.map(translatedWord).filter((word) => word !== null);
  // joinWords() would treat a single word as a quoted list of words
  return translated.length === 1 ? [...translated, 'proto=uci'] : translated;
}

function translatedWord(word: string): string | null {
  const key = keyOf(word);
  if (key.startsWith('option.')) return word;
  if (Object.hasOwn(RULES, key) && (word.includes('=') || BARE.includes(key))) {
    return RULES[key](word.slice(key.length + 1), word);
  }
  throw new UserError(`-engine or -each: '${word}' is not a key of fastchess or cutechess-cli`, 2);
}

const keyOf = (word: string): string => word.split('=', 1)[0];
const isList = (word: string): boolean => keyOf(word) === 'arg';
