// evalCommand: `tune eval`, which measures the error of weights on data.

import { command } from '../../selfplay/common/command-line.js';
import { writeSummary } from '../../selfplay/common/files.js';
import { type SettingsOf, text } from '../../selfplay/common/options.js';
import { claimOutputs, OUTPUT_OPTIONS } from '../../selfplay/common/outputs.js';
import { WEIGHTS_HELP, weightsHash } from '../../selfplay/common/weights.js';
import { positionCount } from '../dataset/dataset.js';
import { openProducer } from '../fit/data.js';
import { fitStartK } from '../fit/problem.js';
import { ERROR_OPTIONS, SOURCE_OPTIONS, sourceFiles } from '../fit/tune-settings.js';
import { originOfK } from '../objective/fit-k.js';
import { Objective } from '../objective/objective.js';
import { GIVEN_WEIGHTS_HELP } from '../rows/given-weights.js';
import { formatSummary } from '../trace/data-summary.js';
import { toVector } from '../weights/weights-file.js';

const OPTIONS = {
  ...SOURCE_OPTIONS,
  ...ERROR_OPTIONS,
  weights: text(`${WEIGHTS_HELP}; for another engine: ${GIVEN_WEIGHTS_HELP}`, { required: true }),
  ...OUTPUT_OPTIONS,
};

export const evalCommand = command('eval', 'measure the error of weights on data', OPTIONS, evaluate);

async function evaluate(settings: SettingsOf<typeof OPTIONS>): Promise<void> {
  const { workers, loss: kind, json, force } = settings;
  claimOutputs({ force, files: { json }, inputs: [...sourceFiles(settings), settings.weights] });
  const producer = await openProducer(settings);
  const { model } = producer;
  const weights = producer.weights(settings.weights);
  const vector = toVector(model, weights);
  const { dataset, dataSummary, files } = await producer.load(vector, {});
  const positions = positionCount(dataset);

  const everything = new Uint8Array(positions);
  const objective = new Objective(dataset, everything, { terms: model.size, workers, loss: kind });
  try {
    const k = settings.k ?? (await fitStartK(objective, vector));
    const { train: loss } = await objective.evaluate(vector, k);
    console.log(formatSummary(dataSummary));
    console.log(`K          ${k.toFixed(4)}${settings.k === undefined ? originOfK(k, 'these weights') : ''}`);
    console.log(`error      ${loss.toFixed(6)} (${kind})`);
    const summary = { positions, games: dataSummary.games, terms: model.size, k, loss, kind };
    writeSummary(json, { ...summary, weightsHash: weightsHash(weights, model.terms), files, data: dataSummary });
  } finally {
    await objective.close();
  }
}
