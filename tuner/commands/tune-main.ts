// `npm run tune`: fits weights to games and labelled positions. `tune eval` measures the error of any weights, `tune compare` compares
// methods, `tune label` labels positions of games, `tune mean` averages weights, and `tune install` replaces the shipped weights.

import '../../engine/kernel-node.js';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { command, runCommands } from '../../selfplay/common/command-line.js';
import { UserError } from '../../selfplay/common/errors.js';
import { newRunFolder, writeFileAtomic, writeSummary } from '../../selfplay/common/files.js';
import { lockFolder } from '../../selfplay/common/folder-lock.js';
import { fitted, LiveDisplay } from '../../selfplay/common/live-display.js';
import { flag, pickSettings, type SettingsOf, text } from '../../selfplay/common/options.js';
import { claimOutputs, OUTPUT_OPTIONS } from '../../selfplay/common/outputs.js';
import { interruptSignal, shellLine } from '../../selfplay/common/program.js';
import { type ProgressDisplay, showProgress } from '../../selfplay/common/progress.js';
import { counted } from '../../selfplay/common/wording.js';
import { checkMergedRuns } from '../../selfplay/records/manifest.js';
import { checkEmit, EMIT_OPTIONS, type EmitSettings, emittedFiles, emitValues } from '../emit/emit.js';
import { openProducer } from '../fit/data.js';
import { averageText, type TuneResult } from '../fit/result.js';
import { type TuneObserver, tune } from '../fit/tune.js';
import {
  checkSteps,
  frozenTerms,
  isKFitted,
  sourceFiles,
  TUNE_OPTIONS,
  type TuneSettings,
  weightsFiles,
} from '../fit/tune-settings.js';
import { METHODS } from '../methods/methods.js';
import { originOfK } from '../objective/fit-k.js';
import { type LearntPrior, PRIOR_ROUNDS } from '../priors/strengths.js';
import type { Producer } from '../rows/producer.js';
import { type Study, studyFit } from '../study/study.js';
import { describeStudy } from '../study/summary.js';
import { formatSummary, readingText } from '../trace/data-summary.js';
import { compareCommand } from './compare-command.js';
import { evalCommand } from './eval-command.js';
import { installCommand } from './install-command.js';
import { labelCommand } from './label-command.js';
import { meanCommand } from './mean-command.js';
import { FIT_FILES, tuneSummary, writeTuneOutput } from './tune-output.js';

const OPTIONS = {
  ...TUNE_OPTIONS,
  out: text('folder for weights.json, curve.csv, values.csv, report.html; an interrupted fit is continued', {
    defaultText: 'runs/tune-TIME',
  }),
  study: flag('study after the fit: standard errors, suspicious values, missing terms, gain from more games', {
    default: true,
  }),
  ...EMIT_OPTIONS,
  mixed: flag('accept self-play games from different engines or with different settings'),
  ...OUTPUT_OPTIONS,
};

/** File in a fit's folder while the fit is unfinished. */
const CHECKPOINT = 'checkpoint';

const say = (text: string): void => console.log(fitted(text, process.stdout));

await runCommands('tune', '[eval | compare | label | mean | install] --data PATH | --rows FILE [options]', [
  command('$0', 'fit weights to data', OPTIONS, tuneCommand),
  compareCommand,
  evalCommand,
  labelCommand,
  meanCommand,
  installCommand,
]);

async function tuneCommand(options: SettingsOf<typeof OPTIONS>): Promise<void> {
  const { out = newRunFolder('tune'), study: wantsStudy, mixed, json, force, ...settings } = options;
  const emitting = pickSettings(EMIT_OPTIONS, options);
  checkSteps([settings.method], settings);
  const producer = await openProducer(settings);
  frozenTerms(producer.model, settings);
  checkEmit(emitting, producer.model, producer.weights(settings.start ?? producer.usualStart));
  checkMergedRuns(settings.data, mixed);
  if (settings.reResolve > 0 && settings.resolve === 'none')
    throw new UserError('--re-resolve needs --resolve qsearch or search', 2);
  const checkpoint = join(out, CHECKPOINT);
  const run = { out, command: 'tune', mark: CHECKPOINT };
  const written = [...FIT_FILES, ...emittedFiles(emitting)];
  // With a checkpoint, the fit was interrupted, and its files are overwritten
  const claimed = existsSync(checkpoint) ? { rewritten: written } : { fresh: written };
  // A fit that overwrites its own data or weights cannot be continued
  const inputs = [...sourceFiles(settings), ...weightsFiles(settings)];
  claimOutputs({ force, run, ...claimed, files: { json }, appended: { patch: options.patch }, inputs });
  const unlock = lockFolder(out);
  try {
    await fitInto({ out, checkpoint, settings, producer, emitting, json, wantsStudy });
  } finally {
    unlock();
  }
}

interface FitJob {
  out: string;
  checkpoint: string;
  settings: TuneSettings;
  producer: Producer;
  emitting: EmitSettings;
  json: string | undefined;
  wantsStudy: boolean;
}

/** Runs the fit and writes its files. */
async function fitInto({ out, checkpoint, settings, producer, emitting, json, wantsStudy }: FitJob): Promise<void> {
  const { result, study } = await runWithProgress(settings, producer, checkpoint, wantsStudy);
  // The checkpoint marks the fit as unfinished until all files are written. With an empty one, the next run starts over
  if (!existsSync(checkpoint)) writeFileAtomic(checkpoint, '');
  await writeTuneOutput(out, producer, settings, result, study);
  // Values are written as source code only if the fit is finished and its weights are kept
  const isEmitted = result.fit.stopped !== 'interrupted' && result.claim?.isProven !== false;
  for (const name of emittedFiles(emitting)) rmSync(join(out, name), { force: true });
  const emitted = isEmitted ? emitValues(emitting, result.model, result.weights, out) : [];
  writeSummary(json, tuneSummary(out, result, study));
  say(describe(result, out));
  if (emitted.length > 0) say(`wrote the values as ${emitting.emit} to ${emitted.join(' and ')}`);
  else if (result.claim?.isProven === false && emitting.emit !== undefined)
    say(`--emit ${emitting.emit}: nothing written, because the weights are unchanged`);
  if (study !== null) say(`\n${describeStudy(result.model, study)}`);
  if (result.fit.stopped !== 'interrupted') rmSync(checkpoint, { force: true });
}

/** Runs the fit with a progress bar. The first Ctrl-C ends the fit with the best weights so far; the second ends the process. */
async function runWithProgress(
  settings: TuneSettings,
  producer: Producer,
  checkpoint: string,
  wantsStudy: boolean,
): Promise<{ result: TuneResult; study: Study | null }> {
  let study: Study | null = null;
  const signal = interruptSignal();
  const display = new LiveDisplay();
  let fitting: ProgressDisplay | undefined;
  const epochs = METHODS[settings.method].takesAllEpochs === true ? settings.epochs : null;
  try {
    const observer: TuneObserver = {
      onReading: (data) => {
        const text = readingText(data);
        display.update(
          () => [text],
          () => text,
        );
      },
      onData: (dataSummary, { trainGames, heldOutGames }) => {
        display.clear();
        say(formatSummary(dataSummary));
        say(`split      ${counted(trainGames, 'games')} to train on, ${heldOutGames} held out`);
        if (heldOutGames === 0 && settings.holdout > 0) say('           (too few openings to hold any out)');
      },
      onStart: (k) => {
        say(`K          ${k.toFixed(4)}${isKFitted(settings) ? originOfK(k, 'the start weights') : ''}`);
        if (settings.l2 === undefined) display.show('learning the prior from the data');
        else fitting = showProgress('fitting', epochs);
      },
      onPriorRound: (round) =>
        display.show(`learning the prior from the data: round ${round} of at most ${PRIOR_ROUNDS}`),
      onPrior: (learnt) => {
        display.clear();
        say(describePrior(learnt));
        fitting = showProgress('fitting', epochs);
      },
      onEpoch: ({ epoch, train, heldOut }) =>
        fitting?.update(epoch, `train ${train.toFixed(6)}, held-out ${heldOut?.toFixed(6) ?? '–'}`),
      onLeafRound: (round) => {
        fitting?.stop();
        display.show(`updating the labels: round ${round} of ${settings.leafRounds}`);
      },
      onContinue: (epoch) => say(`continuing after epoch ${epoch} (delete ${checkpoint} to start again)`),
      onFitted: async (problem, fit) => {
        fitting?.stop();
        if (!wantsStudy || signal.aborted) return;
        const onStep = (text: string): void => display.show(`study: ${text}`);
        // A failed study must not discard the fit
        study = await studyFit(problem, fit, { onStep, signal }).catch((error) => {
          say(`no study: ${signal.aborted ? 'interrupted' : (error as Error).message}`);
          return null;
        });
        display.clear();
      },
      signal,
    };
    const result = await tune(settings, observer, checkpoint, producer);
    return { result, study };
  } finally {
    display.clear();
    fitting?.stop();
  }
}

function describePrior({ families, optimism }: LearntPrior): string {
  const parameters = families.reduce((sum, { effective }) => sum + effective, 0);
  const contrasts = families.reduce((sum, { kind, contrasts }) => (kind === 'distance' ? sum + contrasts : sum), 0);
  return `prior      reduces ${contrasts} values to ${counted(Math.round(parameters), 'free parameters')}; the error on other games will be about ${optimism.toFixed(5)} larger than on the training games`;
}

/** Returns the warnings about the data, and a line on whether and why the fitted weights are kept. */
function describeClaim({ claim, warnings }: TuneResult): string[] {
  const lines = warnings.map((warning) => `warning          ${warning}`);
  if (claim === null) return lines;
  return [...lines, `${(claim.isProven ? 'kept' : 'not kept').padEnd(17)}${claim.text}`];
}

function describe(result: TuneResult, out: string): string {
  const { fit, claim, untouched, seconds } = result;
  const isKept = claim?.isProven !== false;
  const why = {
    converged: 'no further gain',
    epochs: 'maximum number of epochs reached',
    interrupted: `interrupted (to continue, give the same options and --out ${shellLine([out])})`,
  }[fit.stopped];
  const row = (name: string, { train, heldOut }: TuneResult['fit']['start']): string =>
    `${name.padEnd(16)} ${Number.isFinite(train) ? train.toFixed(6) : '–'.padEnd(8)}   ${Number.isFinite(heldOut) ? heldOut.toFixed(6) : '–'}`;
  return [
    'error            train      held-out',
    row('start', fit.start),
    row(`epoch ${fit.bestEpoch}`, fit.best),
    row(isKept ? 'rounded' : 'unchanged', fit.leafRounds?.before ?? fit.rounded),
    ...(fit.leafRounds === undefined ? [] : [row(counted(fit.leafRounds.rounds, 'leaf rounds'), fit.rounded)]),
    ...(untouched === null ? [] : [row('unused games', { train: Number.NaN, heldOut: untouched })]),
    ...(fit.averaged === undefined ? [] : [`${'averaged'.padEnd(17)}${averageText(fit.averaged)}`]),
    ...describeClaim(result),
    '',
    `${counted(fit.epochs, 'epochs')} in ${seconds.toFixed(1)} s, ${why}; ${isKept ? 'best' : 'unchanged'} weights, curve and report are in ${out}`,
  ].join('\n');
}
