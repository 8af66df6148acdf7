// Options of commands. Each is declared once, with its type, range, default and help. The declaration determines how yargs parses and
// checks the option, the `--help` text, the type of the settings and the identity of a run. Runs with different values of an option marked
// `identity` are different runs:
//
//     export const OPTIONS = {
//       games: whole('number of games', { min: 1, default: 1000 }),
//       'max-plies': whole('maximum number of random plies', { max: 100, identity: true }),
//     };
//     type Settings = SettingsOf<typeof OPTIONS>; // { games: number; maxPlies?: number }
//
// Defaults are not passed to yargs, so `conflicts` applies to given options only.

import type { Argv, Options as YargsOptions } from 'yargs';
import { UserError } from './errors.js';

/** An option with a value of type T in the settings; undefined in T makes it optional. */
export interface Option<T> {
  readonly help: string;
  readonly default?: T;
  /** Text that `--help` shows as the default; by default, the default value. */
  readonly defaultText?: string;
  /** Whether it is part of a run's identity. */
  readonly identity?: boolean;
  readonly alias?: string;
  readonly conflicts?: readonly string[];
  /** Whether it is a path, relative to the current folder. */
  readonly isPath?: boolean;
  /** Parser settings for yargs. */
  readonly parsing: Pick<YargsOptions, 'type' | 'string' | 'array' | 'choices' | 'requiresArg' | 'demandOption'>;
  /** Whether the words after it form one unquoted value, as in cutechess; see joinWords(). */
  readonly takesWords?: boolean;
  /** Converts the value parsed by yargs; throws an Error that names the option. */
  check(value: unknown, option: string): T;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;
type ValueOf<O> = O extends Option<infer T> ? T : never;

/** The settings of a command's options, with camelCase keys. */
export type SettingsOf<O extends Options> = {
  [K in keyof O & string as undefined extends ValueOf<O[K]> ? never : CamelCase<K>]: ValueOf<O[K]>;
} & {
  [K in keyof O & string as undefined extends ValueOf<O[K]> ? CamelCase<K> : never]?: Exclude<ValueOf<O[K]>, undefined>;
};

type Common<T> = Partial<Omit<Option<T>, 'help' | 'parsing' | 'check'>>;
/** The type of an option's value, which may be undefined unless there is a default or the option is required. */
type Value<S, T> = S extends { default: unknown } | { required: true } ? T : T | undefined;

interface Range {
  min?: number;
  max?: number;
  /** Exclusive lower bound. */
  above?: number;
  /** Whether the number must be even, as for games in pairs. */
  even?: true;
}

// Parsed as text so that errors can quote it, but shown as a number in the help
const NUMBER = { type: 'number', string: true, requiresArg: true } as const;

const numberOf = (value: unknown): number => (String(value).trim() === '' ? Number.NaN : Number(value));

/** Returns an option for a whole number within [min, max], by default at least 0. */
export function whole<S extends Common<number> & Range>(help: string, spec = {} as S): Option<Value<S, number>> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, even = false } = spec;
  const range = rangeText(min, spec.max);
  return made(help, spec, NUMBER, (value, option) => {
    const number = numberOf(value);
    const isRight = Number.isInteger(number) && number >= min && number <= max;
    if (isRight && !(even && number % 2 !== 0)) return number;
    throw new UserError(`--${option} takes ${even ? 'an even' : 'a whole'} number${range}, not ${value}`, 2);
  });
}

/** Returns an option for a number within [min, max], or above a bound. */
export function real<S extends Common<number> & Range>(help: string, spec = {} as S): Option<Value<S, number>> {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, above = Number.NEGATIVE_INFINITY } = spec;
  const lower = spec.above === undefined ? '' : ` above ${above}`;
  return made(help, spec, NUMBER, (value, option) => {
    const number = numberOf(value);
    if (Number.isFinite(number) && number >= min && number <= max && number > above) return number;
    throw new UserError(`--${option} takes a number${lower}${rangeText(spec.min, spec.max)}, not ${value}`, 2);
  });
}

function rangeText(min?: number, max?: number): string {
  if (max === undefined) return min === undefined ? '' : ` of at least ${min}`;
  return min === undefined ? ` of at most ${max}` : ` from ${min} to ${max}`;
}

/** Returns an option for a string, such as a file name. An empty string, for example from an unset shell variable, is rejected. */
export function text<S extends Common<string> & { required?: true }>(
  help: string,
  spec = {} as S,
): Option<Value<S, string>> {
  return made(help, spec, { type: 'string', requiresArg: true }, (value, option) => {
    if (value !== '') return value as string;
    throw new UserError(`--${option} takes a value, but it is empty`, 2);
  });
}

/** Returns an option for one of the given values. */
export function choice<const C extends string, S extends Common<C>>(
  help: string,
  choices: readonly C[],
  spec = {} as S,
): Option<Value<S, C>> {
  return made(help, spec, { choices, requiresArg: true }, (value) => value as C);
}

/** Returns an option for a boolean; false by default. */
export function flag(help: string, spec: Common<boolean> = {}): Option<boolean> {
  return made(help, { default: false, ...spec }, { type: 'boolean' }, (value) => value as boolean);
}

/** Returns an option for a list of strings. */
export function list<S extends Common<readonly string[]> & { required?: true }>(
  help: string,
  spec = {} as S,
): Option<Value<S, readonly string[]>> {
  return made(help, spec, { type: 'string', array: true, requiresArg: true }, (value) => value as readonly string[]);
}

/** Returns an option for a string that `read` converts; `read` throws an Error that names the option. With `bare`, no value means ''. */
export function parsed<T, S extends Common<T> & { bare?: true }>(
  help: string,
  read: (text: string) => T,
  spec = {} as S,
): Option<Value<S, T>> {
  return made(help, spec, { type: 'string', requiresArg: spec.bare !== true }, (value) => read(value as string));
}

/** Returns an option for positive whole numbers separated by commas. */
export function wholeNumbers<S extends Common<readonly number[]>>(
  help: string,
  spec = {} as S,
): Option<Value<S, readonly number[]>> {
  return made<readonly number[], S>(help, spec, { type: 'string', requiresArg: true }, (value, option) => {
    const numbers = String(value).split(',').map(Number);
    if (numbers.every((number) => Number.isInteger(number) && number > 0)) return numbers;
    throw new UserError(`--${option} takes positive whole numbers such as 5000,20000, not '${value}'`, 2);
  });
}

/** Returns an option for words such as `movecount=3 score=600`, quoted or not, that `read` converts. */
export function words<T, S extends Common<T>>(
  help: string,
  read: (text: string) => T,
  spec = {} as S,
): Option<Value<S, T>> {
  const parsing = { type: 'string', array: true, requiresArg: true } as const;
  return { ...made<T, S>(help, spec, parsing, (value) => read((value as string[]).join(' '))), takesWords: true };
}

/** Returns a repeatable option that takes words, with one value per occurrence: `--engine cmd=X --engine cmd=Y`. */
export function wordLists<S extends Common<readonly string[]>>(
  help: string,
  spec = {} as S,
): Option<Value<S, readonly string[]>> {
  return { ...list(help, spec), takesWords: true };
}

function made<T, S extends Common<T> & { required?: true }>(
  help: string,
  spec: S,
  parsing: Option<T>['parsing'],
  check: (value: unknown, option: string) => T,
): Option<Value<S, T>> {
  const option: Option<T> = {
    ...spec,
    help,
    parsing: { ...parsing, ...(spec.required === true && { demandOption: true }) },
    check(value, name) {
      if (Array.isArray(value) && parsing.array !== true) throw new UserError(`--${name} is given more than once`, 2);
      return check(value, name);
    },
  };
  // Optional if neither `default` nor `required` is set
  return option as Option<Value<S, T>>;
}

/** Declares the options on the parser. */
export function addOptions<T>(parser: Argv<T>, options: Options): Argv<T> {
  for (const [name, { help, alias, conflicts, parsing, check, ...rest }] of Object.entries(options)) {
    const isShown = rest.default !== undefined && rest.default !== false;
    const defaultText = rest.defaultText ?? (isShown ? String(rest.default) : undefined);
    parser.option(name, {
      ...parsing,
      describe: help,
      ...(alias !== undefined && { alias }),
      ...(conflicts !== undefined && { conflicts: [...conflicts] }),
      ...(defaultText !== undefined && { defaultDescription: defaultText }),
      coerce: (value: unknown) => check(value, name),
    });
  }
  return parser;
}

/** Returns the parsed settings, completed with defaults. */
export function readSettings<O extends Options>(options: O, argv: Readonly<Record<string, unknown>>): SettingsOf<O> {
  const settings: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    const value = argv[name] ?? option.default;
    if (value !== undefined) settings[camelCase(name)] = value;
  }
  return settings as SettingsOf<O>;
}

/** Returns the explicitly given settings, without defaults. */
export function givenSettings<O extends Options>(
  options: O,
  argv: Readonly<Record<string, unknown>>,
): Partial<SettingsOf<O>> {
  const given = Object.keys(options).filter((name) => argv[name] !== undefined);
  return Object.fromEntries(given.map((name) => [camelCase(name), argv[name]])) as Partial<SettingsOf<O>>;
}

/** Returns the settings that belong to the options. */
export function pickSettings<O extends Options>(options: O, settings: SettingsOf<O>): SettingsOf<O> {
  const keys = new Set(Object.keys(options).map(camelCase));
  return Object.fromEntries(Object.entries(settings).filter(([key]) => keys.has(key))) as SettingsOf<O>;
}

/** Returns the default settings. */
export const defaultSettings = <O extends Options>(options: O): SettingsOf<O> => readSettings(options, {});

/** Returns the values of the options marked `identity`, by option name. */
export function identityOf(options: Options, settings: object): Record<string, unknown> {
  const value = (name: string): unknown => (settings as Record<string, unknown>)[camelCase(name)];
  const names = Object.keys(options).filter((name) => options[name].identity === true && value(name) !== undefined);
  return Object.fromEntries(names.map((name) => [name, value(name)]));
}

const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Splits text at white space outside pairs of quotes (single or double); the quotes are kept. */
export const quotedWords = (text: string): string[] => text.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];

/** Returns a word without its pairs of quotes. */
export const unquoted = (word: string): string => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2');

/** Splits text at white space; pairs of quotes keep words together and are removed. */
export const splitWords = (text: string): string[] => quotedWords(text).map(unquoted);
