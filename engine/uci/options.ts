// The UCI options. Each is declared once with its effect, listed for `uci`, and parsed and checked for `setoption`. This file has few
// imports, because the input thread uses it to answer `uci` before the search thread is ready.

import { didYouMean } from '../names.js';
import type { PARAMS } from '../search/params.js';
import { DEFAULT_HASH, DEFAULT_MOVE_OVERHEAD, MAX_THREADS } from '../search/root/flags.js';
import { STRENGTH } from '../strength/levels.js';

/** Name and version for GUIs. */
export const ENGINE_NAME = 'Heft 0.1.0';
export const ENGINE_AUTHOR = 'the Heft authors';
const ABOUT = `${ENGINE_NAME} by ${ENGINE_AUTHOR}: a chess engine that learned its evaluation from its own games`;

/** Range of UCI_Elo, from the lowest to the highest measured level. */
export const MIN_ELO = STRENGTH.levels[0].elo;
export const MAX_ELO = STRENGTH.levels[STRENGTH.levels.length - 1].elo;

/** Maximum of MultiPV: no known position that can occur in a game has more legal moves. */
export const MAX_LINES = 218;

/** Memory assumed for a web page, in MiB. */
export const BROWSER_MEMORY = 1024;

/** Settings of a search and its output. */
export interface Settings {
  multiPv: number;
  moveOverhead: number;
  showWdl: boolean;
  limitStrength: boolean;
  /** Effective only if the strength is limited. */
  elo: number;
}

/** Returns the settings before any option is set. */
export function defaultUciSettings(): Settings {
  return { multiPv: 1, moveOverhead: DEFAULT_MOVE_OVERHEAD, showWdl: false, limitStrength: false, elo: MAX_ELO };
}

/** Effects of options. */
export interface OptionEffects {
  /** Changes settings. */
  set: (changes: Partial<Settings>) => void;
  setHash: (megabytes: number) => void;
  clearHash: () => void;
  setThreads: (threads: number) => void;
  setChess960: (on: boolean) => void;
  /** Uses the weights of a file; the built-in ones for an empty name. */
  setWeightsFile: (file: string) => void;
  /** Sets a declared search parameter. */
  setParam: (name: string, value: number) => void;
}

type Option = {
  name: string;
  /** Whether helper threads execute it too. They need no settings, and they receive weights as text. */
  helpers?: boolean;
} & (
  | { type: 'spin'; default: number; min: number; max: number; apply: (value: number, effects: OptionEffects) => void }
  | { type: 'check'; default: boolean; apply: (value: boolean, effects: OptionEffects) => void }
  | { type: 'string'; default: string; apply: (value: string, effects: OptionEffects) => void }
  | { type: 'button'; apply: (effects: OptionEffects) => void }
);

/** For options that GUIs set but that have no effect. */
const ignore = (): void => {};

const spin = (
  name: string,
  preset: number,
  [min, max]: readonly [number, number],
  apply: (value: number, effects: OptionEffects) => void,
): Option => ({ name, type: 'spin', default: preset, min, max, apply });

const check = (name: string, apply: (value: boolean, effects: OptionEffects) => void): Option => {
  return { name, type: 'check', default: false, apply };
};

/** Returns the options for a machine with this much memory in MiB, with the given search parameters as further options. */
export function declareOptions(memory: number, params?: typeof PARAMS): readonly Option[] {
  // A quarter of the memory is left for everything else
  const maxHash = Math.max(DEFAULT_HASH, Math.floor(0.75 * memory));
  return [
    spin('Hash', DEFAULT_HASH, [1, maxHash], (megabytes, effects) => effects.setHash(megabytes)),
    { name: 'Clear Hash', type: 'button', apply: (effects) => effects.clearHash() },
    spin('Threads', 1, [1, MAX_THREADS], (threads, effects) => effects.setThreads(threads)),
    check('Ponder', ignore),
    spin('MultiPV', 1, [1, MAX_LINES], (multiPv, effects) => effects.set({ multiPv })),
    spin('Move Overhead', DEFAULT_MOVE_OVERHEAD, [0, 5000], (moveOverhead, effects) => effects.set({ moveOverhead })),
    { ...check('UCI_Chess960', (on, effects) => effects.setChess960(on)), helpers: true },
    check('UCI_ShowWDL', (showWdl, effects) => effects.set({ showWdl })),
    check('UCI_LimitStrength', (limitStrength, effects) => effects.set({ limitStrength })),
    spin('UCI_Elo', MAX_ELO, [MIN_ELO, MAX_ELO], (elo, effects) => effects.set({ elo })),
    check('UCI_AnalyseMode', ignore),
    { name: 'UCI_EngineAbout', type: 'string', default: ABOUT, apply: ignore },
    {
      name: 'EvalFile',
      type: 'string',
      default: '<empty>',
      apply: (file, effects) => effects.setWeightsFile(file),
    },
    ...Object.entries(params ?? {}).map(([name, { value, min, max }]) => ({
      ...spin(name, value, [min, max], (chosen, effects) => effects.setParam(name, chosen)),
      helpers: true,
    })),
  ];
}

/** Returns the answer to `uci`, line by line. */
export function identify(options: readonly Option[]): string[] {
  const lines = options.map((option) => {
    const preset = option.type === 'button' ? '' : ` default ${option.default}`;
    const range = option.type === 'spin' ? ` min ${option.min} max ${option.max}` : '';
    return `option name ${option.name} type ${option.type}${preset}${range}`;
  });
  return [`id name ${ENGINE_NAME}`, `id author ${ENGINE_AUTHOR}`, ...lines, 'uciok'];
}

/** A valid `setoption`: the declared name, whether helper threads need it, and its effect. */
export type OptionChange = { name: string; helpers: boolean; apply: (effects: OptionEffects) => void };

/** Parses a `setoption` line; returns an error message if it is invalid. */
export function parseSetOption(line: string, options: readonly Option[]): OptionChange | string {
  // The line is split into words, because a pattern for the whole line would take quadratic time for long gaps
  const [, keyword, ...words] = Array.from(line.matchAll(/\S+/g), ({ 0: word, index }) => ({ word, index }));
  const valueAt = words.findIndex(({ word }) => word.toLowerCase() === 'value');
  const wanted = words
    .slice(0, valueAt < 0 ? words.length : valueAt)
    .map(({ word }) => word)
    .join(' ');
  if (keyword?.word.toLowerCase() !== 'name' || wanted === '') return 'setoption needs a name';
  const names = options.map(({ name }) => name);
  const option = options.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (option === undefined) return `no such option: ${wanted}${didYouMean(wanted, names)}`;
  const text = valueAt < 0 ? '' : line.slice(words[valueAt].index + 'value'.length).trim();
  const { name, helpers = false } = option;
  if (option.type === 'button') return { name, helpers, apply: option.apply };
  if (option.type === 'string') {
    return { name, helpers, apply: (effects) => option.apply(text === '<empty>' ? '' : text, effects) };
  }
  if (option.type === 'check') {
    if (!/^(true|false)$/i.test(text)) return `${name} must be true or false, not '${text}'`;
    return { name, helpers, apply: (effects) => option.apply(/^true$/i.test(text), effects) };
  }
  const { min, max, apply } = option;
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) return `${name} must be a whole number from ${min} to ${max}, not '${text}'`;
  return { name, helpers, apply: (effects) => apply(value, effects) };
}
