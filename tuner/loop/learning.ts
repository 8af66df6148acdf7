// selfplay(), label() and fitGeneration(): the learning stages of a generation. Each stage stores its result on disk. After an
// interruption, self-play and labelling continue, and a fit starts again. Each function throws Interrupted if the signal stops it.

import { writeFileAtomic } from '../../selfplay/common/files.js';
import { defaultSettings } from '../../selfplay/common/options.js';
import { readWeights } from '../../selfplay/common/weights.js';
import { runSelfplay, type SelfplayProgress } from '../../selfplay/datagen/run.js';
import { SELFPLAY_OPTIONS } from '../../selfplay/datagen/settings.js';
import type { RunProgress } from '../../selfplay/records/sharded-run.js';
import type { FitFile } from '../generations/folder.js';
import type { LabelEffort } from '../generations/schedule.js';
import { labelGames } from '../labels/run.js';
import { LABEL_OPTIONS, type LabelSettings } from '../labels/settings.js';
import { HEFT } from '../model/heft.js';
import { formatWeights } from '../weights/weights-file.js';
import { Interrupted, type LoopContext } from './context.js';
import type { RecordCost } from './estimate.js';
import { fitOf, storedFit, storeFit, tuned } from './fits.js';

/** Plays the missing or damaged games of a generation. */
export async function selfplay(context: LoopContext, number: number): Promise<SelfplayProgress> {
  const { folder, ledger, observer, workers } = context;
  const { onNote, signal } = observer;
  const { games: total, nodes } = context.effort(number);
  const onProgress = ({ games, results, gamesThisSession, seconds }: SelfplayProgress): void => {
    const rate = (gamesThisSession / Math.max(1e-3, seconds)).toFixed(1);
    const { wins, losses, draws } = results;
    const status = `${rate} games/s, W ${wins} L ${losses} D ${draws}`;
    observer.onProgress({ label: 'self-play', games, total, status });
  };
  const progress = await runSelfplay(
    {
      ...defaultSettings(SELFPLAY_OPTIONS),
      games: total,
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
    { onProgress, onNote, signal },
  );
  if (progress.games < total) throw new Interrupted();
  return progress;
}

/**
 * Maximum score, in centipawns, of a labelled position in its game. At larger scores, the expected result is near 0 or 1 and hardly depends
 * on the evaluation.
 */
const MAX_SCORE = 600;

/**
 * Creates the labels of a generation if they are missing or damaged. Returns null if its fit uses none. Labels repeat the errors of the
 * weights used in their searches. The labels of the rounds before the last are therefore used only to fit weights for the next round.
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
    const result = await tuned(context, { ...fitOf(context, number), data: [labels], certainty: 0 });
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
  const onProgress = ({ games, total, positions, positionsThisSession, seconds }: RunProgress): void => {
    const rate = (positionsThisSession / Math.max(1e-3, seconds)).toFixed(1);
    observer.onProgress({ label: name, games, total, status: `${positions} labels, ${rate} a second` });
  };
  const progress = await labelGames(
    {
      ...defaultSettings(LABEL_OPTIONS),
      ...job,
      maxScore: MAX_SCORE,
      seed: ledger.settings.seed,
      weights: readWeights(weights),
      workers,
      command: `npm run loop, generation ${number}`,
    },
    { onProgress, onNote, signal },
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

/** Games whose share of a fit takes as long as its fixed part, the study of the prior. */
export const FIXED_GAMES = 6000;

/**
 * Fits the weights of a generation, unless already done: to its labels or, if it has none, to the games of its window. Throws a UserError
 * if the fitted weights file has changed.
 */
export async function fitGeneration(context: LoopContext, number: number, record: RecordCost): Promise<FitFile> {
  const done = storedFit(context.folder, number);
  if (done !== null) return done;
  const labels = await label(context, number);
  const data = labels === null ? await gamesOf(context, number) : [context.folder.labels(number)];
  const startedAt = performance.now();
  const file = await storeFit(context, number, { ...fitOf(context, number), data });
  record((performance.now() - startedAt) / 1000, file.fit.games + FIXED_GAMES);
  return file;
}
