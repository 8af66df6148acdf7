// The options of `npm run spsa`, each declared once.

import { choice, flag, list, real, type SettingsOf, text, whole, words } from '../../selfplay/common/options.js';
import { OUTPUT_OPTIONS } from '../../selfplay/common/outputs.js';
import { parseEngine } from '../../selfplay/engines/spec.js';
import { GAME_OPTIONS } from '../../selfplay/series/game-settings.js';
import { SPRT_OPTIONS } from '../../selfplay/statistics/sprt.js';
import { DEFAULT_METHOD } from './method.js';
import { DEFAULT_R_END } from './variable.js';
import { VARIABLE_SETS } from './write-back.js';

/** Variables and engine. */
export const VARIABLE_OPTIONS = {
  variable: list({
    help: 'variables: all (Heft\'s search parameters), a parameter, a knob such as psqt[knight].amplitude or material.bias.eg, an option of the engine, or a line "name, int, start, min, max, c_end, r_end"',
  }),
  variables: text({ help: "file of variables, one per line, # for comments, or weather-factory's config.json" }),
  'c-scale': real({ above: 0, default: 1, help: 'factor by which every c_end is multiplied' }),
  'r-end': real({ above: 0, defaultText: `its own, ${DEFAULT_R_END}`, help: 'r_end of every variable' }),
  weights: text({ default: 'shipped', help: 'weights of Heft, to which the knobs apply' }),
  engine: words((text) => parseEngine(text), {
    help: 'another engine instead of Heft, as words: cmd="./engine --flag" option.Hash=16 …',
  }),
};

export const LINES_OPTIONS = { ...VARIABLE_OPTIONS, run: text({ help: 'folder of a run' }) };

/** The options of a run. */
export const SPSA_OPTIONS = {
  ...VARIABLE_OPTIONS,
  method: choice(['spall', 'kiiski'], {
    default: 'spall' as const,
    help: 'SPSA method: gain sequences as in fishtest and OpenBench, or Gaussian deltas with an apply factor (2011)',
  }),
  games: whole({ min: 2, default: 20_000, help: 'number of games' }),
  pairs: whole({ min: 1, max: 10_000, defaultText: 'spall 8, kiiski 1', help: 'pairs of games per iteration' }),
  ahead: whole({
    min: 1,
    max: 1000,
    defaultText: '8 pairs, at least 2',
    help: 'iterations in parallel; affects the trajectory, unlike --workers',
  }),
  alpha: real({ above: 0, default: DEFAULT_METHOD.alpha, help: 'spall: exponent of a' }),
  gamma: real({ above: 0, default: DEFAULT_METHOD.gamma, help: 'spall: exponent of c' }),
  'a-ratio': real({ min: 0, default: DEFAULT_METHOD.aRatio, help: 'spall: A as a share of the iterations' }),
  factor: real({ above: 0, default: DEFAULT_METHOD.factor, help: 'kiiski: apply factor' }),
  ...GAME_OPTIONS,
  validate: whole({
    min: 1,
    help: 'number of games between validation matches of the current values against the start',
  }),
  'validation-games': whole({ min: 2, even: true, default: 200, help: 'games per validation match' }),
  seed: whole({ default: 1, identity: true, help: 'seed of directions, rounding and openings' }),
  simulate: flag({ help: 'simulate a known noisy objective instead of games; twenty variables by default' }),
  'sim-distance': real({ above: 0, default: 3, help: 'simulation: distance of the optimum from the start, in c' }),
  'sim-elo': real({ min: 0, default: 1, help: 'simulation: Elo lost at one c from the optimum' }),
  'sim-draws': real({ min: 0, max: 0.999, default: 0.3, help: 'simulation: share of draws' }),
  out: text({ defaultText: 'runs/spsa-TIME', help: 'folder of the run; an interrupted run is continued' }),
  ...OUTPUT_OPTIONS,
};

/** The options of `apply`. */
export const APPLY_OPTIONS = {
  run: text({ required: true, help: 'folder of a run' }),
  values: choice(['end', 'mean'], { default: 'end' as const, help: 'final values, or the mean over the second half' }),
  only: choice(VARIABLE_SETS, {
    default: 'all' as const,
    help: 'only the search parameters or only the knobs of a run that tuned both',
  }),
  games: whole({ min: 2, even: true, default: 1000, help: 'number of games of the match; with --sprt the maximum' }),
  sprt: flag({ help: 'stop the match when an SPRT decides' }),
  elo0: SPRT_OPTIONS.elo0,
  elo1: SPRT_OPTIONS.elo1,
  'min-los': real({
    min: 0,
    max: 100,
    default: 95,
    help: 'likelihood of superiority in percent that counts as a win without SPRT',
  }),
  write: flag({ default: true, help: 'write the values to the sources if they win; --no-write only plays the match' }),
  ...GAME_OPTIONS,
  seed: whole({ default: 1001, identity: true, help: "seed of the openings, different from the run's" }),
  out: text({
    defaultText: "the run's, match or match-ONLY",
    help: 'folder of the match; an interrupted match is continued',
  }),
  ...OUTPUT_OPTIONS,
};

export type VariableOptions = SettingsOf<typeof VARIABLE_OPTIONS>;
export type SpsaOptions = SettingsOf<typeof SPSA_OPTIONS>;
export type ApplyOptions = SettingsOf<typeof APPLY_OPTIONS>;
