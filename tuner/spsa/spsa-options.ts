// The options of `npm run spsa`, each declared once.

import { choice, flag, list, real, type SettingsOf, text, whole, words } from '../../selfplay/common/options.js';
import { OUTPUT_OPTIONS } from '../../selfplay/common/outputs.js';
import { parseEngine } from '../../selfplay/engines/engine-spec.js';
import { GAME_OPTIONS } from '../../selfplay/series/game-settings.js';
import { SPRT_OPTIONS } from '../../selfplay/statistics/sprt.js';
import { DEFAULT_METHOD } from './method.js';
import { DEFAULT_R_END } from './variable.js';
import { PARTS } from './write-back.js';

/** What is tuned, and of which engine. */
export const VARIABLE_OPTIONS = {
  variable: list({
    help: 'what to tune: all (our search parameters), a parameter, a knob such as psqt[knight].amplitude or material.bias.eg, an option of the engine, or a line "name, int, start, min, max, c_end, r_end"',
  }),
  variables: text({ help: "file of such names and lines, # for comments, or weather-factory's config.json" }),
  'c-scale': real({ above: 0, default: 1, help: 'multiplies every c_end' }),
  'r-end': real({ above: 0, defaultText: `its own, ${DEFAULT_R_END}`, help: 'r_end of every variable' }),
  weights: text({ default: 'shipped', help: 'our engine at these weights, to whose tables the knobs apply' }),
  engine: words((text) => parseEngine(text), {
    help: 'another engine instead of ours, as words: cmd="./engine --flag" option.Hash=16 …',
  }),
};

export const LINES_OPTIONS = { ...VARIABLE_OPTIONS, run: text({ help: 'folder of a run' }) };

/** The options of a run. */
export const RUN_OPTIONS = {
  ...VARIABLE_OPTIONS,
  method: choice(['spall', 'kiiski'], {
    default: 'spall' as const,
    help: 'gain sequences as in fishtest and OpenBench, or Gaussian deltas and an apply factor (2011)',
  }),
  games: whole({ min: 2, default: 20_000, help: 'number of games' }),
  pairs: whole({ min: 1, max: 10_000, defaultText: 'spall 8, kiiski 1', help: 'pairs of games per iteration' }),
  ahead: whole({
    min: 1,
    max: 1000,
    defaultText: '8 pairs, at least 2',
    help: 'iterations played at a time; part of the trajectory, unlike --workers',
  }),
  alpha: real({ above: 0, default: DEFAULT_METHOD.alpha, help: 'spall: exponent of a' }),
  gamma: real({ above: 0, default: DEFAULT_METHOD.gamma, help: 'spall: exponent of c' }),
  'a-ratio': real({ min: 0, default: DEFAULT_METHOD.aRatio, help: 'spall: A as a share of the iterations' }),
  factor: real({ above: 0, default: DEFAULT_METHOD.factor, help: 'kiiski: apply factor' }),
  ...GAME_OPTIONS,
  validate: whole({ min: 1, help: 'after every so many games, the values reached play those of the start' }),
  'validation-games': whole({ min: 2, even: true, default: 200, help: 'games of each of these matches' }),
  seed: whole({ default: 1, identity: true, help: 'seed of directions, rounding and openings' }),
  simulate: flag({ help: 'a known noisy objective in place of games; without variables, twenty of them' }),
  'sim-distance': real({ above: 0, default: 3, help: 'distance of its optimum from the start, in c' }),
  'sim-elo': real({ min: 0, default: 1, help: 'Elo lost one c from its optimum' }),
  'sim-draws': real({ min: 0, max: 0.999, default: 0.3, help: 'its share of draws' }),
  out: text({ defaultText: 'runs/spsa-TIME', help: 'folder of the run: continues it if it was interrupted' }),
  ...OUTPUT_OPTIONS,
};

/** The options of `apply`. */
export const APPLY_OPTIONS = {
  run: text({ required: true, help: 'folder of a run' }),
  values: choice(['end', 'mean'], {
    default: 'end' as const,
    help: 'where the run ended, or the mean over its second half',
  }),
  only: choice(PARTS, {
    default: 'all' as const,
    help: 'search parameters or knobs alone, of a run that tuned both: each is kept for a match of its own',
  }),
  games: whole({ min: 2, even: true, default: 1000, help: 'number of games of the match; with --sprt the maximum' }),
  sprt: flag({ help: 'end the match when an SPRT decides' }),
  elo0: SPRT_OPTIONS.elo0,
  elo1: SPRT_OPTIONS.elo1,
  'min-los': real({
    min: 0,
    max: 100,
    default: 95,
    help: 'likelihood of superiority in percent that counts as won, where no SPRT decides',
  }),
  write: flag({ default: true, help: 'write back what has won; --no-write plays only' }),
  ...GAME_OPTIONS,
  seed: whole({ default: 1001, identity: true, help: "seed of the openings: not the run's own" }),
  out: text({ defaultText: "the run's, match or match-ONLY", help: 'folder of the match: continues it' }),
  ...OUTPUT_OPTIONS,
};

export type VariableOptions = SettingsOf<typeof VARIABLE_OPTIONS>;
export type RunOptions = SettingsOf<typeof RUN_OPTIONS>;
export type ApplyOptions = SettingsOf<typeof APPLY_OPTIONS>;
