// `tune eval`: the error of any weights on any data.

import { TERM_COUNT } from '../../engine/eval/terms.js';
import { writeSummary } from '../../selfplay/common/files.js';
import { loadWeights, weightsHash } from '../../selfplay/common/weights.js';
import { positionCount } from '../dataset/dataset.js';
import { fitStartK } from '../fit/fit-bench.js';
import { startObjective } from '../objective/objective.js';
import { loadData } from '../trace/load.js';
import { formatPortrait } from '../trace/portrait.js';
import { toVector } from '../weights/weights-file.js';
import { checkDataArguments, dataOptions } from './tune-options.js';

const builder = (parser: Parameters<typeof dataOptions>[0]) =>
  dataOptions(parser).option('weights', {
    type: 'string',
    demandOption: true,
    requiresArg: true,
    describe: 'shipped, material or a weight file',
  });

async function handler(args: Awaited<ReturnType<typeof builder>['argv']>): Promise<void> {
  const { filter, k: givenK, workers } = checkDataArguments(args);
  const weights = loadWeights(args.weights);
  const vector = toVector(weights);
  const { dataset, portrait, files } = await loadData({ data: args.data, filter, weights: vector, workers });
  const positions = positionCount(dataset);

  const everything = new Uint8Array(positions);
  const objective = startObjective(dataset, everything, { terms: TERM_COUNT, workers, loss: args.loss });
  try {
    const k = givenK ?? (await fitStartK(objective, vector));
    const { train: loss } = await objective.evaluate(vector, k);
    console.log(formatPortrait(portrait));
    console.log(`K          ${k.toFixed(4)}${givenK === null ? ' (fitted to these weights)' : ''}`);
    console.log(`error      ${loss.toFixed(6)} (${args.loss})`);
    const summary = { positions, games: portrait.games, terms: TERM_COUNT, k, loss, kind: args.loss };
    writeSummary(args.json, { ...summary, weightsHash: weightsHash(weights), files, data: portrait });
  } finally {
    await objective.close();
  }
}

export const evalCommand = { builder, handler };
