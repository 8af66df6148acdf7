// Converts the options of `npm run spsa` to the variables, the engine and the settings of a run.

import { totalmem } from 'node:os';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { PARAMS } from '../../engine/search/params.js';
import { declareOptions, identify } from '../../engine/uci/options.js';
import { UserError } from '../../selfplay/common/errors.js';
import { loadWeights } from '../../selfplay/common/weights.js';
import { declaredOptions } from '../../selfplay/engines/output.js';
import type { EngineSpec } from '../../selfplay/engines/process.js';
import { ownEngine } from '../../selfplay/engines/spec.js';
import { UciEngine } from '../../selfplay/engines/uci-engine.js';
import { limitsOf, merged } from '../../selfplay/series/game-settings.js';
import type { Competitor } from '../../selfplay/series/settings.js';
import type { SpsaOptions, VariableOptions } from './options.js';
import type { SpsaSettings } from './spsa.js';
import { type Declarations, resolveVariables } from './tunables.js';
import { type Variable, variableLines } from './variable.js';

/** The variables to tune, and the engine's options. `base` is Heft's weight set, or null for another engine. */
export interface Subject {
  variables: Variable[];
  declared: Declarations;
  base: WeightSet | null;
}

/** Options of a run that need another option, and whether it is set. */
const NEEDS: readonly [keys: (keyof SpsaOptions)[], need: string, isMet: (options: SpsaOptions) => boolean][] = [
  [['alpha', 'gamma', 'aRatio'], '--method spall', ({ method }) => method === 'spall'],
  [['factor'], '--method kiiski', ({ method }) => method === 'kiiski'],
  [['validationGames'], '--validate', ({ validate }) => validate !== undefined],
  [['simDistance', 'simElo', 'simDraws'], '--simulate', ({ simulate }) => simulate],
];

/** Throws a UserError if a given option has no effect. */
export function refuseUseless(options: SpsaOptions, given: Partial<SpsaOptions>): void {
  for (const [keys, need, isMet] of NEEDS) {
    const useless = keys.find((key) => given[key] !== undefined && !isMet(options));
    if (useless === undefined) continue;
    const name = useless.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UserError(`--${name} has no effect without ${need}; omit it, or give ${need}`, 2);
  }
}

/** Returns Heft with its search parameters as options. */
export function tunableEngine(weights: string, name?: string): EngineSpec {
  const spec = ownEngine(weights, { name });
  return { ...spec, args: [...spec.args, '--tune-options'] };
}

/** Returns the engine to tune. Its own options and limits override the common ones. */
export function competitorOf(options: SpsaOptions): Competitor {
  const { spec, limits } = options.engine ?? { spec: tunableEngine(options.weights), limits: {} };
  const shared = options.hash === undefined ? {} : { Hash: String(options.hash) };
  return { spec: { ...spec, options: { ...shared, ...spec.options } }, limits: merged(limitsOf(options), limits) };
}

/**
 * Returns the requested variables; for Heft, the variables `otherwise` if none are requested. Starts another engine to read its options.
 * Throws a UserError if there is nothing to tune, or if a variable is invalid.
 */
export async function subjectOf(options: VariableOptions, otherwise: string[]): Promise<Subject> {
  const { engine, variable = [], variables: file, weights } = options;
  const texts = [...variable, ...(file === undefined ? [] : variableLines(file))];
  const base = engine === undefined ? loadWeights(weights) : null;
  const declared = engine === undefined ? ownDeclarations() : await declarationsOf(engine.spec);
  if (texts.length === 0 && (otherwise.length === 0 || engine !== undefined)) {
    throw new UserError('nothing to tune: give --variable or --variables', 2);
  }
  const variables = resolveVariables(texts.length === 0 ? otherwise : texts, declared, base);
  return { variables: scaled(variables, options), declared, base };
}

/** Returns the settings of a run; throws a UserError if `--games` is not a whole number of iterations. */
export function spsaSettings(options: SpsaOptions, variables: Variable[]): SpsaSettings {
  const { method, games, alpha, gamma, aRatio, factor, seed } = options;
  const { pairs = method === 'spall' ? 8 : 1, ahead = Math.max(2, Math.ceil(8 / pairs)) } = options;
  if (games % (2 * pairs) !== 0) {
    throw new UserError(`--games must be a multiple of ${2 * pairs} (games per iteration), not ${games}`, 2);
  }
  const iterations = games / (2 * pairs);
  return { variables, method, iterations, pairs, ahead, seed, alpha, gamma, aRatio, factor };
}

/** Returns the default variables of a simulation. */
export function simulatedVariables(options: VariableOptions): Variable[] {
  const variables = Array.from({ length: 20 }, (_, i): Variable => {
    return { name: `x${i + 1}`, kind: 'float', start: 0, min: -1000, max: 1000, cEnd: 10, rEnd: 0.002 };
  });
  return scaled(variables, options);
}

/** Returns the declared values of Heft's search parameters among the variables. */
export const ownDefaults = (variables: readonly Variable[]): Record<string, number> =>
  Object.fromEntries(
    variables.flatMap(({ name }) => (Object.hasOwn(PARAMS, name) ? [[name, PARAMS[name].value]] : [])),
  );

function scaled(variables: Variable[], { cScale, rEnd }: VariableOptions): Variable[] {
  return variables.map((variable) => ({
    ...variable,
    cEnd: variable.cEnd * cScale,
    ...(rEnd !== undefined && { rEnd }),
  }));
}

function ownDeclarations(): Declarations {
  const lines = identify(declareOptions(totalmem() / 2 ** 20, PARAMS));
  return lowerCased(declaredOptions(lines.join('\n')));
}

async function declarationsOf(spec: EngineSpec): Promise<Declarations> {
  try {
    const engine = await UciEngine.start(spec);
    await engine.quit();
    // A value set by the user replaces the default as the start of the run
    const own = new Map(Object.entries(spec.options).map(([name, value]) => [name.toLowerCase(), value]));
    return lowerCased(
      [...engine.declared.values()].map(([name, declaration]) => {
        const value = own.get(name.toLowerCase());
        return [name, value === undefined ? declaration : withDefault(declaration, value)];
      }),
    );
  } catch (error) {
    throw new UserError(`engine ${spec.command} did not start: ${(error as Error).message}`);
  }
}

const withDefault = (declaration: string, value: string): string =>
  declaration.startsWith('string')
    ? `string default ${value}`
    : declaration.replace(/ default .*?(?= (?:min|max|var) |$)/, () => ` default ${value}`);

const lowerCased = (options: [string, string][]): Declarations =>
  new Map(options.map(([name, declaration]) => [name.toLowerCase(), declaration]));
