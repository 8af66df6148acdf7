// The fits of a loop: the fit of each generation, the fits after its earlier labelling rounds, and the joint fit of several runs. A
// finished fit is stored in the folder of its generation and not repeated.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { removeTemporaries } from '../../selfplay/common/folder-lock.js';
import { sealedJson } from '../../selfplay/common/run-files.js';
import { sha256OfFile } from '../../selfplay/records/shard.js';
import { formatCurve } from '../commands/tune-output.js';
import { fitReport, type TuneResult } from '../fit/result.js';
import { type TuneObserver, tune } from '../fit/tune.js';
import { DEFAULTS, type TuneSettings } from '../fit/tune-settings.js';
import type { FitFile, LoopFolder } from '../generations/folder.js';
import type { LoopSettings } from '../generations/settings.js';
import { HEFT } from '../model/heft.js';
import { K_UNKNOWN } from '../objective/fit-k.js';
import { PRIOR_ROUNDS } from '../priors/strengths.js';
import { readingText } from '../trace/data-summary.js';
import { formatWeights } from '../weights/weights-file.js';
import { Interrupted, type LoopContext, type LoopObserver } from './context.js';

/** The options in which the fits of a loop differ. */
export type FitJob = Pick<
  TuneSettings,
  'start' | 'data' | 'blend' | 'leafRounds' | 'resolve' | 'certainty' | 'rescale'
>;

/** `certainty` of a generation's fit. One standard error is enough, because the match decides. */
const PROOF = 1;

/** K of the joint fit. It gives the weights the scale for which the margins of the search were tuned (tuner/RESULTS.md). */
const JOINT_K = 2.56;

/**
 * Returns the option for the scale of the fitted weights. Without it, weights from a zero start would have an arbitrary scale, but the
 * margins of the search are in centipawns.
 */
const scaleOf = ({ from }: LoopSettings, k: number): Pick<FitJob, 'rescale'> => (from === 'zero' ? { rescale: k } : {});

/** Returns the options of the fit of a generation, without its data. */
export function fitOf(context: LoopContext, number: number): Omit<FitJob, 'data'> {
  const { labels, blend } = context.effort(number);
  const start = context.folder.weights(context.baseOf(number));
  // Labelled positions are not resolved
  const resolve = labels === null ? context.ledger.settings.resolve : 'none';
  const leafRounds = blend === 0 ? 0 : context.ledger.settings.leafRounds;
  return { start, blend, leafRounds, resolve, certainty: PROOF, ...scaleOf(context.ledger.settings, K_UNKNOWN) };
}

/** Fits weights to labels or games. Throws Interrupted if the signal stops the fit. */
export async function tuned({ folder, ledger, observer, workers }: LoopContext, job: FitJob): Promise<TuneResult> {
  const { perGame, epochs, seed } = ledger.settings;
  const settings: TuneSettings = {
    ...DEFAULTS,
    ...job,
    // A prior centred on the latest weights would preserve their errors
    prior: folder.weights(0),
    epochs,
    perGame,
    seed,
    workers,
  };
  try {
    const result = await tune(settings, { ...fitObserver(observer), signal: observer.signal });
    if (result.fit.stopped !== 'interrupted') return result;
  } catch (error) {
    if (!(error instanceof UserError && error.exitCode === 130)) throw error;
  }
  throw new Interrupted();
}

const fitObserver = ({ onStatus }: LoopObserver): TuneObserver => ({
  onReading: (data) => onStatus(`fit: ${readingText(data)}`),
  onStart: () => onStatus('fit: learning the prior from the data', true),
  onPriorRound: (round) =>
    onStatus(`fit: learning the prior from the data, round ${round} of at most ${PRIOR_ROUNDS}`, true),
  onLeafRound: (round) => onStatus(`fit: updating the labels, round ${round}`, true),
  onEpoch: ({ epoch, train, heldOut }) =>
    onStatus(`fit: epoch ${epoch}, train ${train.toFixed(6)}, held-out ${heldOut?.toFixed(6) ?? '–'}`),
});

/** Returns the fit of a generation, or null if it is incomplete. Throws a UserError if its weights have changed. */
export function storedFit(folder: LoopFolder, number: number): FitFile | null {
  const done = folder.readFit(number);
  const file = folder.weights(number);
  if (done?.weights !== undefined && done.weights !== sha256OfFile(file))
    throw new UserError(
      `${file}: its hash differs from the one in fit.json; restore the file, or delete it to fit again`,
    );
  return done;
}

/** Fits weights and stores them in the folder of a generation. */
export async function storeFit(context: LoopContext, number: number, job: FitJob): Promise<FitFile> {
  const { folder } = context;
  removeTemporaries(folder.of(number));
  const result = await tuned(context, job);
  // The engine and the figures belong to an earlier fit with damaged or missing files
  for (const path of [folder.build(number), folder.fit(number)]) rmSync(path, { recursive: true, force: true });
  writeFileAtomic(join(folder.of(number), 'curve.csv'), formatCurve(result.fit.curve));
  const file = folder.weights(number);
  writeFileAtomic(file, formatWeights(HEFT, result.weights));
  const fitted = { fit: fitReport(result), curve: [...result.fit.curve], weights: sha256OfFile(file) };
  writeFileAtomic(folder.fit(number), `${sealedJson(fitted)}\n`);
  return fitted;
}

/** Returns the options of the joint fit of several runs, without its data. `start` is the file of its start weights. */
export const jointFitOf = (settings: LoopSettings, start: string): Omit<FitJob, 'data'> => ({
  start,
  blend: settings.jointBlend,
  leafRounds: settings.jointBlend === 0 ? 0 : settings.leafRounds,
  resolve: 'none',
  // The gain is not tested. The runs were fitted to most of the labels that this fit holds out, so a test would favour their mean
  certainty: 0,
  ...scaleOf(settings, JOINT_K),
});
