// selfplay(), label() and fitGeneration(): the learning stages of a generation. Each stage stores its result on disk and continues after an
// interruption. Each function throws Interrupted if the signal stops it.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { defaultSettings } from '../../selfplay/common/options.js';
import { sealedJson } from '../../selfplay/common/run-files.js';
import { readWeights } from '../../selfplay/common/weights.js';
import { runSelfplay, type SelfplayProgress } from '../../selfplay/datagen/run.js';
import { SELFPLAY_OPTIONS } from '../../selfplay/datagen/settings.js';
import { sha256OfFile } from '../../selfplay/records/shard.js';
import type { RunProgress } from '../../selfplay/records/sharded-run.js';
import { formatCurve } from '../commands/tune-output.js';
import { fitReport, type TuneResult } from '../fit/result.js';
import { type TuneObserver, tune } from '../fit/tune.js';
import { DEFAULTS, type TuneSettings } from '../fit/tune-settings.js';
import type { FitFile } from '../generations/folder.js';
import type { LabelEffort } from '../generations/schedule.js';
import { labelGames } from '../labels/run.js';
import { LABEL_OPTIONS, type LabelSettings } from '../labels/settings.js';
import { HEFT } from '../model/heft.js';
import { K_UNKNOWN } from '../objective/fit-k.js';
import { PRIOR_ROUNDS } from '../priors/strengths.js';
import { formatWeights } from '../weights/weights-file.js';
import { Interrupted, type LoopContext, type LoopObserver, type StageProgress } from './context.js';
import type { RecordCost } from './estimate.js';

function selfplayProgress(
  { games, results, gamesThisSession, seconds }: SelfplayProgress,
  total: number,
): StageProgress {
  const rate = (gamesThisSession / Math.max(1e-3, seconds)).toFixed(1);
  const { wins, losses, draws } = results;
  return { label: 'self-play', games, total, status: `${rate} games/s, W ${wins} L ${losses} D ${draws}` };
}

function labelProgress(
  label: string,
  { games, total, positions, positionsThisSession, seconds }: RunProgress,
): StageProgress {
  const rate = (positionsThisSession / Math.max(1e-3, seconds)).toFixed(1);
  return { label, games, total, status: `${positions} labels, ${rate} a second` };
}

const fitObserver = ({ onStatus }: LoopObserver): TuneObserver => ({
  onReading: ({ games, kept }) => onStatus(`fit: reading ${games} games, ${kept} positions`),
  onStart: () => onStatus('fit: learning the prior from the data', true),
  onPriorRound: (round) =>
    onStatus(`fit: learning the prior from the data, round ${round} of at most ${PRIOR_ROUNDS}`, true),
  onEpoch: ({ epoch, train, heldOut }) =>
    onStatus(`fit: epoch ${epoch}, train ${train.toFixed(6)}, held-out ${heldOut?.toFixed(6) ?? '–'}`),
});

/** Plays the missing or damaged games of a generation. */
export async function selfplay(context: LoopContext, number: number): Promise<SelfplayProgress> {
  const { folder, ledger, observer, workers } = context;
  const { onNote, signal } = observer;
  const { games, nodes } = context.effort(number);
  const progress = await runSelfplay(
    {
      ...defaultSettings(SELFPLAY_OPTIONS),
      games,
      softNodes: nodes,
      nodes: 8 * nodes,
      jitter: ledger.settings.jitter,
      book: [],
      seed: context.seedOf(number),
      out: folder.games(number),
      workers,
      weights: readWeights(folder.weights(context.baseOf(number))),
      command: `npm run loop, generation ${number}`,
    },
    { onProgress: (state) => observer.onProgress(selfplayProgress(state, games)), onNote, signal },
  );
  if (progress.games < games) throw new Interrupted();
  return progress;
}

/**
 * Positions with a larger score in the game (cp) are not labelled. Their expected result is near 0 or 1, so it hardly depends on the
 * evaluation.
 */
const MOST_SCORE = 600;

/**
 * Creates the missing or damaged labels of a generation, or returns null if its fit uses none. Labels repeat the errors of the weights that
 * were used in their searches. The labels of the rounds before the last are therefore used only to fit weights for the next round.
 */
export async function label(context: LoopContext, number: number): Promise<RunProgress | null> {
  const { folder, ledger } = context;
  const { labels } = context.effort(number);
  if (labels === null) return null;
  await selfplay(context, number);
  let weights = folder.weights(context.baseOf(number));
  for (let round = 1; round < ledger.settings.labelRounds; round++) {
    weights = await draft(context, number, round, weights, labels);
  }
  const { perGame, nodes } = labels;
  const data = await gamesOf(context, number);
  return labelWith(context, number, { name: 'labels', perGame, nodes, weights, data, out: folder.labels(number) });
}

/** Labels the games of the generation and fits weights to the labels, unless already done. Returns the file of the weights. */
async function draft(
  context: LoopContext,
  number: number,
  round: number,
  weights: string,
  { draftPerGame, nodes }: LabelEffort,
): Promise<string> {
  const { labels, weights: file } = context.folder.draft(number, round);
  if (!isReadable(file)) {
    const data = [context.folder.games(number)];
    const name = `labels of round ${round}`;
    await labelWith(context, number, { name, perGame: draftPerGame, nodes, weights, data, out: labels });
    // The gain is not tested: labels agree with the weights that were used in their searches, so a test would favour these weights
    const result = await tuned(context, number, [labels], 0);
    writeFileAtomic(file, formatWeights(HEFT, result.weights));
  }
  return file;
}

/** Returns whether the file contains weights; damaged drafts are fitted again. */
function isReadable(file: string): boolean {
  try {
    readWeights(file);
    return true;
  } catch {
    return false;
  }
}

async function labelWith(
  context: LoopContext,
  number: number,
  {
    name,
    weights,
    ...job
  }: Pick<LabelSettings, 'perGame' | 'nodes' | 'data' | 'out'> & { name: string; weights: string },
): Promise<RunProgress> {
  const { observer, workers, ledger } = context;
  const { onNote, signal } = observer;
  const progress = await labelGames(
    {
      ...defaultSettings(LABEL_OPTIONS),
      ...job,
      maxScore: MOST_SCORE,
      seed: ledger.settings.seed,
      weights: readWeights(weights),
      workers,
      command: `npm run loop, generation ${number}`,
    },
    { onProgress: (state) => observer.onProgress(labelProgress(name, state)), onNote, signal },
  );
  if (progress.games < progress.total) throw new Interrupted();
  return progress;
}

/** Returns the folders of the games in the window of a generation. Missing or damaged games are played again. */
async function gamesOf(context: LoopContext, number: number): Promise<string[]> {
  const folders: string[] = [];
  for (let generation = context.effort(number).window.first; generation <= number; generation++) {
    await selfplay(context, generation);
    folders.push(context.folder.games(generation));
  }
  return folders;
}

/**
 * Fits the weights of a generation, unless already done: to its labels, or without labels to the games of its window. Throws a UserError if
 * the fitted weights file has changed.
 */
export async function fitGeneration(context: LoopContext, number: number, record: RecordCost): Promise<FitFile> {
  const { folder } = context;
  const file = folder.weights(number);
  const done = folder.readFit(number);
  if (done?.weights !== undefined && done.weights !== sha256OfFile(file))
    throw new UserError(`${file}: hash differs from fit.json; restore the file, or delete it to fit again`);
  if (done !== null) return done;
  const labels = await label(context, number);
  const data = labels === null ? await gamesOf(context, number) : [folder.labels(number)];
  const startedAt = performance.now();
  // One standard error is enough, because the match decides
  const result = await tuned(context, number, data, 1);
  record((performance.now() - startedAt) / 1000, result.trainGames + result.heldOutGames);
  // They belong to an earlier fit whose files are damaged or missing
  for (const path of [folder.build(number), folder.fit(number)]) rmSync(path, { recursive: true, force: true });
  writeFileAtomic(join(folder.of(number), 'curve.csv'), formatCurve(result.fit.curve));
  writeFileAtomic(file, formatWeights(HEFT, result.weights));
  const fitted = { fit: fitReport(result), curve: [...result.fit.curve], weights: sha256OfFile(file) };
  writeFileAtomic(folder.fit(number), `${sealedJson(fitted)}\n`);
  return fitted;
}

/** Fits weights to the labels or games in `data`, starting from the best weights so far. */
async function tuned(context: LoopContext, number: number, data: string[], certainty: number): Promise<TuneResult> {
  const { folder, ledger, observer, workers } = context;
  const { from, perGame, resolve, epochs, seed } = ledger.settings;
  const { labels, blend } = context.effort(number);
  const settings: TuneSettings = {
    ...DEFAULTS,
    data,
    start: folder.weights(context.baseOf(number)),
    // A prior centred on the latest weights would preserve their errors
    prior: folder.weights(0),
    epochs,
    perGame,
    seed,
    // Labels are used as they are
    resolve: labels === null ? resolve : 'none',
    blend,
    // Weights that start from zero would have an arbitrary scale, but the margins of the search are in centipawns
    ...(from === 'zero' && { rescale: K_UNKNOWN }),
    certainty,
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
