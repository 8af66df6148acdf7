// evalCommand, `tune eval`: the error of any weights on any data.

import { TERM_COUNT } from '../../engine/eval/terms.js';
import { command } from '../../selfplay/common/command-line.js';
import { writeSummary } from '../../selfplay/common/files.js';
import { type SettingsOf, text } from '../../selfplay/common/options.js';
import { claimOutputs, OUTPUT_OPTIONS } from '../../selfplay/common/outputs.js';
import { loadWeights, WEIGHTS_HELP, weightsHash } from '../../selfplay/common/weights.js';
import { positionCount } from '../dataset/dataset.js';
import { fitStartK } from '../fit/setup.js';
import { DATA_OPTIONS } from '../fit/tune-settings.js';
import { startObjective } from '../objective/objective.js';
import { formatSummary } from '../trace/data-summary.js';
import { loadData } from '../trace/load.js';
import { toVector } from '../weights/weights-file.js';

const OPTIONS = {
  ...DATA_OPTIONS,
  weights: text({ required: true, help: WEIGHTS_HELP }),
  ...OUTPUT_OPTIONS,
};

export const evalCommand = command('eval', 'measure the error of weights on data', OPTIONS, evaluate);

async function evaluate(settings: SettingsOf<typeof OPTIONS>): Promise<void> {
  const { data, workers, loss: kind, json, force } = settings;
  claimOutputs({ force, files: { json } });
  const weights = loadWeights(settings.weights);
  const vector = toVector(weights);
  const { dataset, dataSummary, files } = await loadData({ data, filter: settings, weights: vector, workers });
  const positions = positionCount(dataset);

  const everything = new Uint8Array(positions);
  const objective = startObjective(dataset, everything, { terms: TERM_COUNT, workers, loss: kind });
  try {
    const k = settings.k ?? (await fitStartK(objective, vector));
    const { train: loss } = await objective.evaluate(vector, k);
    console.log(formatSummary(dataSummary));
    console.log(`K          ${k.toFixed(4)}${settings.k === undefined ? ' (fitted to these weights)' : ''}`);
    console.log(`error      ${loss.toFixed(6)} (${kind})`);
    const summary = { positions, games: dataSummary.games, terms: TERM_COUNT, k, loss, kind };
    writeSummary(json, { ...summary, weightsHash: weightsHash(weights), files, data: dataSummary });
  } finally {
    await objective.close();
  }
}
