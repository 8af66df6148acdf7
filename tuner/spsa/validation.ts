// Validation matches during a run: after every N games, the current values play against the start values. Each match has a subfolder, which
// stores its values, and from which it continues after an interruption.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import { writeSummary } from '../../selfplay/common/files.js';
import { type MatchResult, runMatch } from '../../selfplay/match/match.js';
import { reportLines } from '../../selfplay/match/report.js';
import type { RunHooks } from '../../selfplay/series/pooled-run.js';
import type { Competitor } from '../../selfplay/series/settings.js';
import { HEFT } from '../model/heft.js';
import { writeWeights } from '../weights/weights-file.js';
import { playRun, type RunSettings, type RunState, type SpsaHooks } from './run.js';

/** Result of a match with the values after an iteration, from their side. */
export interface Validation extends Pick<MatchResult, 'games' | 'elo' | 'eloError' | 'los' | 'penta'> {
  iteration: number;
  values: number[];
}

/** Seed offset, so the openings of validation matches differ from those of the run and of `apply`. */
const SEED_APART = 2000;

/**
 * Plays the run, with a validation match of `games` games after each `every` games, rounded to whole iterations. Calls `onValidation` after
 * each match, including the matches of earlier sessions. For errors see playRun().
 */
export async function playValidatedRun(
  settings: RunSettings,
  { every, games }: { every: number; games: number },
  hooks: SpsaHooks & { onValidation: (validation: Validation, lines: string[]) => void },
): Promise<RunState> {
  const { spsa } = settings;
  const step = Math.max(1, Math.round(every / (2 * spsa.pairs)));
  let state: RunState | undefined;
  for (let target = step; ; target += step) {
    const reached = Math.min(target, spsa.iterations);
    if (state === undefined || state.spsa.done < reached) state = await playUntil(settings, target, hooks);
    if (hooks.signal?.aborted === true || state.spsa.done < reached) return state;
    // If --validate was added later, the values at this point are lost, and the current values would give the same match each time
    const isPassed = target < spsa.iterations && state.spsa.done >= Math.min(target + step, spsa.iterations);
    if (isPassed && !existsSync(valuesFile(folderOf(settings, target)))) continue;
    const validation = await validate(settings, target, state, games, hooks);
    if (validation === null) return state;
    hooks.onValidation(...validation);
    if (target >= spsa.iterations) return state;
  }
}

const folderOf = ({ out }: RunSettings, target: number): string => join(out, `validation-${target}`);

const valuesFile = (folder: string): string => join(folder, 'values.json');

// No game of a later iteration begins, so the final values are the values after the target, regardless of the order in which games end.
// Only a run that began without validation may already have later games
async function playUntil(settings: RunSettings, target: number, hooks: SpsaHooks): Promise<RunState> {
  const reached = new AbortController();
  const signal = hooks.signal === undefined ? reached.signal : AbortSignal.any([hooks.signal, reached.signal]);
  const onGame = (state: RunState): void => {
    hooks.onGame?.(state);
    if (state.spsa.done >= target) reached.abort();
  };
  return playRun(settings, { ...hooks, signal, onGame }, target);
}

async function validate(
  settings: RunSettings,
  target: number,
  state: RunState,
  games: number,
  hooks: RunHooks,
): Promise<[Validation, string[]] | null> {
  const { engine, games: conditions, tunables, spsa } = settings;
  const folder = folderOf(settings, target);
  const { iteration, values } = valuesOf(folder, state);
  const starts = spsa.variables.map(({ start }) => start);
  const side = (name: string, of: readonly number[]): Competitor => {
    const options = tunables.options(of);
    if (tunables.hasKnobs) {
      const file = join(folder, `${name}.json`);
      writeWeights(HEFT, file, tunables.weights(of));
      options['EvalFile'] = file;
    }
    return { ...engine, spec: { ...engine.spec, name, options: { ...engine.spec.options, ...options } } };
  };
  const engines = [side('tuned', values), side('start', starts)];
  const match = { ...conditions, engines, seed: conditions.seed + SEED_APART, games, out: folder };
  const result = await runMatch(match, hooks);
  if (!result.finished) return null;
  const { elo, eloError, los, penta } = result;
  return [{ iteration, values, games: result.games, elo, eloError, los, penta }, reportLines(result).slice(0, 3)];
}

// An interrupted match continues with its original values
function valuesOf(folder: string, { spsa }: RunState): { iteration: number; values: number[] } {
  const file = valuesFile(folder);
  if (!existsSync(file)) writeSummary(file, { iteration: spsa.done, values: spsa.values });
  try {
    const { iteration, values } = JSON.parse(readFileSync(file, 'utf8'));
    if (Array.isArray(values) && values.length === spsa.values.length) return { iteration, values };
  } catch {
    // A damaged file is treated as a file with other content
  }
  throw new UserError(`${file} does not hold the values of a validation match: remove ${folder} to replay it`);
}
