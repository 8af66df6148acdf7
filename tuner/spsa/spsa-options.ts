// What the options of `npm run spsa` mean: from the command line to variables, engine and settings.

import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { declareOptions, identify } from '../../engine/uci/options.js';
import { UserError } from '../../selfplay/common/errors.js';
import { readSettings, wholeNumber } from '../../selfplay/common/options.js';
import { loadWeights } from '../../selfplay/common/weights.js';
import { declaredOptions } from '../../selfplay/engines/engine-output.js';
import type { EngineSpec } from '../../selfplay/engines/engine-process.js';
import { ownEngine, parseEngine } from '../../selfplay/engines/engine-spec.js';
import { UciEngine } from '../../selfplay/engines/uci-engine.js';
import { GAME_OPTIONS, limitsOf, merged } from '../../selfplay/series/game-settings.js';
import type { Competitor } from '../../selfplay/series/series-settings.js';
import type { ClimbSettings } from './climb.js';
import type { SimulationSettings } from './simulation.js';
import type { RunArguments, VariableArguments } from './spsa-arguments.js';
import { type Declarations, resolveVariables } from './tunables.js';
import type { Variable } from './variable.js';

/** What is tuned. `base` are our weights, null for an engine that is not ours. */
export interface Subject {
  variables: Variable[];
  declared: Declarations;
  base: WeightSet | null;
}

/** Returns our engine with its search parameters as options. */
export function tunableEngine(weights: string, name?: string): EngineSpec {
  const spec = ownEngine(weights, name === undefined ? {} : { name });
  return { ...spec, args: [...spec.args, '--tune-options'] };
}

/** Returns the engine with its own limits in place of the common ones. */
export function competitorOf(args: RunArguments): Competitor {
  const games = readSettings(GAME_OPTIONS, args);
  const common = limitsOf(games);
  if (args.engine === undefined)
    return { spec: withHash(tunableEngine(args.weights), games.hash), limits: merged(common, {}) };
  const { spec, limits } = parseEngine(args.engine.join(' '));
  return { spec: withHash(spec, games.hash), limits: merged(common, limits) };
}

/** Returns the variables asked for; starts another engine than ours to hear which options it has. */
export async function subjectOf(args: VariableArguments, otherwise: string[]): Promise<Subject> {
  const texts = [...(args.variable ?? []), ...(args.variables === undefined ? [] : linesOf(args.variables))];
  const isOurs = args.engine === undefined;
  const base = isOurs ? loadWeights(args.weights) : null;
  const declared = isOurs ? ownDeclarations() : await declarationsOf(parseEngine((args.engine ?? []).join(' ')).spec);
  if (texts.length === 0 && (otherwise.length === 0 || !isOurs)) {
    throw new UserError('nothing to tune: give --variable or --variables', 2);
  }
  const variables = resolveVariables(texts.length === 0 ? otherwise : texts, declared, base);
  return { variables: scaled(variables, args), declared, base };
}

/** Returns the settings of the climb; throws a UserError that names the option that is wrong. */
export function climbSettings(args: RunArguments, variables: Variable[]): ClimbSettings {
  const { method, alpha, gamma, factor, seed } = args;
  const pairs = wholeNumber('pairs', args.pairs ?? (method === 'spall' ? 8 : 1), 1, 10_000);
  const games = wholeNumber('games', args.games, 2);
  if (games % (2 * pairs) !== 0) {
    throw new UserError(`--games is a multiple of ${2 * pairs}, the games of an iteration, not ${games}`, 2);
  }
  const ahead = wholeNumber('ahead', args.ahead ?? Math.max(2, Math.ceil(8 / pairs)), 1, 1000);
  for (const option of ['alpha', 'gamma', 'factor'] as const) positive(option, args[option]);
  const aRatio = args['a-ratio'];
  if (!(aRatio >= 0)) throw new UserError(`--a-ratio takes a number of at least 0, not ${aRatio}`, 2);
  const rates = { alpha, gamma, aRatio, factor };
  return {
    ...{ variables, method, iterations: games / (2 * pairs), pairs, ahead },
    seed: wholeNumber('seed', seed, 0),
    ...rates,
  };
}

/** Returns the settings of a simulation. */
export function simulationSettings(args: RunArguments): SimulationSettings {
  const { 'sim-distance': distance, 'sim-elo': elo, 'sim-draws': draws } = args;
  positive('sim-distance', distance);
  if (!(elo >= 0)) throw new UserError(`--sim-elo takes a number of at least 0, not ${elo}`, 2);
  if (!(draws >= 0 && draws < 1))
    throw new UserError(`--sim-draws takes a share from 0 to less than 1, not ${draws}`, 2);
  return { distance, elo, draws };
}

/** Returns the variables of a simulation that is asked for none. */
export function simulatedVariables(args: VariableArguments): Variable[] {
  const variables = Array.from({ length: 20 }, (_, i): Variable => {
    return { name: `x${i + 1}`, kind: 'float', start: 0, min: -1000, max: 1000, cEnd: 10, rEnd: 0.002 };
  });
  return scaled(variables, args);
}

function scaled(variables: Variable[], { 'c-scale': scale, 'r-end': rEnd }: VariableArguments): Variable[] {
  positive('c-scale', scale);
  if (rEnd !== undefined) positive('r-end', rEnd);
  return variables.map((variable) => ({
    ...variable,
    cEnd: variable.cEnd * scale,
    ...(rEnd !== undefined && { rEnd }),
  }));
}

function ownDeclarations(): Declarations {
  const lines = identify(declareOptions(totalmem() / 2 ** 20, true));
  return lowerCased(declaredOptions(lines.join('\n')));
}

async function declarationsOf(spec: EngineSpec): Promise<Declarations> {
  try {
    const engine = await UciEngine.start(spec);
    await engine.quit();
    return engine.declared;
  } catch (error) {
    throw new UserError(`engine ${spec.command} does not start: ${(error as Error).message}`);
  }
}

const lowerCased = (options: [string, string][]): Declarations =>
  new Map(options.map(([name, declaration]) => [name.toLowerCase(), declaration]));

function withHash(spec: EngineSpec, hash: number | undefined): EngineSpec {
  if (hash === undefined) return spec;
  return { ...spec, options: { Hash: String(hash), ...spec.options } };
}

function linesOf(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`--variables: cannot read ${file}: ${(error as Error).message}`);
  }
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*/, '').trim());
  return lines.filter((line) => line !== '');
}

function positive(option: string, value: number): void {
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) {
    throw new UserError(`--${option} takes a number above 0, not ${value}`, 2);
  }
}
