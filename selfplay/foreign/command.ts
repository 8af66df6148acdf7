// Translates command lines of fastchess and cutechess-cli into options of `match`. Their options begin with one dash, and those of `match`
// with two.

import { basename } from 'node:path';
import { UserError } from '../common/errors.js';
import { engineWords } from './engine.js';
import { type PartialCommand, type Program, RULES } from './options.js';

export interface Translation {
  /** The equivalent Heft command. */
  words: string[];
  /** Differences in Heft, one sentence each. */
  notes: string[];
}

interface Option {
  name: string;
  values: string[];
}

/** Program names accepted as the first word. */
const PROGRAM = /^(fast-?chess|cutechess-cli)(-[\w.-]+)?(\.exe)?$/i;
const OPTION = /^-[a-z][\w-]*$/i;
/** Options that only one of the two programs has. */
const CUTECHESS_ONLY = 'debug, wait, resultformat, outcomeinterval, bookmode, livepgnout, noswap'.split(', ');
const FASTCHESS_ONLY =
  'log, report, output, config, quick, autosaveinterval, scoreinterval, use-affinity, randomseed, testEnv'.split(', ');

/** Returns whether the words are a command line of one of the two programs, and not a command line of Heft with a missing dash. */
export function isForeign(words: readonly string[]): boolean {
  if (PROGRAM.test(basename(words[0] ?? ''))) return true;
  return words.some((word) => ['-engine', '-quick'].includes(word)) && !words.includes('--engine');
}

/** Returns the equivalent Heft command line. Throws a UserError for an invalid option, and for a relevant option without a counterpart. */
export function translated(words: readonly string[]): Translation {
  const [first = ''] = words;
  const isNamed = PROGRAM.test(basename(first));
  const { options, ours } = grouped(isNamed ? words.slice(1) : words);
  const draft: PartialCommand = {
    program: isNamed ? programNamed(first) : programOf(options),
    engines: [],
    each: [],
    games: null,
    rounds: null,
    repeats: false,
    hasOpenings: ours.some((word) => /^--(openings|plies)(=|$)/.test(word)),
    words: [],
    notes: [],
    idle: [],
  };
  for (const { name, values } of options) {
    if (!Object.hasOwn(RULES, name)) throw new UserError(`-${name} is not an option of fastchess or cutechess-cli`, 2);
    RULES[name](draft, values, name);
  }
  const engines = draft.engines.flatMap((own) => ['--engine', ...engineWords(own, draft.each)]);
  const schedule = scheduleWords(draft);
  const { notes, idle } = draft;
  if (idle.length > 0) notes.push(`no effect in Heft: ${[...new Set(idle)].join(' ')}`);
  // Both programs play one game at a time by default
  const workers = [...draft.words, ...ours].some((word) => /^--(?:workers|concurrency)(?:=|$)/.test(word))
    ? []
    : ['--workers', '1'];
  return { words: [...engines, ...workers, ...schedule, ...draft.words, ...ours], notes };
}

// The words may include options of Heft, which have two dashes
function grouped(words: readonly string[]): { options: Option[]; ours: string[] } {
  const options: Option[] = [];
  const ours: string[] = [];
  let values = ours;
  for (const word of words) {
    if (word.startsWith('--')) {
      values = ours;
      ours.push(word);
    } else if (OPTION.test(word)) {
      values = [];
      options.push({ name: word.slice(1), values });
    } else {
      values.push(word);
    }
  }
  return { options, ours };
}

const programNamed = (word: string): Program => (/cutechess/i.test(basename(word)) ? 'cutechess-cli' : 'fastchess');

// The two programs count games differently. Options that only one of them has identify it; the default is fastchess
function programOf(options: readonly Option[]): Program {
  const has = (names: readonly string[]): boolean => options.some(({ name }) => names.includes(name));
  if (has(FASTCHESS_ONLY)) return 'fastchess';
  const isPgnBare = options.some(({ name, values }) => name === 'pgnout' && values[0]?.includes('=') === false);
  const hasWord = options.some(
    ({ name, values }) =>
      ['engine', 'each'].includes(name) &&
      values.some((word) => /^(stderr|restart=auto|initstr|book|whitepov|ponder|arg=)/.test(word)),
  );
  const isTournament = options.some(({ name, values }) => name === 'tournament' && values[0] === 'round-robin');
  return has(CUTECHESS_ONLY) || isPgnBare || hasWord || isTournament ? 'cutechess-cli' : 'fastchess';
}

// A round has two games by default in fastchess and one in cutechess-cli
function scheduleWords(draft: PartialCommand): string[] {
  const { program, games, rounds, repeats, hasOpenings, words, notes } = draft;
  const isFastchess = program === 'fastchess';
  const perRound = isFastchess && repeats ? 2 : (games ?? (isFastchess ? 2 : 1));
  const total = perRound * (rounds ?? (isFastchess ? 2 : 1));
  if (total < 1) throw new UserError(`-games and -rounds give ${total} games, but a match needs at least one`, 2);
  const even = total + (total % 2);
  if (games !== null || rounds !== null)
    notes.push(`in ${program}, the given -games and -rounds mean ${total} games per pairing`);
  if (even !== total) notes.push(`${even} games are played, because each opening is played with both colours`);
  else if (!repeats && perRound < 2) notes.push('each opening is played with both colours');
  // Chess960 games begin at random positions
  if (!hasOpenings && !words.includes('--chess960'))
    notes.push(
      'without -openings every game begins at the start position; add --openings FILE or --plies 8 to vary the openings',
    );
  return ['--games', String(even), ...(hasOpenings ? [] : ['--plies', '0'])];
}
