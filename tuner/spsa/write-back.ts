// Writes tuned values to the sources: search parameters into their declaration, and tables into the shipped weights. Each change is
// entered in the ledger beside the changed file, with the origin of the values and the match.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { PARAMS } from '../../engine/search/params.js';
import { UserError } from '../../selfplay/common/errors.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { projectFile } from '../../selfplay/common/program.js';
import type { Identity } from '../../selfplay/common/run-files.js';
import { loadWeights, weightsHash } from '../../selfplay/common/weights.js';
import { describeLimits } from '../../selfplay/games/clock.js';
import type { MatchResult } from '../../selfplay/match/match.js';
import { installWeights } from '../weights/compile.js';
import { matchEntry, matchLine, recordShipped } from '../weights/shipped-ledger.js';
import { parseKnob } from './knobs.js';
import type { SpsaResult } from './result.js';
import { Tunables } from './tunables.js';
import type { Variable } from './variable.js';

/** Selected variables of a run: all, or one kind, so each kind can have its own match. */
export const VARIABLE_SETS = ['all', 'params', 'knobs'] as const;
export type VariableSet = (typeof VARIABLE_SETS)[number];

/** Values of a run as options and weights of an engine. */
export interface Tuned {
  changes: { name: string; from: number; to: number }[];
  /** Search parameters by name. */
  options: Record<string, string>;
  /** The weights with the knobs applied; null without knobs. */
  weights: WeightSet | null;
}

const PARAMS_FILE = 'engine/search/params.ts';

/**
 * Returns the final or mean values of a run, or of one kind of its variables, with integers rounded. Throws a UserError if the weights of
 * its knobs or its search parameters have changed since the run's start.
 */
export function tunedOf(
  { spsa, values, weights, params, program, seconds, ...run }: SpsaResult,
  which: 'end' | 'mean',
  part: VariableSet = 'all',
): Tuned {
  const { method, seed } = spsa;
  const movements = values.filter(({ name }) => part === 'all' || (part === 'params') === Object.hasOwn(PARAMS, name));
  const variables = movements.map(({ name }) => spsa.variables.find((variable) => variable.name === name) as Variable);
  const base = loadWeights(weights?.name ?? 'shipped');
  const tunables = new Tunables(variables, new Map(), base);
  if (tunables.hasKnobs && weights !== null && weightsHash(base) !== weights.hash) {
    throw new UserError(
      `the weights ${weights.name} differ from those at the start of the run; restore them, or tune again`,
    );
  }
  const to = variables.map(({ kind }, i) => {
    const value = which === 'end' ? movements[i].now : movements[i].mean;
    return kind === 'int' ? Math.round(value) : value;
  });
  // A run may start at the final values of an earlier run, so its start values may differ from the sources
  const changes = variables.map(({ name }, i) => {
    if (!Object.hasOwn(PARAMS, name)) {
      if (parseKnob(name) !== null) return { name, from: 0, to: to[i] };
      throw new UserError(`${name} is neither a search parameter nor a knob, so it cannot be written`);
    }
    const from = PARAMS[name].value;
    const before = params?.[name] ?? from;
    if (from === before) return { name, from, to: to[i] };
    throw new UserError(`${name} is now ${from}, but it was ${before} during the run; restore it, or tune again`);
  });
  const knobs = changes.filter(({ name }) => !Object.hasOwn(PARAMS, name)).map((knob) => [knob.name, knob.to]);
  const provenance = {
    generator: `heft spsa ${program}`,
    before: weightsHash(base),
    method,
    games: run.games,
    iterations: run.iterations,
    pairs: spsa.pairs,
    seed,
    limits: run.limits === null ? 'none' : describeLimits(run.limits),
    knobs: Object.fromEntries(knobs),
    base: base.provenance,
  };
  return {
    changes: changes.filter((change) => change.from !== change.to),
    options: tunables.options(to),
    weights: tunables.hasKnobs ? { ...tunables.weights(to), provenance } : null,
  };
}

/** Writes the values to the sources, and records their origin and the match with its conditions. */
export function writeBack(run: SpsaResult, tuned: Tuned, match: MatchResult, conditions: Identity): void {
  const { spsa, program, games, limits, weights } = run;
  const { variables, ...settings } = spsa;
  const entry = {
    program,
    ...settings,
    games,
    limits,
    conditions: run.conditions,
    variables: variables.map(({ name, min, max, cEnd, rEnd }) => ({ name, min, max, cEnd, rEnd })),
    match: { ...matchEntry(match), conditions },
    line: matchLine(match),
  };
  const params = tuned.changes.filter(({ name }) => Object.hasOwn(PARAMS, name));
  const knobs = tuned.changes.filter(({ name }) => !Object.hasOwn(PARAMS, name));
  if (params.length > 0) {
    const file = fileURLToPath(projectFile(PARAMS_FILE));
    const source = withDefaults(readFileSync(file, 'utf8'), params);
    recordShipped('params', 'spsa', { ...entry, changes: params });
    writeFileAtomic(file, source);
  }
  if (tuned.weights !== null) {
    const hashes = { before: weights?.hash, after: weightsHash(tuned.weights) };
    installWeights(tuned.weights, 'spsa', { ...entry, ...hashes, changes: knobs });
  }
}

/** Returns the text of params.ts with other defaults. Throws a UserError if a parameter is not declared as expected. */
export function withDefaults(source: string, changes: readonly { name: string; from: number; to: number }[]): string {
  return changes.reduce((text, { name, from, to }) => {
    const constant = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    const declaration = ` ${constant}: param(${from},`;
    if (text.split(declaration).length !== 2)
      throw new UserError(`${PARAMS_FILE} does not declare ${declaration.trim()} exactly once`);
    return text.replace(declaration, ` ${constant}: param(${to},`);
  }, source);
}
