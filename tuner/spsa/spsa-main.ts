// `npm run spsa`: Stockfish's tuning method on search parameters, table knobs or another engine's options.

import '../../engine/flags.js';
import { join } from 'node:path';
import type { Argv } from 'yargs';
import { hideBin } from 'yargs/helpers';
import { commandLine, runCommand } from '../../selfplay/common/command-line.js';
import { writeFileAtomic, writeSummary } from '../../selfplay/common/files.js';
import { interruptSignal } from '../../selfplay/common/interrupt.js';
import { readSettings } from '../../selfplay/common/options.js';
import { programVersion } from '../../selfplay/common/version.js';
import { weightsHash } from '../../selfplay/common/weights.js';
import { describeLimits } from '../../selfplay/games/clock.js';
import { GAME_OPTIONS, gameSettings } from '../../selfplay/series/game-settings.js';
import { conditionsOf } from '../../selfplay/series/series-settings.js';
import { applyCommand, applyOptions } from './apply-command.js';
import { Climb } from './climb.js';
import { adviceLines, LiveTable, statusLine, tableLines } from './live-table.js';
import { playRun, type RunState } from './played-run.js';
import { distanceFrom, forecast, optimumOf, simulatedScore } from './simulation.js';
import {
  joinedWords,
  type RunArguments,
  refuseRepeated,
  runOptions,
  type VariableArguments,
  variableOptions,
} from './spsa-arguments.js';
import { climbSettings, competitorOf, simulatedVariables, simulationSettings, subjectOf } from './spsa-options.js';
import { type ResultFacts, readResult, resultFile, resultOf, type SpsaResult } from './spsa-result.js';
import { Tunables } from './tunables.js';
import { formatVariable } from './variable.js';

/** How often the report and the result of a running run are written; never while clocks run, which would run on meanwhile. */
const WRITE_MS = 60_000;

await runCommand(async () => {
  await commandLine('spsa', '--variable NAMES [options] | lines [RUN] | apply RUN')
    .parserConfiguration({ 'camel-case-expansion': false, 'greedy-arrays': true })
    .command('$0', 'tune by playing', runOptions, tune)
    .command(
      'lines [run]',
      "print OpenBench's SPSA input: of variables, or of a run from where it stands",
      lineOptions,
      printLines,
    )
    .command(
      'apply <run>',
      'play a match for the values of a run and write them back if they win',
      applyOptions,
      applyCommand,
    )
    .parseAsync(joinedWords(hideBin(process.argv)));
});

function lineOptions<T>(parser: Argv<T>) {
  return variableOptions(parser).positional('run', { type: 'string', describe: 'folder of a run' });
}

async function printLines(args: VariableArguments & { run: string | undefined }): Promise<void> {
  refuseRepeated(args);
  if (args.run === undefined) {
    const { variables } = await subjectOf(args, ['all']);
    for (const variable of variables) console.log(formatVariable(variable));
  } else {
    const { climb, values } = readResult(args.run);
    for (const [i, variable] of climb.variables.entries()) console.log(formatVariable(variable, values[i].now));
  }
}

async function tune(args: RunArguments): Promise<void> {
  refuseRepeated(args);
  if (args.simulate) return simulate(args);
  const { variables, declared, base } = await subjectOf(args, []);
  const climb = climbSettings(args, variables);
  const engine = competitorOf(args);
  const games = gameSettings(readSettings(GAME_OPTIONS, args));
  const out = args.out ?? `runs/spsa-${new Date().toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}`;
  const write = await writer(out);
  const table = new LiveTable();
  const total = 2 * climb.pairs * climb.iterations;
  table.note(
    `${climb.method} on ${variables.length} variables of ${engine.spec.name ?? engine.spec.command} ` +
      `(${describeLimits(engine.limits)}): ${total} games, ${games.workers} at a time, in ${out}`,
  );
  const conditions = conditionsOf({ engines: [engine], ...games });
  const facts = (state: RunState): ResultFacts => ({
    ...{ program: programVersion(), limits: engine.limits, games: state.games, seconds: Math.round(state.seconds) },
    conditions,
    weights: base === null ? null : { name: args.weights, hash: weightsHash(base) },
    engine: base === null ? [engine.spec.command, ...engine.spec.args].join(' ') : null,
  });
  const isTimed = engine.limits.tc !== undefined || engine.limits.movetime !== undefined;
  let writtenAt = performance.now();
  const signal = interruptSignal();
  const tunables = new Tunables(variables, declared, base);
  const state = await playRun(
    { climb, engine, games, tunables, out },
    {
      ...{ signal, keys: true },
      onWarning: (message) => table.note(`warning: ${message}`),
      onGame: (now) => {
        table.update(now);
        if (isTimed || performance.now() - writtenAt < WRITE_MS) return;
        writtenAt = performance.now();
        write(now.climb, resultOf(now.climb, facts(now)), statusLine(now));
      },
    },
  );
  table.clear();
  const result = resultOf(state.climb, facts(state));
  write(state.climb, result, statusLine(state));
  report(state.climb, statusLine(state));
  if (result.finished) writeSummary(args.json, result);
  console.log(`Report: ${join(out, 'report.html')}`);
  if (!result.finished) console.log(`To continue, give the same options and --out ${out}`);
  else if (base !== null) console.log(`To play a match and write the values back: npm run spsa -- apply ${out}`);
}

async function simulate(args: RunArguments): Promise<void> {
  const isNamed = args.variable !== undefined || args.variables !== undefined;
  const variables = isNamed ? (await subjectOf(args, [])).variables : simulatedVariables(args);
  const settings = climbSettings(args, variables);
  const simulation = simulationSettings(args);
  const optimum = optimumOf(settings, simulation);
  const climb = new Climb(settings);
  const startedAt = performance.now();
  for (let k = 1; k <= settings.iterations; k++) climb.apply(simulatedScore(climb, simulation, optimum, k));
  const expected = forecast(settings, simulation, optimum);
  const distance = distanceFrom(settings, optimum, climb.values);
  const games = 2 * settings.pairs * settings.iterations;
  const seconds = (performance.now() - startedAt) / 1000;
  const result = resultOf(climb, {
    ...{ program: programVersion(), weights: null, engine: null, limits: null, games, seconds },
    simulation: { ...simulation, optimum, distance, expected },
  });
  const start = distanceFrom(
    settings,
    optimum,
    settings.variables.map((variable) => variable.start),
  );
  const summary =
    `${games} simulated games: ${start.toFixed(2)} c from the optimum at the start, ${distance.toFixed(2)} c at the end; ` +
    `theory expects ${expected.distance.toFixed(2)} (${expected.low.toFixed(2)} to ${expected.high.toFixed(2)})`;
  if (args.out !== undefined) (await writer(args.out))(climb, result, summary);
  report(climb, summary);
  writeSummary(args.json, result);
}

/** Returns what writes result and report of a run; drawing takes a while to load, and most commands have nothing to draw. */
async function writer(out: string): Promise<(climb: Climb, result: SpsaResult, summary: string) => void> {
  const { renderSpsaReport } = await import('./spsa-report.js');
  return (climb, result, summary) => {
    writeSummary(resultFile(out), result);
    const { program, weights, engine, limits, games } = result;
    const page = renderSpsaReport({
      ...{ title: `Heft SPSA: ${climb.settings.method}`, summary, climb: climb.settings, points: climb.history.points },
      settings: {
        ...{ engine: engine ?? `heft, weights ${weights?.name ?? 'none'}`, program },
        limits: limits === null ? 'simulated' : describeLimits(limits),
      },
      facts: { games: games.toLocaleString('en-US'), iterations: `${climb.done}`, variables: `${climb.values.length}` },
    });
    writeFileAtomic(join(out, 'report.html'), page);
  };
}

function report(climb: Climb, summary: string): void {
  for (const line of [summary, ...tableLines(climb), ...adviceLines(climb.settings, climb.history.points)])
    console.log(line);
}
