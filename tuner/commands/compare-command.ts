// compareCommand: `tune compare`, which runs several methods on the same data from the same start weights.

import { join } from 'node:path';
import { command } from '../../selfplay/common/command-line.js';
import { UserError } from '../../selfplay/common/errors.js';
import { newRunFolder, writeFileAtomic, writeSummary } from '../../selfplay/common/files.js';
import { list, real, type SettingsOf, text, whole } from '../../selfplay/common/options.js';
import { claimOutputs, OUTPUT_OPTIONS } from '../../selfplay/common/outputs.js';
import { interruptSignal } from '../../selfplay/common/program.js';
import { showProgress } from '../../selfplay/common/progress.js';
import { thousands } from '../../selfplay/common/wording.js';
import { compareMethods } from '../fit/compare.js';
import { checkMethod, openProducer } from '../fit/data.js';
import { prepare } from '../fit/problem.js';
import { checkSteps, FIT_OPTIONS, frozenTerms, sourceFiles, weightsFiles } from '../fit/tune-settings.js';
import { METHODS } from '../methods/methods.js';
import { formatSummary } from '../trace/data-summary.js';

const OPTIONS = {
  ...FIT_OPTIONS,
  methods: list(`any of ${Object.keys(METHODS).join(', ')}`, {
    default: ['adam', 'gd', 'gauss-newton', 'cg'] as readonly string[],
  }),
  tolerance: real('maximum error above the best method at which a method counts as converged', {
    min: 0,
    max: 1,
    default: 1e-5,
  }),
  patience: whole('epochs without a gain before a fit ends', { min: 1, default: 1_000_000 }),
  out: text('folder for compare.html', { defaultText: 'runs/compare-TIME' }),
  ...OUTPUT_OPTIONS,
};

const PAGE = 'compare.html';

export const compareCommand = command('compare', 'run several methods on the same data', OPTIONS, compare);

async function compare(settings: SettingsOf<typeof OPTIONS>): Promise<void> {
  const { methods, tolerance, out = newRunFolder('compare'), json, force, ...common } = settings;
  const unknown = methods.find((method) => !Object.hasOwn(METHODS, method));
  if (unknown !== undefined) {
    throw new UserError(`--methods ${unknown}: no such method; known methods: ${Object.keys(METHODS).join(', ')}`, 2);
  }
  checkSteps(methods, settings);
  const producer = await openProducer(settings);
  for (const method of methods) checkMethod(method, producer);
  frozenTerms(producer.model, settings);
  const inputs = [...sourceFiles(settings), ...weightsFiles(settings)];
  claimOutputs({ force, run: { out, command: 'tune compare' }, fresh: [PAGE], files: { json }, inputs });
  const candidates = methods.map((method) => ({ ...common, method }));
  const signal = interruptSignal();
  // If any method selects its weights by held-out error, half of the held-out games are hidden from all methods so that all errors are
  // measured on the same games
  const chooses = candidates.find(({ method }) => METHODS[method].choosesByHeldOut === true);
  const problem = await prepare(chooses ?? candidates[0], { signal }, producer);
  const { objective, task } = problem;
  const { dataSummary } = problem.data.loaded;
  try {
    console.log(formatSummary(dataSummary));
    console.log(`K          ${task.k.toFixed(4)}`);
    let progress = showProgress('', settings.epochs);
    const comparison = await compareMethods(problem, candidates, tolerance, {
      signal,
      onMethod(method) {
        progress.stop();
        progress = showProgress(method, settings.epochs);
      },
      onEpoch: (_, { epoch, train, heldOut }) =>
        progress.update(epoch, `train ${train.toFixed(6)}, held-out ${heldOut?.toFixed(6) ?? '–'}`),
    });
    progress.stop();
    // Imported here, because loading the charting library would delay every error message
    const { comparePage, compareTable } = await import('../report/comparison.js');
    const { kept } = dataSummary;
    const page = comparePage(comparison, `Methods compared on ${thousands(kept)} positions`);
    const file = join(out, PAGE);
    writeFileAtomic(file, page);
    const { trainPositions, heldOutPositions } = objective;
    writeSummary(json, { positions: kept, trainPositions, heldOutPositions, k: task.k, ...comparison });
    console.log(`\n${compareTable(comparison)}\n\nthe chart is in ${file}`);
  } finally {
    await objective.close();
  }
}
