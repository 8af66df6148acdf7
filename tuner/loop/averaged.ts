// runAveraged(): independent runs of a loop from the same start, and the mean of their weights. Each run repeats the errors of its own labels,
// which are searched with its own weights. The errors of independent runs partly cancel in the mean (see weights/mean.ts).

import { dirname, join } from 'node:path';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { benchSignature } from '../../selfplay/common/bench-signature.js';
import { makeFolder, writeFileAtomic } from '../../selfplay/common/files.js';
import { lockFolder } from '../../selfplay/common/folder-lock.js';
import { programVersion } from '../../selfplay/common/program.js';
import { readWeights, weightsHash } from '../../selfplay/common/weights.js';
import { loopFolder } from '../generations/folder.js';
import { openLedger, saveLedger } from '../generations/ledger.js';
import type { LoopSettings } from '../generations/settings.js';
import { HEFT } from '../model/heft.js';
import { type MeanPart, meanWeights } from '../weights/mean.js';
import { formatWeights } from '../weights/weights-file.js';
import { type LoopObserver, loopContext } from './context.js';
import { finalMatch, firstWeights, type LoopResult, loopResult, runLoop } from './run.js';
import { STAGES } from './stages.js';

/**
 * Runs `settings.runs` loops in folders `run-1`, `run-2`, … of the folder, or the rest of them, and a match of the mean of their weights
 * against the shipped ones. Their seeds are consecutive, beginning with `settings.seed`. A run contributes its last generation that was
 * accepted, or undecided with a positive Elo, because most late gains are too small for a match of this length. Throws Interrupted if the
 * signal stops it.
 */
export async function runAveraged(
  path: string,
  settings: LoopSettings,
  workers: number,
  observer: LoopObserver,
): Promise<LoopResult> {
  const folder = loopFolder(path);
  const start = await firstWeights(folder, settings, observer);
  makeFolder(path);
  const unlock = lockFolder(path);
  try {
    const ledger = openLedger(path, settings, programVersion(), benchSignature());
    ledger.runs = [];
    if (start !== null) saveWeights(folder.weights(0), start);
    const learnt: MeanPart[] = [];
    for (let run = 1; run <= settings.runs; run++) {
      const name = `run-${run}`;
      const out = join(path, name);
      const seed = settings.seed + run - 1;
      observer.onStage(`run ${run} of ${settings.runs}`);
      const alone = { ...settings, seed, runs: 1, finalGames: 0 };
      const part = await runLoop(out, alone, workers, observerOf(run, settings.runs, observer));
      const { generations } = part.ledger;
      const gained = generations.findLast(({ accepted, match }) => accepted || (match !== null && match.elo > 0));
      const weights = gained === undefined ? part.weights : readWeights(loopFolder(out).weights(gained.generation));
      ledger.runs.push({ seed, weights: weightsHash(weights), generations });
      saveLedger(path, ledger);
      if (gained !== undefined) learnt.push({ name, weights });
    }
    // The mean is stored as a generation of the loop, so that a loop that continues gets a new one
    const last = learnt.length === 0 ? 0 : settings.generations;
    if (last > 0) saveWeights(folder.weights(last), meanWeights(learnt));
    saveWeights(folder.best, readWeights(folder.weights(last)));
    const context = loopContext(folder, ledger, [], { workers, observer, stages: STAGES });
    ledger.final = await finalMatch(context, last);
    saveLedger(path, ledger);
    return loopResult(context, last, null);
  } finally {
    unlock();
  }
}

function saveWeights(file: string, weights: WeightSet): void {
  makeFolder(dirname(file));
  writeFileAtomic(file, formatWeights(HEFT, weights));
}

/** Returns the observer of one run, whose times are extended to those of all runs. */
const observerOf = (run: number, runs: number, observer: LoopObserver): LoopObserver => ({
  ...observer,
  onTimeLeft: (left, whole) => observer.onTimeLeft(left + (runs - run) * whole, runs * whole),
});
