// Options whose value is several words without quotes, as in cutechess and fastchess.

import type { Options } from './options.js';

/**
 * Puts the words after options that take them together, so that each such option has one value:
 * `--engine cmd=X name=Y` becomes `--engine 'cmd=X name=Y'`. An argument with blanks is a value even if it begins with dashes:
 * `--options '--workers 2'` becomes `'--options=--workers 2'`.
 */
export function joinWords(argv: readonly string[], options: Options): string[] {
  const joined: string[] = [];
  for (let i = 0; i < argv.length; ) {
    const argument = argv[i++];
    if (/^--[^\s=]+$/.test(argument) && i < argv.length && /^--.*\s/.test(argv[i])) {
      joined.push(`${argument}=${argv[i++]}`);
      continue;
    }
    joined.push(argument);
    if (!argument.startsWith('--') || options[argument.slice(2)]?.takesWords !== true) continue;
    let end = i;
    while (end < argv.length && argv[end].startsWith('--') === false) end++;
    const following = argv.slice(i, end);
    // A single value is a list of words already; several are words that the shell has taken the quotes from
    if (following.length > 0) joined.push(following.length === 1 ? following[0] : following.map(quote).join(' '));
    i = end;
  }
  return joined;
}

function quote(word: string): string {
  if (!/[\s"']/.test(word)) return word;
  return word.includes('"') ? `'${word}'` : `"${word}"`;
}

/** Splits text at white space; quotes (single or double) keep words together and are removed. */
export function splitWords(text: string): string[] {
  const words = text.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
