// `npm run spsa`: tunes search parameters, table knobs or another engine's options by SPSA, Stockfish's tuning method.

import '../../engine/kernel-node.js';
import { join } from 'node:path';
import { command, runCommands } from '../../selfplay/common/command-line.js';
import { UserError } from '../../selfplay/common/errors.js';
import { newRunFolder, writeFileAtomic, writeSummary } from '../../selfplay/common/files.js';
import { LiveDisplay } from '../../selfplay/common/live-display.js';
import type { SettingsOf } from '../../selfplay/common/options.js';
import { claimOutputs } from '../../selfplay/common/outputs.js';
import { interruptSignal, invocation, programVersion, shellLine } from '../../selfplay/common/program.js';
import { weightsHash } from '../../selfplay/common/weights.js';
import { counted } from '../../selfplay/common/wording.js';
import { describeLimits } from '../../selfplay/games/clock.js';
import { gameSettings } from '../../selfplay/series/game-settings.js';
import { JOURNAL } from '../../selfplay/series/journal.js';
import { type Competitor, conditionsOf } from '../../selfplay/series/settings.js';
import { applyCommand } from './apply-command.js';
import { APPLY_OPTIONS, LINES_OPTIONS, SPSA_OPTIONS, type SpsaOptions } from './options.js';
import { openBenchLines, readResult, resultFile, resultOf, type SpsaResult } from './result.js';
import { playRun, type RunState } from './run.js';
import { competitorOf, ownDefaults, refuseUseless, simulatedVariables, spsaSettings, subjectOf } from './settings.js';
import { distanceFrom, forecast, optimumOf, simulatedScore } from './simulation.js';
import { Spsa, type SpsaSettings } from './spsa.js';
import { adviceLines, optimumLines, stateLine, tableLines } from './terminal.js';
import { Tunables } from './tunables.js';
import { playValidatedRun, type Validation } from './validation.js';
import { formatVariable } from './variable.js';

/**
 * Interval in ms at which the report and the result of a run are written. They are not written during timed games, because the clocks would
 * continue to run.
 */
const WRITE_MS = 60_000;
/** Files that a run writes into its folder, in addition to its journal. */
const FILES = ['result.json', 'report.html'];

const LINES_HELP = "print OpenBench's SPSA input for variables, or for the current values of a run";
const APPLY_HELP = 'play a match with the values of a run and write them back if they win';

const COMMANDS = [
  command('$0', 'tune parameters by SPSA', SPSA_OPTIONS, tune),
  command('lines [run]', LINES_HELP, LINES_OPTIONS, printLines),
  command('apply <run>', APPLY_HELP, APPLY_OPTIONS, applyCommand),
];
await runCommands('spsa', '--variable NAMES [options] | lines [RUN] | apply RUN', COMMANDS, SPSA_OPTIONS);

type LinesOptions = SettingsOf<typeof LINES_OPTIONS>;

async function printLines(options: LinesOptions, given: Partial<LinesOptions>): Promise<void> {
  const { run } = options;
  if (run !== undefined && Object.keys(given).length > 1)
    throw new UserError("lines RUN prints the run's own variables; omit RUN or the other options", 2);
  const lines =
    run === undefined
      ? (await subjectOf(options, ['all'])).variables.map((variable) => formatVariable(variable))
      : openBenchLines(readResult(run));
  for (const line of lines) console.log(line);
}

async function tune(options: SpsaOptions, given: Partial<SpsaOptions>): Promise<void> {
  refuseUseless(options, given);
  if (options.simulate) return simulate(options);
  const { variables, declared, base } = await subjectOf(options, []);
  const spsa = spsaSettings(options, variables);
  const engine = competitorOf(options);
  const games = gameSettings(options);
  const { json, force, out = newRunFolder('spsa') } = options;
  const folder = { out, command: 'spsa', mark: JOURNAL };
  claimOutputs({ force, run: folder, rewritten: FILES, files: { json } });
  const write = await writer(out);
  const display = new LiveDisplay();
  for (const line of introduction(spsa, engine, games.workers, out)) display.note(line);
  const conditions = conditionsOf({ engines: [engine], ...games });
  const validations: Validation[] = [];
  const resultNow = (state: RunState): SpsaResult =>
    resultOf(state.spsa, {
      program: programVersion(),
      limits: engine.limits,
      games: state.games,
      seconds: Math.round(state.seconds),
      conditions,
      weights: base === null ? null : { name: options.weights, hash: weightsHash(base) },
      ...(base !== null && { params: ownDefaults(variables) }),
      engine: base === null ? [engine.spec.command, ...engine.spec.args].join(' ') : null,
      ...(validations.length > 0 && { validations }),
    });
  const isTimed = engine.limits.tc !== undefined || engine.limits.movetime !== undefined;
  let writtenAt = performance.now();
  const hooks = {
    signal: interruptSignal(),
    onWarning: (message: string) => display.note(`warning: ${message}`),
    onGame: (now: RunState) => {
      const line = (): string => stateLine(now);
      display.update(() => [line(), ...tableLines(now.spsa)], line);
      if (isTimed || performance.now() - writtenAt < WRITE_MS) return;
      writtenAt = performance.now();
      write(now.spsa, resultNow(now), stateLine(now));
    },
    onValidation: (validation: Validation, lines: string[]) => {
      validations.push(validation);
      for (const line of [`Values after iteration ${validation.iteration} against the start:`, ...lines])
        display.note(line);
    },
  };
  const run = { spsa, engine, games, tunables: new Tunables(variables, declared, base), out };
  const every = options.validate;
  const state = await (every === undefined
    ? playRun(run, hooks)
    : playValidatedRun(run, { every, games: options.validationGames }, hooks));
  display.clear();
  const result = resultNow(state);
  write(state.spsa, result, stateLine(state));
  report(state.spsa, stateLine(state), result);
  if (result.finished) writeSummary(json, result);
  console.log(`Report: ${join(out, 'report.html')}`);
  if (!result.finished || hooks.signal.aborted)
    console.log(`To continue, give the same options and --out ${shellLine([out])}`);
  else if (base !== null)
    console.log(`To play a match and write the values back: ${invocation('spsa')} apply ${shellLine([out])}`);
}

function introduction(settings: SpsaSettings, { spec, limits }: Competitor, workers: number, out: string): string[] {
  const { method, variables, iterations, pairs, ahead } = settings;
  const allowed = 2 * pairs * ahead;
  const what = `${method} on ${counted(variables.length, 'variables')} of ${spec.name ?? spec.command}`;
  const games = `${2 * pairs * iterations} games, ${Math.min(workers, allowed)} at a time`;
  const note = `note: --ahead ${ahead} allows only ${allowed} games at a time; raise it for --workers ${workers}`;
  return [`${what} (${describeLimits(limits)}): ${games}, in ${out}`, ...(workers > allowed ? [note] : [])];
}

async function simulate(options: SpsaOptions): Promise<void> {
  const isNamed = options.variable !== undefined || options.variables !== undefined;
  const variables = isNamed ? (await subjectOf(options, [])).variables : simulatedVariables(options);
  const settings = spsaSettings(options, variables);
  const { simDistance, simElo: elo, simDraws: draws, out, json, force } = options;
  const run = out === undefined ? undefined : { out, command: 'spsa --simulate' };
  claimOutputs({ force, run, ...(run !== undefined && { fresh: FILES }), files: { json } });
  const simulation = { distance: simDistance, elo, draws };
  const optimum = optimumOf(settings, simulation);
  const spsa = new Spsa(settings);
  const startedAt = performance.now();
  for (let k = 1; k <= settings.iterations; k++) spsa.apply(simulatedScore(spsa, simulation, optimum, k));
  const expected = forecast(settings, simulation, optimum);
  const distance = distanceFrom(settings, optimum, spsa.values);
  const result = resultOf(spsa, {
    program: programVersion(),
    weights: null,
    engine: null,
    limits: null,
    games: options.games,
    seconds: (performance.now() - startedAt) / 1000,
    simulation: { ...simulation, optimum, distance, expected },
  });
  const starts = settings.variables.map((variable) => variable.start);
  const start = distanceFrom(settings, optimum, starts);
  const summary =
    `${options.games} simulated games: ${start.toFixed(2)} c from the optimum at the start, ${distance.toFixed(2)} c at the end; ` +
    `theory predicts ${expected.distance.toFixed(2)} (${expected.low.toFixed(2)} to ${expected.high.toFixed(2)})`;
  if (out !== undefined) (await writer(out))(spsa, result, summary);
  report(spsa, summary, result);
  writeSummary(json, result);
}

/** Returns the writer of a run's result and report. The drawing code is loaded here, because most commands do not draw. */
async function writer(out: string): Promise<(spsa: Spsa, result: SpsaResult, summary: string) => void> {
  const { renderSpsaReport } = await import('./report.js');
  return (spsa, result, summary) => {
    writeSummary(resultFile(out), result);
    writeFileAtomic(join(out, 'report.html'), renderSpsaReport(spsa, result, summary));
  };
}

function report(spsa: Spsa, summary: string, result: SpsaResult): void {
  const lines = [summary, ...tableLines(spsa), ...optimumLines(result), ...adviceLines(result.advice)];
  for (const line of lines) console.log(line);
}
