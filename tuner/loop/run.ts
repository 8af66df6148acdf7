// runLoop() runs generations of self-play, labelling, fitting and matches. The state of a run is its ledger and the files of its stages. An
// interrupted run continues from this state with the same result.

import { existsSync } from 'node:fs';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { benchSignature } from '../../selfplay/common/bench-signature.js';
import { UserError } from '../../selfplay/common/errors.js';
import { makeFolder, writeFileAtomic } from '../../selfplay/common/files.js';
import { lockFolder } from '../../selfplay/common/folder-lock.js';
import { programVersion } from '../../selfplay/common/program.js';
import { loadWeights, readWeights, weightsHash } from '../../selfplay/common/weights.js';
import { loopFolder } from '../generations/folder.js';
import { hasEnded, openLedger, saveLedger } from '../generations/ledger.js';
import type { FinalEntry, GenerationEntry, Ledger, LoopSettings } from '../generations/settings.js';
import { aboutTime, planLines, poolLines, ratioCourse, shownHash, verdictWithReason } from '../generations/story.js';
import { timed } from '../generations/times.js';
import { HEFT } from '../model/heft.js';
import { matchEntry, matchLine } from '../weights/shipped-ledger.js';
import { formatWeights } from '../weights/weights-file.js';
import { Interrupted, type LoopContext, type LoopObserver, type LoopTimes, loopContext } from './context.js';
import { fitGeneration } from './learning.js';
import { buildOf, guestsOf, playFinal, tryEngines } from './matches.js';
import { type PartialEntry, STAGES } from './stages.js';

export interface LoopResult {
  ledger: Ledger;
  weights: WeightSet;
  /** Folder of the engine compiled with these weights. */
  build: string;
}

type LoopRunner = (
  path: string,
  settings: LoopSettings,
  workers: number,
  observer: LoopObserver,
) => Promise<LoopResult>;

/** Runs a new loop, or the rest of the loop in the folder, to its end. Throws Interrupted if the signal stops it. */
export const runLoop = inLoopFolder(run);

/**
 * Returns a function that locks a folder and calls `work` with the context of its loop. A new loop first loads its start weights and tries
 * its engines. The function throws a UserError if these are missing, or if the folder is in use or contains another loop.
 */
export function inLoopFolder(work: (context: LoopContext) => Promise<LoopResult>): LoopRunner {
  return async (path, settings, workers, observer) => {
    const guests = guestsOf(settings);
    const folder = loopFolder(path);
    const isNew = !existsSync(folder.weights(0));
    const start = isNew ? loadWeights(settings.from) : null;
    if (isNew && settings.poolGames > 0) await tryEngines(guests, observer.onNote);
    makeFolder(path);
    const unlock = lockFolder(path);
    try {
      const ledger = openLedger(path, settings, programVersion(), benchSignature());
      if (start !== null) writeFileAtomic(folder.weights(0), formatWeights(HEFT, start));
      return await work(loopContext(folder, ledger, guests, { workers, observer, stages: STAGES }));
    } finally {
      unlock();
    }
  };
}

async function run(context: LoopContext): Promise<LoopResult> {
  const { ledger, observer } = context;
  for (const entry of ledger.generations) await check(context, entry);
  if (ledger.final === null) {
    const next = isOver(ledger) ? null : nextOf(ledger);
    const { left } = timesFrom(context, next ?? Number.POSITIVE_INFINITY);
    const steps =
      next === null ? null : STAGES.flatMap(({ plan }) => plan?.(ledger.settings, context.effort(next)) ?? []);
    observer.onStage(planLines(ledger, left, steps).join('\n'));
  }
  try {
    await learn(context);
  } catch (error) {
    if (error instanceof Interrupted) await publish(context);
    throw error;
  }
  await publish(context);
  return loopResult(context, bestOf(context));
}

/** Returns the result of a loop that ends with the weights of a generation. */
export function loopResult(context: LoopContext, generation: number): LoopResult {
  const weights = readWeights(context.folder.weights(generation));
  return { ledger: context.ledger, weights, build: buildOf(context, generation) };
}

async function learn(context: LoopContext): Promise<void> {
  const { ledger, folder, observer } = context;
  while (!isOver(ledger)) {
    const number = nextOf(ledger);
    const entry = await timed(folder.path, number, () => learnGeneration(context, number));
    ledger.generations.push(entry);
    saveLedger(folder.path, ledger);
    await publish(context);
    observer.onStage(`generation ${entry.generation}: ${verdictWithReason(entry)}`);
    observer.onStage(`  weights ${shownHash(entry.weights)}`);
    const course = entry.match === null ? '' : ratioCourse(folder.match(entry.generation));
    if (course !== '') observer.onStage(`  LLR during the match: ${course}`);
    for (const line of poolLines(entry)) observer.onStage(line);
  }
  if (ledger.final !== null) return;
  ledger.final = await finalMatch(context, bestOf(context));
  saveLedger(folder.path, ledger);
}

/** Writes the current best weights, report and film. */
async function publish(context: LoopContext): Promise<void> {
  const { ledger, folder } = context;
  writeFileAtomic(folder.best, formatWeights(HEFT, readWeights(folder.weights(bestOf(context)))));
  // Imported here, because loading the charting library would delay every error message
  const { renderLoopReport } = await import('./report.js');
  const { renderFilm } = await import('../film/page.js');
  writeFileAtomic(folder.report, renderLoopReport(ledger, folder));
  writeFileAtomic(folder.film, await renderFilm(ledger, folder));
}

const nextOf = ({ generations }: Ledger): number => generations.length + 1;

const isOver = ({ settings, generations }: Ledger): boolean => hasEnded(settings, generations);

const bestOf = ({ ledger, baseOf }: LoopContext): number => baseOf(nextOf(ledger));

/** Returns the times from the beginning of a stage. If the loop is one of several runs, they cover all runs. */
function timesFrom({ observer, estimate }: LoopContext, generation: number, stage?: string): LoopTimes {
  const times = { left: estimate.left(generation, stage), whole: estimate.left(1) };
  return observer.extended?.(times) ?? times;
}

function announceStage(context: LoopContext, text: string, generation: number, stage?: string): void {
  const { observer } = context;
  const times = timesFrom(context, generation, stage);
  observer.onStage(`${text} (${aboutTime(times.left)} left)`);
  observer.onTimeLeft(times);
}

// Missing or damaged fits of finished generations are repeated. The weights must then match the ledger
async function check(context: LoopContext, { generation, played, weights }: GenerationEntry): Promise<void> {
  const base = context.folder.weights(context.baseOf(generation));
  if (weightsHash(readWeights(base)) !== played)
    throw new UserError(`${base}: its hash differs from the one in ledger.json; restore the file`);
  await fitGeneration(context, generation, context.estimate.recorder('fit'));
  const file = context.folder.weights(generation);
  if (weightsHash(readWeights(file)) !== weights)
    throw new UserError(`${file}: its hash differs from the one in ledger.json; delete the file to fit again`);
}

async function learnGeneration(context: LoopContext, number: number): Promise<GenerationEntry> {
  const title = `generation ${number} of ${context.ledger.settings.generations}`;
  const entry: PartialEntry = { generation: number, seed: context.seedOf(number) };
  for (const stage of STAGES) {
    const line = stage.announce(context, entry);
    if (line !== null) announceStage(context, `${title}: ${line}`, number, stage.name);
    Object.assign(entry, await stage.run(context, entry, context.estimate.recorder(stage.name)));
  }
  return entry as GenerationEntry;
}

/** Plays or continues the match of a generation's weights against the shipped ones. */
export async function finalMatch(context: LoopContext, generation: number): Promise<FinalEntry> {
  const weights = weightsHash(readWeights(context.folder.weights(generation)));
  const unplayed = (line: string): FinalEntry => ({ weights, generation, match: null, line });
  if (weights === weightsHash(loadWeights('shipped'))) return unplayed('the weights are the shipped ones');
  if (context.ledger.settings.finalGames === 0) return unplayed('not played');
  announceStage(context, 'match against the shipped weights', Number.POSITIVE_INFINITY);
  const match = await playFinal(context, generation);
  return { weights, generation, match: matchEntry(match), line: matchLine(match) };
}
