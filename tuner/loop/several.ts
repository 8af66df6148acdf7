// runSeveral(): independent runs of a loop from the same start, and a joint fit to the labels of all runs. The labels of a run repeat the
// errors of the weights used in its searches. Independent runs have different errors, and more labels determine the weights better.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeFolder, writeFileAtomic } from '../../selfplay/common/files.js';
import { sha256 } from '../../selfplay/common/run-files.js';
import { readWeights, weightsHash } from '../../selfplay/common/weights.js';
import { counted } from '../../selfplay/common/wording.js';
import { MANIFEST_FILE } from '../../selfplay/records/manifest.js';
import { type LoopFolder, loopFolder } from '../generations/folder.js';
import { lastGain, lastLabelled, saveLedger } from '../generations/ledger.js';
import type { RunEntry } from '../generations/settings.js';
import { timed } from '../generations/times.js';
import { HEFT } from '../model/heft.js';
import { type MeanPart, meanWeights } from '../weights/mean.js';
import { formatWeights } from '../weights/weights-file.js';
import type { LoopContext, LoopTimes } from './context.js';
import { jointFitOf, storedFit, storeFit } from './fits.js';
import { finalMatch, inLoopFolder, type LoopResult, loopResult, runLoop } from './run.js';

/** The result of a run: its weights, and the folder of its last labels, or null if it has none. */
interface Part extends MeanPart {
  labels: string | null;
}

/**
 * Runs or continues `settings.runs` loops in the subfolders `run-1`, `run-2`, …, makes the joint fit, and plays its weights against the
 * shipped weights. The seeds of the runs are consecutive, from `settings.seed` on. Throws Interrupted if the signal stops it.
 */
export const runSeveral = inLoopFolder(learnJointly);

async function learnJointly(context: LoopContext): Promise<LoopResult> {
  const { folder, ledger, workers, observer } = context;
  const { settings } = ledger;
  // The times exclude the joint fit, because it is short
  const final = context.estimate.left(Number.POSITIVE_INFINITY);
  let whole = final;
  const runs: RunEntry[] = [];
  const learnt: Part[] = [];
  for (let run = 1; run <= settings.runs; run++) {
    const out = folder.run(run);
    const seed = settings.seed + run - 1;
    observer.onStage(`run ${run} of ${settings.runs}`);
    // The file of --from may have changed since the first run began
    const start = loopFolder(out).weights(0);
    if (!existsSync(start)) writeFileAtomic(start, readFileSync(folder.weights(0), 'utf8'));
    const alone = { ...settings, seed, runs: 1, finalGames: 0 };
    const extended = (times: LoopTimes): LoopTimes => {
      const all = timesOfAll(times, run, settings.runs, final);
      ({ whole } = all);
      return all;
    };
    const { generations } = (await runLoop(out, alone, workers, { ...observer, extended })).ledger;
    const best = lastGain(generations);
    const files = loopFolder(out);
    const weights = readWeights(files.weights(best));
    runs.push({ seed, weights: weightsHash(weights), generations });
    saveLedger(folder.path, { ...ledger, runs });
    if (best === 0) continue;
    const labelled = lastLabelled(generations);
    learnt.push({ name: basename(out), weights, labels: labelled === 0 ? null : files.labels(labelled) });
  }
  ledger.runs = runs;
  // The result is stored as the last generation of the loop, so a larger --generations creates a new one
  const last = learnt.length === 0 ? 0 : settings.generations;
  if (last > 0) await timed(folder.path, last, () => fitParts(context, last, learnt));
  writeFileAtomic(folder.best, readFileSync(folder.weights(last), 'utf8'));
  const ofAll = { ...observer, extended: ({ left }: LoopTimes): LoopTimes => ({ left, whole: Math.max(left, whole) }) };
  ledger.final = await finalMatch({ ...context, observer: ofAll }, last);
  saveLedger(folder.path, ledger);
  const result = loopResult(context, last);
  const { renderSeveralReport } = await import('./report.js');
  writeFileAtomic(folder.report, renderSeveralReport(ledger, readWeights(folder.weights(0)), result.weights));
  return result;
}

/** Fits weights to the labels of the runs, starting from the mean of their weights. Without labels, the result is that mean. */
async function fitParts(context: LoopContext, number: number, parts: readonly Part[]): Promise<void> {
  const { folder, ledger, observer } = context;
  makeFolder(folder.of(number));
  const mean = meanWeights(parts);
  const labels = parts.flatMap((part) => part.labels ?? []);
  const manifests = labels.map((label) => readFileSync(join(label, MANIFEST_FILE), 'utf8'));
  // The hash excludes the provenance of the mean, which names the commit. The commit may change before the loop is continued
  forgetOther(folder, number, [weightsHash(mean), ...manifests]);
  const text = formatWeights(HEFT, mean);
  if (labels.length === 0) {
    writeFileAtomic(folder.weights(number), text);
    return;
  }
  const start = join(folder.of(number), 'mean.json');
  writeFileAtomic(start, text);
  observer.onStage(`joint fit to the labels of ${counted(labels.length, 'runs')}`);
  const job = { ...jointFitOf(ledger.settings, start), data: labels };
  ledger.fit = (storedFit(folder, number) ?? (await storeFit(context, number, job))).fit;
}

// Removes an earlier joint fit and its match if the runs have continued since, for example with a larger --patience
function forgetOther(folder: LoopFolder, number: number, parts: readonly string[]): void {
  const file = join(folder.of(number), 'parts.txt');
  const sum = sha256(parts.join('\n'));
  if (existsSync(file) && readFileSync(file, 'utf8') !== sum) {
    for (const path of [folder.fit(number), folder.build(number), folder.finalMatch(number)])
      rmSync(path, { recursive: true, force: true });
  }
  writeFileAtomic(file, sum);
}

/** Extends the times of one run to all runs, and adds the seconds of the final match. */
export const timesOfAll = ({ left, whole }: LoopTimes, run: number, runs: number, final: number): LoopTimes => ({
  left: left + (runs - run) * whole + final,
  whole: runs * whole + final,
});
