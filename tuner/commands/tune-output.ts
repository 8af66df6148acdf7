// writeTuneOutput() and tuneSummary(): the files of a tuning run (weights.json, curve.csv, values.csv, report.html) and its summary for
// scripts.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { weightsHash } from '../../selfplay/common/weights.js';
import type { CurvePoint } from '../fit/fit.js';
import { fitReport, type TuneResult } from '../fit/result.js';
import { optionsOf } from '../fit/tune.js';
import type { TuneSettings } from '../fit/tune-settings.js';
import type { Model } from '../model/model.js';
import { weightLabel } from '../model/names.js';
import type { Producer } from '../rows/producer.js';
import type { Study } from '../study/study.js';
import { writeWeights } from '../weights/weights-file.js';

/** The files of a finished fit. */
export const FIT_FILES = ['weights.json', 'curve.csv', 'values.csv', 'report.html'];

/** Writes the files of the run, beginning with the weights, each one atomically. */
export async function writeTuneOutput(
  folder: string,
  producer: Producer,
  settings: TuneSettings,
  result: TuneResult,
  study: Study | null = null,
): Promise<void> {
  writeWeights(result.model, join(folder, 'weights.json'), result.weights);
  writeFileAtomic(join(folder, 'curve.csv'), formatCurve(result.fit.curve));
  const { model, before, weights } = result;
  const values = join(folder, 'values.csv');
  if (study !== null) writeFileAtomic(values, formatValues(model, before, weights, study));
  // A file of an earlier fit describes other weights
  else rmSync(values, { force: true });
  // Imported here, because loading the charting library would delay every error message
  const { renderReport } = await import('../report/fit-report.js');
  const report = renderReport({
    model: result.model,
    title: 'Tuning run',
    settings: { data: producer.data.join(', '), ...optionsOf(producer, settings) },
    generations: [
      {
        name: settings.method,
        before: result.before,
        after: result.weights,
        curve: result.fit.curve,
        fit: fitReport(result),
        dataSummary: result.dataSummary,
        ...(study && { study }),
      },
    ],
  });
  writeFileAtomic(join(folder, 'report.html'), report);
}

/** Returns the learning curve as CSV, with an empty held-out column if nothing is held out. */
export function formatCurve(curve: readonly CurvePoint[]): string {
  const lines = curve.map(({ epoch, train, heldOut, seconds }) =>
    [epoch, train.toFixed(8), heldOut?.toFixed(8) ?? '', seconds.toFixed(3)].join(','),
  );
  return `epoch,train,heldOut,seconds\n${lines.join('\n')}\n`;
}

/** Returns the summary that `--json` writes. */
export function tuneSummary(folder: string, result: TuneResult, study: Study | null = null): object {
  const { fit, weights, dataSummary, trainPositions, heldOutPositions, seconds } = result;
  return {
    ...fitReport(result),
    terms: result.model.size,
    trainPositions,
    heldOutPositions,
    stopped: fit.stopped,
    seconds,
    weights: join(folder, 'weights.json'),
    weightsHash: weightsHash(weights, result.model.terms),
    data: dataSummary,
    ...(study && { study: summaryOf(study) }),
  };
}

/** The arrays of a study with one number per weight. values.csv contains the errors and counts. */
const PER_WEIGHT = ['errors', 'positions', 'games', 'fitted', 'withoutPrior'];

const summaryOf = (study: Study): object =>
  Object.fromEntries(Object.entries(study).filter(([name]) => !PER_WEIGHT.includes(name)));

// values.csv: one line per weight, with its values before and after the fit in both phases, their standard errors, and the numbers of
// training positions and games in which the weight occurs

const HEADER = 'term,index,name,mgStart,egStart,mg,eg,mgError,egError,positions,games';

/** Returns values.csv. The errors of weights that the fit did not estimate are empty. */
function formatValues(model: Model, before: WeightSet, after: WeightSet, study: Study): string {
  const lines = model.terms.flatMap(({ name, offset, size }) =>
    Array.from({ length: size }, (_, i) => {
      const at = offset + i;
      const errors = [study.errors[at], study.errors[model.size + at]].map((error) =>
        Number.isNaN(error) ? '' : error.toFixed(2),
      );
      const label = `"${weightLabel(model, at).replaceAll('"', '""')}"`;
      const values = [...before.terms[name][i], ...after.terms[name][i], ...errors];
      return [name, i, label, ...values, study.positions[at], study.games[at]].join(',');
    }),
  );
  return `${HEADER}\n${lines.join('\n')}\n`;
}
