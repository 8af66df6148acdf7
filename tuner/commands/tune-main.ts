// `npm run tune`: fits weights to games and labelled positions. `tune eval` measures the error of any weights,
// `tune compare` sets methods against each other.

import '../../engine/flags.js';
import { accessSync, constants, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SingleBar } from 'cli-progress';
import { commandLine, runCommand } from '../../selfplay/common/command-line.js';
import { UserError } from '../../selfplay/common/errors.js';
import { makeFolder, writeSummary } from '../../selfplay/common/files.js';
import { type ProgressDisplay, showProgress } from '../../selfplay/common/progress.js';
import { DEFAULTS, type TuneResult, tune } from '../fit/tune.js';
import type { TuneObserver } from '../fit/tune-observer.js';
import type { TuneSettings } from '../fit/tune-settings.js';
import { METHODS } from '../methods/methods.js';
import { K_UNKNOWN } from '../objective/fit-k.js';
import { plotCurve } from '../report/terminal-plot.js';
import { type Study, studyFit } from '../study/study.js';
import { describeStudy } from '../study/study-text.js';
import { formatPortrait } from '../trace/portrait.js';
import { compareCommand } from './compare-command.js';
import { evalCommand } from './eval-command.js';
import { checkFitArguments, fitOptions } from './fit-options.js';
import { checkDataArguments, dataOptions } from './tune-options.js';
import { tuneSummary, writeTuneOutput } from './tune-output.js';

const tuneOptions = (parser: ReturnType<typeof commandLine>) =>
  fitOptions(dataOptions(parser))
    .option('out', {
      type: 'string',
      default: 'runs/tune',
      describe: 'folder for weights.json, curve.csv, report.html',
    })
    .option('method', { choices: Object.keys(METHODS), default: DEFAULTS.method, describe: 'how to fit' })
    .option('study', {
      type: 'boolean',
      default: true,
      describe: 'find out how sure the values are, which look wrong, what is missing, whether more games would help',
    });

type TuneArguments = Awaited<ReturnType<typeof tuneOptions>['argv']>;

await runCommand(async () => {
  await commandLine('tune', '[eval | compare] --data PATH [options]')
    .parserConfiguration({ 'camel-case-expansion': false })
    .command('$0', 'fit weights to data', tuneOptions, tuneCommand)
    .command('compare', 'run several methods on the same data', compareCommand.builder, compareCommand.handler)
    .command('eval', 'measure the error of weights on data', evalCommand.builder, evalCommand.handler)
    .parseAsync();
});

async function tuneCommand(args: TuneArguments): Promise<void> {
  const settings: TuneSettings = {
    ...checkDataArguments(args),
    data: args.data,
    ...checkFitArguments(args, args.method),
    loss: args.loss,
  };
  if (settings.reresolve > 0 && settings.filter.resolve === 'none')
    throw new UserError('--re-resolve needs --resolve qsearch or search', 2);
  const { out } = args;
  makeFolder(out);
  checkWritable(out);

  const checkpoint = join(out, 'checkpoint');
  const { result, study } = await runWithProgress(settings, checkpoint, args.study);
  await writeTuneOutput(out, settings, result, study);
  writeSummary(args.json, tuneSummary(out, result, study));
  console.log(describe(result, out));
  if (study !== null) console.log(`\n${describeStudy(study)}`);
  if (result.fit.stopped === 'interrupted') process.exitCode = 130;
  else rmSync(checkpoint, { force: true });
}

/** Runs the fit under a progress bar; Ctrl-C once ends it with the best weights so far, twice at once. */
async function runWithProgress(
  settings: TuneSettings,
  checkpoint: string,
  wantsStudy: boolean,
): Promise<{ result: TuneResult; study: Study | null }> {
  let study: Study | null = null;
  let interrupted = false;
  const interrupt = (): void => {
    if (interrupted) process.exit(130);
    interrupted = true;
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const reading = new SingleBar({ format: '{text}', clearOnComplete: true, hideCursor: true });
  reading.start(1, 0, { text: '' });
  let fitting: ProgressDisplay | undefined;
  try {
    const observer: TuneObserver = {
      onReading: ({ games, kept }) => reading.update(0, { text: `reading ${games} games, ${kept} positions` }),
      onData: (portrait, { trainGames, heldOutGames }) => {
        reading.stop();
        console.log(formatPortrait(portrait));
        console.log(`split      ${trainGames} games to train on, ${heldOutGames} held out`);
        if (heldOutGames === 0 && settings.holdout > 0) console.log('           (too few openings to hold any out)');
      },
      onStart: (k) => {
        const origin = k === K_UNKNOWN ? ' (nothing to fit it to)' : ' (fitted to the start weights)';
        console.log(`K          ${k.toFixed(4)}${settings.k === null ? origin : ''}`);
        fitting = showProgress('fitting', settings.epochs);
      },
      onEpoch: ({ epoch, train, heldOut }) =>
        fitting?.update(epoch, `train ${train.toFixed(6)}, held-out ${heldOut?.toFixed(6) ?? '–'}`),
      onContinue: (epoch) => console.log(`continuing after epoch ${epoch} (delete ${checkpoint} to start anew)`),
      onFitted: async (bench, fit) => {
        fitting?.stop();
        if (!wantsStudy || interrupted) return;
        reading.start(1, 0, { text: '' });
        const onStep = (text: string): void => reading.update(0, { text: `study: ${text}` });
        // The fit is worth more than its study
        study = await studyFit(bench, settings, fit, { onStep, isInterrupted: () => interrupted }).catch((error) => {
          console.log(`no study: ${interrupted ? 'interrupted' : (error as Error).message}`);
          return null;
        });
        reading.stop();
      },
      isInterrupted: () => interrupted,
    };
    const result = await tune(settings, observer, checkpoint);
    return { result, study };
  } finally {
    reading.stop();
    fitting?.stop();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

function describe(result: TuneResult, out: string): string {
  const { fit, untouched, seconds } = result;
  const why = {
    converged: 'no further gain',
    epochs: 'all epochs done',
    interrupted: 'interrupted (the same command continues)',
  }[fit.stopped];
  const row = (name: string, { train, heldOut }: TuneResult['fit']['start']): string =>
    `${name.padEnd(16)} ${Number.isFinite(train) ? train.toFixed(6) : '–'.padEnd(8)}   ${Number.isFinite(heldOut) ? heldOut.toFixed(6) : '–'}`;
  return [
    plotCurve(fit.curve),
    '',
    'error            train · held-out •',
    row('start', fit.start),
    row(`epoch ${fit.bestEpoch}`, fit.best),
    row('whole numbers', fit.rounded),
    ...(untouched === null ? [] : [row('untouched games', { train: Number.NaN, heldOut: untouched })]),
    '',
    `${fit.epochs} epochs in ${seconds.toFixed(1)} s, ${why}; best weights, curve and report are in ${out}`,
  ].join('\n');
}

function checkWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new UserError(`--out ${folder}: the folder cannot be written to`);
  }
}
