// The counterpart of each option of fastchess and cutechess-cli, one row each. Options without a counterpart are ignored if they hardly
// change the games, and rejected otherwise.

import { availableParallelism } from 'node:os';
import { UserError } from '../common/errors.js';

type Rule = (draft: PartialCommand, words: readonly string[], option: string) => void;

/** Rule of an option without effect: Heft always behaves that way, or the option affects only printing. */
const idle: Rule = (draft, _, option) => void draft.idle.push(`-${option}`);
const noted =
  (note: string): Rule =>
  ({ notes }, _, option) =>
    void notes.push(`-${option} is ignored: ${note}`);
const refused =
  (reason: string): Rule =>
  (_, __, option) => {
    throw new UserError(`-${option}: ${reason}`, 2);
  };
/** Returns the rule for the Heft option of this name, with the same value. */
const same =
  (name: string): Rule =>
  ({ words }, values, option) =>
    void words.push(`--${name}`, single(option, values));
/** Returns the rule for the Heft option of this name; 0 switches the option off. */
const sameAboveZero =
  (name: string): Rule =>
  ({ words }, values, option) => {
    const number = wholeNumber(option, values);
    if (number > 0) words.push(`--${name}`, String(number));
  };

const ADJUDICATION = ['movenumber', 'movecount', 'score', 'twosided'];
const SPRT = ['elo0', 'elo1', 'alpha', 'beta', 'model'];
/** The fields of PGN move comments, which have the same names in Heft. */
const PGN_NOTES = ['nodes', 'seldepth', 'nps', 'hashfull', 'tbhits', 'timeleft', 'pv'];
const PGN_WORDS = ['file', 'append', 'notation', 'min', 'track', 'latency', 'match_line', ...PGN_NOTES];

/** Options without effect. */
const IDLE = `autosaveinterval bookmode check-mate-pvs crc32 force-concurrency outcomeinterval output recover report resultformat reverse
  scoreinterval show-latency strict tbadjudicate tbignore50 tbpieces testEnv testenv`;

export const RULES: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(IDLE.split(/\s+/).map((name) => [name, idle])),
  engine: ({ engines }, words) => void engines.push([...words]),
  each: ({ each }, words) => void each.push(...words),
  quick(draft, words) {
    for (const word of words.filter((one) => one.startsWith('cmd='))) draft.engines.push([word]);
    const book = words.find((word) => word.startsWith('book='));
    if (book !== undefined) RULES['openings'](draft, [`file=${book.slice(5)}`, 'order=random'], 'openings');
    draft.each.push('tc=10+0.1');
    draft.rounds = 25_000;
    draft.words.push('--draw', 'movenumber=30', 'movecount=8', 'score=8');
  },
  games(draft, words, option) {
    draft.games = wholeNumber(option, words);
  },
  rounds(draft, words, option) {
    draft.rounds = wholeNumber(option, words);
  },
  repeat(draft, words, option) {
    const times = words.length === 0 ? 2 : wholeNumber(option, words);
    if (times > 2) draft.notes.push(`-repeat ${times}: each opening is played twice, once with each colour`);
    draft.repeats = times > 1;
  },
  concurrency(draft, words, option) {
    const games = wholeNumber(option, words);
    draft.words.push('--workers', String(games > 0 ? games : Math.max(1, availableParallelism() + games)));
  },
  openings(draft, words, option) {
    const values = keyed(option, words, ['file', 'format', 'order', 'plies', 'start', 'policy']);
    const file = values.get('file');
    if (file === undefined) throw new UserError('-openings: file= is missing', 2);
    if (values.get('policy') === 'encounter')
      draft.notes.push('policy=encounter: each pair of games has its own opening');
    const usual = draft.program === 'fastchess' ? 'random' : 'sequential';
    draft.words.push('--openings', file, '--order', values.get('order') ?? usual);
    for (const key of ['plies', 'start']) if (values.has(key)) draft.words.push(`--${key}`, values.get(key) as string);
    draft.hasOpenings = true;
  },
  sprt(draft, words, option) {
    const values = keyed(option, words, SPRT);
    draft.words.push('--sprt');
    for (const [key, value] of values) draft.words.push(`--${key}`, value);
    // cutechess' bounds are logistic Elo, fastchess' are normalized Elo
    if (draft.program === 'cutechess-cli') draft.words.push('--model', 'logistic');
  },
  draw: adjudicate,
  resign: adjudicate,
  maxmoves: sameAboveZero('max-moves'),
  pgnout(draft, words) {
    const [first = ''] = words;
    const isKeyed = first.includes('=');
    const values = isKeyed ? keyed('pgnout', words, PGN_WORDS) : new Map([['file', first]]);
    const file = values.get('file') ?? '';
    if (file === '') throw new UserError('-pgnout: the file name is missing', 2);
    const appends = values.get('append') !== 'false';
    draft.words.push('--pgn', file, appends ? '--pgn-append' : '--pgn-overwrite');
    const notes = PGN_NOTES.filter((key) => values.get(key) === 'true');
    if (notes.length > 0) draft.words.push('--pgn-notes', ...notes);
    if (appends)
      draft.notes.push(
        `${file} receives the games at the end of the run; until then, they are in games.pgn in the run folder`,
      );
    if (words.includes('min') || values.get('min') === 'true')
      draft.notes.push('the PGN always has scores and times, even with min');
    const notation = values.get('notation');
    if (notation !== undefined && notation !== 'san') draft.notes.push(`the PGN is in SAN, not in ${notation}`);
  },
  tournament(draft, words, option) {
    const format = single(option, words).replace('roundrobin', 'round-robin');
    if (!['round-robin', 'gauntlet'].includes(format)) {
      throw new UserError(`-tournament ${format}: use round-robin, gauntlet or, with --tournament, swiss`, 2);
    }
    draft.words.push('--tournament', format);
  },
  seeds(_, words, option) {
    if (wholeNumber(option, words) > 1)
      throw new UserError('-seeds: only 1 is supported, because a gauntlet pits one engine against the others', 2);
  },
  variant(draft, words, option) {
    const variant = single(option, words).toLowerCase();
    if (['fischerandom', 'chess960', 'frc'].includes(variant)) draft.words.push('--chess960');
    else if (variant !== 'standard')
      throw new UserError(`-variant ${variant}: only standard chess and Chess960 are supported`, 2);
  },
  event: same('event'),
  site: same('site'),
  srand: same('seed'),
  randomseed: (draft) => void draft.words.push('--seed', String(Math.floor(Date.now() / 1000))),
  ratinginterval: sameAboveZero('ratinginterval'),
  'use-affinity': (draft) => void draft.words.push('--affinity'),
  log(draft, words, option) {
    const values = keyed(option, words, ['file', 'level', 'append', 'compress', 'realtime', 'engine']);
    const file = values.get('file');
    if (file !== undefined && values.get('engine') === 'true') draft.words.push('--log', file);
    else draft.idle.push('-log');
  },
  debug: noted("--log FILE keeps the engines' input and output"),
  config(draft, words, option) {
    const values = keyed(option, words, ['file', 'outname', 'discard', 'stats']);
    if (values.has('file')) throw new UserError('-config file=: use --continue FOLDER to continue a run', 2);
    draft.idle.push('-config');
  },
  noswap: refused('each opening is played with both colours'),
  tb: noted('tablebases are not supported; games continue without them'),
  epdout: noted('the run folder has the games, as PGN and as JSON lines'),
  livepgnout: noted('games.pgn in the run folder grows pair by pair'),
  wait: noted('there is no pause between games'),
  compliance: refused('there is no protocol check'),
  'startup-ms': noted('an engine has 20 s to answer uci'),
  'ucinewgame-ms': noted('an engine has 60 s to answer'),
  'ping-ms': noted('an engine has 60 s to answer'),
};

function adjudicate(draft: PartialCommand, words: readonly string[], option: string): void {
  const values = keyed(option, words, ADJUDICATION);
  draft.words.push(`--${option}`, ...[...values].map(([key, value]) => `${key}=${value}`));
}

// PartialCommand: the state of a translation, which proceeds option by option.

export type Program = 'fastchess' | 'cutechess-cli';

export interface PartialCommand {
  program: Program;
  engines: string[][];
  each: string[];
  /** Games per encounter, and encounters per pairing. */
  games: number | null;
  rounds: number | null;
  /** Whether each opening is played twice. */
  repeats: boolean;
  hasOpenings: boolean;
  /** The words of the Heft command after the engines. */
  words: string[];
  /** Differences in Heft. */
  notes: string[];
  /** Options without effect in Heft. */
  idle: string[];
}

/** Parses `key=value` words of an option; throws a UserError for unknown keys. */
function keyed(option: string, words: readonly string[], known: readonly string[]): Map<string, string> {
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
function single(option: string, words: readonly string[]): string {
  if (words.length === 1) return words[0];
  throw new UserError(`-${option} takes one value, not ${words.length === 0 ? 'none' : `'${words.join(' ')}'`}`, 2);
}

function wholeNumber(option: string, words: readonly string[]): number {
  const value = single(option, words);
  if (/^-?\d+$/.test(value)) return Number(value);
  throw new UserError(`-${option} takes a whole number, not '${value}'`, 2);
}
