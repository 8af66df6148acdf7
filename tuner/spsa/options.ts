// The options of `npm run spsa`, each declared once.

import { choice, flag, list, real, type SettingsOf, text, whole, words } from '../../selfplay/common/options.js';
import { OUTPUT_OPTIONS } from '../../selfplay/common/outputs.js';
import { parseEngine } from '../../selfplay/engines/spec.js';
import { GAME_OPTIONS } from '../../selfplay/series/game-settings.js';
import { SPRT_OPTIONS } from '../../selfplay/statistics/sprt.js';
import { DEFAULT_METHOD } from './method.js';
import { DEFAULT_R_END } from './variable.js';
import { VARIABLE_SETS } from './write-back.js';

const VARIABLE_OPTIONS = {
  variable: list(
    'variables: all (Heft\'s search parameters), a parameter, a knob such as psqt[knight].amplitude or material.bias.eg, an option of the engine, or a line "name, int, start, min, max, c_end, r_end"',
  ),
  variables: text("file of variables, one per line, # for comments, or weather-factory's config.json"),
  'c-scale': real('factor by which every c_end is multiplied', { above: 0, default: 1 }),
  'r-end': real('r_end of every variable', { above: 0, defaultText: `its own, or ${DEFAULT_R_END}` }),
  weights: text('weights of Heft, to which the knobs apply', { default: 'shipped', conflicts: ['engine'] }),
  engine: words('engine to tune instead of Heft: cmd="./engine --flag" option.Hash=16 …', (text) => parseEngine(text)),
};

export const LINES_OPTIONS = { ...VARIABLE_OPTIONS, run: text('folder of a run') };

export const SPSA_OPTIONS = {
  ...VARIABLE_OPTIONS,
  method: choice(
    'spall: gain sequences as in fishtest and OpenBench; kiiski: Gaussian deltas with an apply factor',
    ['spall', 'kiiski'],
    { default: 'spall' as const },
  ),
  games: whole('number of games', { min: 2, default: 20_000 }),
  pairs: whole('pairs of games per iteration', { min: 1, max: 10_000, defaultText: 'spall 8, kiiski 1' }),
  ahead: whole('iterations in parallel; affects the trajectory, unlike --workers', {
    min: 1,
    max: 1000,
    defaultText: 'enough for 8 pairs, at least 2',
  }),
  alpha: real('spall: exponent of a', { above: 0, default: DEFAULT_METHOD.alpha }),
  gamma: real('spall: exponent of c', { above: 0, default: DEFAULT_METHOD.gamma }),
  'a-ratio': real('spall: A as a share of the iterations', { min: 0, default: DEFAULT_METHOD.aRatio }),
  factor: real('kiiski: apply factor', { above: 0, default: DEFAULT_METHOD.factor }),
  ...GAME_OPTIONS,
  validate: whole('number of games between validation matches of the current values against the start values', {
    min: 1,
    conflicts: ['simulate'],
  }),
  'validation-games': whole('games per validation match', { min: 2, even: true, default: 200 }),
  seed: whole('seed for directions, rounding and openings', { default: 1, identity: true }),
  simulate: flag('tune on a known noisy objective instead of playing games; twenty variables by default'),
  'sim-distance': real("simulation: distance of each variable's optimum from its start, in c", {
    above: 0,
    default: 3,
  }),
  'sim-elo': real('simulation: Elo loss per variable at a distance of one c from its optimum', { min: 0, default: 1 }),
  'sim-draws': real('simulation: share of draws', { min: 0, max: 0.999, default: 0.3 }),
  out: text('folder of the run; an interrupted run is continued', { defaultText: 'runs/spsa-TIME' }),
  ...OUTPUT_OPTIONS,
};

export const APPLY_OPTIONS = {
  run: text('folder of a run', { required: true }),
  values: choice('final values, or the mean over the second half', ['end', 'mean'], { default: 'end' as const }),
  only: choice('only the search parameters or only the knobs of a run that tuned both', VARIABLE_SETS, {
    default: 'all' as const,
  }),
  games: whole('number of games of the match; with --sprt the maximum', { min: 2, even: true, default: 1000 }),
  sprt: flag('stop the match when an SPRT decides; the default if --elo0 or --elo1 is given'),
  elo0: SPRT_OPTIONS.elo0,
  elo1: SPRT_OPTIONS.elo1,
  'min-los': real('likelihood of superiority in percent that counts as a win without SPRT', {
    min: 0,
    max: 100,
    default: 95,
  }),
  write: flag('write the values to the sources if they win; --no-write only plays the match', { default: true }),
  ...GAME_OPTIONS,
  seed: whole("seed for the openings; it should differ from the run's", { default: 1001, identity: true }),
  out: text('folder of the match; an interrupted match is continued', {
    defaultText: 'RUN/match or RUN/match-ONLY',
  }),
  ...OUTPUT_OPTIONS,
};

export type VariableOptions = SettingsOf<typeof VARIABLE_OPTIONS>;
export type SpsaOptions = SettingsOf<typeof SPSA_OPTIONS>;
export type ApplyOptions = SettingsOf<typeof APPLY_OPTIONS>;
