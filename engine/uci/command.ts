// Recognition of commands, and forms of `go` for a thread without a stop flag. UCI requires engines to skip unknown words, so `joho debug
// on` means `debug on`.

const COMMANDS = [
  'uci',
  'debug',
  'isready',
  'setoption',
  'register',
  'ucinewgame',
  'position',
  'go',
  'stop',
  'ponderhit',
  'quit',
];
/** Commands beyond the protocol, recognised only as the first word. */
const EXTRAS = ['d', 'eval', 'why', 'flip', 'bench', 'help'];

/** The answer to `help`. */
export const HELP = [
  'position startpos|fen FEN [moves …]   sets up a position',
  'go [depth N] [nodes N] [movetime MS] [infinite] …   searches the position; stop ends the search',
  'go perft N   counts the move sequences of N plies',
  'setoption name NAME [value VALUE]   sets an option; uci lists them',
  'd, eval, flip   print the board; print the evaluation by term; exchange the colours',
  'why   explains the score of the last search, based on the final position of its line',
  'bench [DEPTH]   searches fixed positions and prints the node count',
  'quit   ends the program; heft --help lists its arguments',
];

/** Returns the line from its command on, trimmed; empty without a command. */
export function skipUnknown(line: string): string {
  const text = line.trim();
  const first = text.split(/\s/, 1)[0].toLowerCase();
  if (COMMANDS.includes(first) || EXTRAS.includes(first)) return text;
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (COMMANDS.includes(word.toLowerCase())) return text.slice(index);
  }
  return '';
}

/** The parameters of `go` that an infinite search ignores. */
export const CLOCKS = ['wtime', 'btime', 'winc', 'binc', 'movestogo', 'movetime'] as const;

/** The parameters of `go` that limit a search. */
export const LIMITING = ['wtime', 'btime', 'depth', 'nodes', 'mate', 'movetime'] as const;

/** Returns whether a number follows one of the names. */
export const hasNumber = (words: readonly string[], names: readonly string[]): boolean =>
  words.some((word, i) => names.includes(word) && /^[+-]?\d/.test(words[i + 1] ?? ''));

/** Returns whether the command is a search. */
export const isSearch = (words: readonly string[]): boolean => words[0] === 'go' && !words.includes('perft');

/** Returns whether the answer of a search must wait for stop or ponderhit; `isHit` is true after the ponderhit. */
export const isOpenEnded = (words: readonly string[], isHit = false): boolean =>
  words.includes('infinite') || (words.includes('ponder') && !isHit) || !hasNumber(words, LIMITING);

// An open-ended `go` for a thread without a stop flag: the same search to an unreachable depth

/** Depth that no search reaches. */
const DEEPEST = 1000;

/** Returns whether a ponderhit changes the search; a search that is also infinite continues until stop. */
export const isPondering = (words: readonly string[]): boolean =>
  words.includes('ponder') && !words.includes('infinite');

/** Returns the `go` line without clocks, `infinite` and `ponder`, and with a depth if it has no other limit. */
export function closedGo(words: readonly string[]): string {
  const isClock = (word: string | undefined): boolean => CLOCKS.some((name) => name === word);
  const kept = words
    .slice(1)
    .filter((word, i, all) => !['infinite', 'ponder'].includes(word) && !isClock(word) && !isClock(all[i - 1]));
  return ['go', ...(hasNumber(kept, LIMITING) ? [] : ['depth', `${DEEPEST}`]), ...kept].join(' ');
}

/** Returns the `go` line with its clocks and its time per move reduced by the milliseconds that have passed since `ponderhit`. */
export function goAfter(passed: number, words: readonly string[]): string {
  const reduced = ['wtime', 'btime', 'movetime'];
  return words
    .map((word, i) => (reduced.includes(words[i - 1]) ? `${Math.max(1, Math.round(Number(word) - passed))}` : word))
    .join(' ');
}
