// runAveraged(): independent runs of a loop from the same start, and the mean of their weights. Each run repeats the errors of its own labels,
// which are searched with its own weights. The errors of independent runs partly cancel in the mean (see weights/mean.ts).

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { makeFolder, writeFileAtomic } from '../../selfplay/common/files.js';
import { readWeights, weightsHash } from '../../selfplay/common/weights.js';
import { loopFolder } from '../generations/folder.js';
import { lastGain, saveLedger } from '../generations/ledger.js';
import type { LoopSettings, RunEntry } from '../generations/settings.js';
import { HEFT } from '../model/heft.js';
import { type MeanPart, meanWeights } from '../weights/mean.js';
import { formatWeights } from '../weights/weights-file.js';
import type { LoopContext, LoopObserver } from './context.js';
import { finalMatch, inLoopFolder, type LoopResult, loopResult, runLoop } from './run.js';

/**
 * Runs `settings.runs` loops in folders `run-1`, `run-2`, … of the folder, or the rest of them, and a match of the mean of their weights
 * against the shipped ones. Their seeds are consecutive, beginning with `settings.seed`. Throws Interrupted if the signal stops it.
 */
export function runAveraged(
  path: string,
  settings: LoopSettings,
  workers: number,
  observer: LoopObserver,
): Promise<LoopResult> {
  return inLoopFolder(path, settings, workers, observer, average);
}

async function average(context: LoopContext): Promise<LoopResult> {
  const { folder, ledger, workers, observer } = context;
  const { settings } = ledger;
  const runs: RunEntry[] = [];
  const learnt: MeanPart[] = [];
  for (let run = 1; run <= settings.runs; run++) {
    const out = folder.run(run);
    const seed = settings.seed + run - 1;
    observer.onStage(`run ${run} of ${settings.runs}`);
    const alone = { ...settings, seed, runs: 1, finalGames: 0 };
    const part = await runLoop(out, alone, workers, observerOf(run, settings.runs, observer));
    const { generations } = part.ledger;
    const best = lastGain(generations);
    const weights = readWeights(loopFolder(out).weights(best));
    runs.push({ seed, weights: weightsHash(weights), generations });
    saveLedger(folder.path, { ...ledger, runs });
    if (best > 0) learnt.push({ name: basename(out), weights });
  }
  ledger.runs = runs;
  // The mean is stored as a generation of the loop, so that a loop that continues gets a new one
  const last = learnt.length === 0 ? 0 : settings.generations;
  if (last > 0) {
    makeFolder(folder.of(last));
    writeFileAtomic(folder.weights(last), formatWeights(HEFT, meanWeights(learnt)));
  }
  writeFileAtomic(folder.best, readFileSync(folder.weights(last), 'utf8'));
  ledger.final = await finalMatch(context, last);
  saveLedger(folder.path, ledger);
  const result = loopResult(context, last);
  const { renderMeanReport } = await import('./mean-report.js');
  writeFileAtomic(folder.report, renderMeanReport(ledger, readWeights(folder.weights(0)), result.weights));
  return result;
}

/** Returns the observer of one run, whose times are extended to those of all runs. */
const observerOf = (run: number, runs: number, observer: LoopObserver): LoopObserver => ({
  ...observer,
  onTimeLeft: (left, whole) => observer.onTimeLeft(left + (runs - run) * whole, runs * whole),
});
