// An open-ended `go` for a thread that cannot be stopped: the same search to an unreachable depth.

/** More than any search reaches. */
const DEEPEST = 1000;
const LIMITS = ['depth', 'nodes', 'mate'];
const CLOCKS = ['wtime', 'btime', 'winc', 'binc', 'movestogo', 'movetime'];

const hasNumber = (words: readonly string[], names: readonly string[]): boolean =>
  words.some((word, i) => names.includes(word) && /^[+-]?\d/.test(words[i + 1] ?? ''));

/** Returns whether a `go` is a perft. */
export const isPerft = (words: readonly string[]): boolean => words.includes('perft');

/** Returns whether a `go` waits for the move that is pondered on. */
export const isPondering = (line: string): boolean => /\sponder(\s|$)/i.test(line);

/** Returns whether only a stop or a ponderhit ends the search of a `go`. */
export const isOpenEnded = (words: readonly string[]): boolean =>
  words.includes('infinite') ||
  words.includes('ponder') ||
  !hasNumber(words, [...LIMITS, 'wtime', 'btime', 'movetime']);

/** Returns the line of such a search without clocks, which ends at a depth. */
export function closedGo(words: readonly string[]): string {
  const kept = words
    .slice(1)
    .filter((word, i, all) => !['infinite', 'ponder', ...CLOCKS].includes(word) && !CLOCKS.includes(all[i - 1] ?? ''));
  return ['go', ...(hasNumber(kept, LIMITS) ? [] : ['depth', `${DEEPEST}`]), ...kept].join(' ');
}

/** Returns the line after the move that was pondered on has been played. */
export const withoutPonder = (line: string): string => line.replace(/\s+ponder(?=\s|$)/gi, '');
