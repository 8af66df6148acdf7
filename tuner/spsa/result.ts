// SpsaResult: the result of a run for --json and the run's folder, with settings, trajectory, current values, fitted optima and advice.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, UserError } from '../../selfplay/common/errors.js';
import type { Identity } from '../../selfplay/common/run-files.js';
import type { GameLimits } from '../../selfplay/games/clock.js';
import { type Advice, adviceOf, type Movement } from './advice.js';
import type { Optimum } from './quadratic-fit.js';
import type { Forecast, SimulationSettings } from './simulation.js';
import type { Spsa, SpsaSettings } from './spsa.js';
import type { Validation } from './validation.js';
import { formatVariable } from './variable.js';

/** Parts of a result that do not come from the Spsa object. */
export interface ResultFacts {
  /** Version of Heft that played the run. */
  program: string;
  /** Heft's weights by name or file and by hash; null for another engine or a simulation. */
  weights: { name: string; hash: string } | null;
  /** Declared values of the tuned search parameters; missing in old runs. */
  params?: Record<string, number>;
  /** Command of another engine. */
  engine: string | null;
  limits: GameLimits | null;
  /** Conditions of the games: openings, adjudication, hash sizes; none for a simulation. */
  conditions?: Identity;
  games: number;
  seconds: number;
  /** Validation matches against the start values. */
  validations?: Validation[];
  simulation?: SimulationSettings & { optimum: number[]; distance: number; expected: Forecast };
}

export interface SpsaResult extends ResultFacts {
  spsa: SpsaSettings;
  /** Whether all iterations are done. */
  finished: boolean;
  iterations: number;
  /** Movement of each variable so far. */
  values: Movement[];
  advice: Omit<Advice, 'movements'>;
  /** Optimum of each variable by a quadratic fit to all pairs, with 95 % intervals. */
  optima: (Optimum & { name: string })[];
  /** Values after every iteration; in a run of 2000 iterations or more, only after evenly spaced iterations and the last one. */
  trajectory: { iteration: number; values: number[] }[];
}

/** Returns the result of a run. */
export function resultOf({ settings, trajectory, done, isFinished, fit }: Spsa, facts: ResultFacts): SpsaResult {
  const { movements, ...advice } = adviceOf(settings, trajectory.points);
  return {
    ...facts,
    spsa: settings,
    finished: isFinished,
    iterations: done,
    values: movements,
    advice,
    optima: fit.optima().map((optimum, i) => ({ name: settings.variables[i].name, ...optimum })),
    trajectory: trajectory.points.map(({ iteration, values }) => ({ iteration, values })),
  };
}

/** Returns the variables at their current values as OpenBench's SPSA input. */
export const openBenchLines = ({ spsa, values }: SpsaResult): string[] =>
  spsa.variables.map((variable, i) => formatVariable(variable, values[i].now));

/** Returns the path of the result of the run in a folder. */
export const resultFile = (folder: string): string => join(folder, 'result.json');

/** Reads the result of the run in a folder; throws a UserError if there is none. */
export function readResult(folder: string): SpsaResult {
  const file = resultFile(folder);
  const result: SpsaResult = attempt(`${folder} holds no tuning run with a result`, () =>
    JSON.parse(readFileSync(file, 'utf8')),
  );
  if (!Array.isArray(result?.spsa?.variables) || !Array.isArray(result.values)) {
    throw new UserError(`${file} is not the result of a tuning run`);
  }
  return result;
}
