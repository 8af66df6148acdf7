// Games that a fit does not use: variants, and games whose result does not reflect the positions played.

import type { Tags } from './tags.js';

const bare = (text: string): string => text.toLowerCase().replace(/[\s_‐‑–-]/g, '');

/** Values of the Variant tag that mean chess or Chess960, in lower case and without blanks, hyphens and underscores. */
const CHESS = ['', ...'? standard normal chess chess960 fischerandom fischerrandom fromposition'.split(' ')];

/** Canonical names of variants by their spellings. */
const NAMES = new Map(
  Object.entries({
    kingofthehill: 'King of the Hill',
    koth: 'King of the Hill',
    threecheck: 'Three-check',
    '3check': 'Three-check',
    antichess: 'Antichess',
    atomic: 'Atomic',
    crazyhouse: 'Crazyhouse',
    zh: 'Crazyhouse',
    horde: 'Horde',
    racingkings: 'Racing Kings',
    bughouse: 'Bughouse',
  }),
);

/** Returns the variant named by the tags; empty for chess and Chess960. */
export function variantOf(tags: Tags): string {
  const value = tags.get('Variant');
  if (value === undefined) return '';
  const key = bare(value);
  return CHESS.includes(key) ? '' : (NAMES.get(key) ?? value.trim().slice(0, 40));
}

/** Prefixes of words in the Termination tag, and the reason for exclusion; the first match counts. */
const NO_VERDICT: readonly [beginning: string, reason: string][] = [
  ['time', 'time'],
  ['flag', 'time'],
  ['abandon', 'abandoned'],
  ['disconnect', 'disconnected'],
  ['illegal', 'illegal move'],
  ['stall', 'stalled'],
  ['rules', 'rules infraction'],
  ['infraction', 'rules infraction'],
  ['forfeit', 'forfeit'],
  ['death', 'death'],
  ['emergency', 'emergency'],
  ['unterminated', 'unterminated'],
];
const VERDICT =
  /^(?:normal|adjudicat|checkmate|mate|stalemate|resign|agree|repetition|material|insufficient|fifty|draw)/;

/** Returns the reason for exclusion in the Termination tag, ignoring player names, and whether the phrase is known. */
export function terminationOf(tags: Tags): { reason: string | null; isKnown: boolean } {
  const phrase = tags.get('Termination')?.trim() ?? '';
  if (phrase === '' || phrase === '?' || phrase === '-') return { reason: null, isKnown: true };
  const words = withoutNames(phrase.toLowerCase(), tags).split(/[^\p{L}]+/u);
  const found = NO_VERDICT.find(([beginning]) => words.some((word) => word.startsWith(beginning)));
  if (found !== undefined) return { reason: found[1], isKnown: true };
  return { reason: null, isKnown: words.some((word) => VERDICT.test(word)) };
}

/** Endings that FICS, ICC and match runners write into the last comment. */
const ENDINGS: readonly [ending: RegExp, reason: string][] = [
  [/\b(?:forfeits on|loses on|wins on|ran out of) time\b/i, 'time'],
  [/\b(?:disconnects|disconnected and forfeits|forfeits by disconnection)\b/i, 'disconnected'],
];

/** Returns the reason for exclusion in the last comment of a game, or null. */
export const reasonInComment = (comment: string): string | null =>
  ENDINGS.find(([ending]) => ending.test(comment))?.[1] ?? null;

function withoutNames(phrase: string, tags: Tags): string {
  let rest = phrase;
  for (const color of ['White', 'Black']) {
    const name = tags.get(color)?.trim().toLowerCase() ?? '';
    if (name === '' || name === 'white' || name === 'black') continue;
    const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    // A player may be called Time. Such names are removed only at the start of the phrase
    const isReason = NO_VERDICT.some(
      ([beginning]) => name.startsWith(beginning) && name.length <= beginning.length + 3,
    );
    const start = isReason ? '^' : '(?<![\\p{L}\\p{N}])';
    rest = rest.replace(new RegExp(`${start}${escaped}(?![\\p{L}\\p{N}])`, 'gu'), ' ');
  }
  return rest;
}
