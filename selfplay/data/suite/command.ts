// The command `npm run data -- suite`: solves test positions with one engine, or compares two.

import { command } from '../../common/command-line.js';
import { UserError } from '../../common/errors.js';
import { writeSummary } from '../../common/files.js';
import { flag, list, real, type SettingsOf, text, whole, wordLists } from '../../common/options.js';
import { claimOutputs } from '../../common/outputs.js';
import { interruptSignal } from '../../common/program.js';
import { showProgress } from '../../common/progress.js';
import { type NamedEngine, ownEngine, parseEngine } from '../../engines/spec.js';
import { refuseRepeated } from '../../records/game-reader.js';
import { FILES_OPTIONS, filesOf } from '../options.js';
import { readSuite, type Task } from './file.js';
import { comparisonLines, countsOf, differenceOf, resultLines } from './report.js';
import { runSuite, type SuiteResult } from './run.js';

export const SUITE_OPTIONS = {
  ...FILES_OPTIONS,
  files: list('suites: EPD with bm, am, dm or c0, or tab-separated tables with columns fen and bm, am, dm or points'),
  engine: wordLists(
    'engine as in match: cmd=PROGRAM name=X option.Hash=16 nodes=N; give it twice to compare two engines',
    { defaultText: 'Heft' },
  ),
  nodes: whole('nodes per position', { min: 1, conflicts: ['depth', 'st'], defaultText: '100000' }),
  depth: whole('depth per position', { min: 1, max: 200, conflicts: ['nodes', 'st'] }),
  st: real('seconds per position', { above: 0, conflicts: ['nodes', 'depth'] }),
  only: text('prefix of the names of the suites or positions to run, for example STS'),
  positions: whole('number of positions to run, starting with the first', { min: 1, defaultText: 'all' }),
  workers: whole('parallel processes per engine', { min: 1, max: 256, default: 1 }),
  failures: flag('list unsolved positions'),
};

export const suiteCommand = command(
  'suite [files..]',
  'solve the test positions of an EPD suite with one engine, or compare two',
  SUITE_OPTIONS,
  suite,
);

async function suite(settings: SettingsOf<typeof SUITE_OPTIONS>): Promise<void> {
  const { engine: words = [], workers, positions, only, failures, json, force } = settings;
  const files = filesOf(settings);
  if (words.length > 2) throw new UserError('--engine: give one engine, or two to compare them', 2);
  claimOutputs({ force, files: { json }, inputs: files });
  const engines =
    words.length === 0 ? [{ spec: ownEngine('shipped'), limits: {} }] : words.map((one) => parseEngine(one));
  const tasks: Task[] = [];
  for (const file of files) for (const task of await readSuite(file)) tasks.push(task);
  refuseRepeated(files);
  const begins = (text: string): boolean => text.toLowerCase().startsWith((only ?? '').toLowerCase());
  const chosen = tasks.filter(({ id, suite }) => begins(id) || begins(suite)).slice(0, positions);
  if (chosen.length === 0)
    throw new UserError(`--only: no name or suite of the ${tasks.length} positions begins with ${only}`, 2);
  const signal = interruptSignal();
  const results: SuiteResult[] = [];
  for (const engine of engines) {
    const go = goOf(settings, engine);
    const progress = showProgress('suite', chosen.length);
    const onVerdict = (done: number): void => progress.update(done, go);
    const run = { engine, tasks: chosen, go, workers, onVerdict, signal };
    const result = await runSuite(run).finally(() => progress.stop());
    results.push(result);
    const lines = [...resultLines(result), ...(failures ? unsolved(result) : [])];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  const [first, second] = results;
  if (second !== undefined) process.stdout.write(`${comparisonLines(first, second).join('\n')}\n`);
  writeSummary(json, {
    results: results.map(summaryOf),
    ...(second !== undefined && { difference: differenceOf(first, second) }),
  });
}

function goOf({ nodes, depth, st }: SettingsOf<typeof SUITE_OPTIONS>, { limits }: NamedEngine): string {
  if ('tc' in limits) throw new UserError('--engine: a suite takes nodes=, depth= or st=, not tc=', 2);
  const own = limits.nodes ?? limits.depth ?? limits.movetime;
  const [most, deep, time] =
    own === undefined
      ? [nodes, depth, st === undefined ? undefined : 1000 * st]
      : [limits.nodes, limits.depth, limits.movetime];
  if (time !== undefined) return `go movetime ${Math.max(1, Math.round(time))}`;
  return deep === undefined ? `go nodes ${most ?? 100_000}` : `go depth ${deep}`;
}

const unsolved = ({ verdicts }: SuiteResult): string[] =>
  verdicts
    .filter(({ isSolved }) => !isSolved)
    .map(({ task, move }) => `  ${task.id}: ${move || 'no move'}  ${task.fen}`);

function summaryOf({ engine, verdicts }: SuiteResult): object {
  const positions = verdicts.map(({ task: { id, theme, fen }, ...verdict }) => ({ id, theme, fen, ...verdict }));
  return { engine, ...countsOf(verdicts), verdicts: positions };
}
