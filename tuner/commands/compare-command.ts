// `tune compare`: several methods on the same data from the same start.

import { join } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import { makeFolder, writeFileAtomic, writeSummary } from '../../selfplay/common/files.js';
import { showProgress } from '../../selfplay/common/progress.js';
import { compareMethods } from '../fit/compare.js';
import { prepareFit } from '../fit/fit-bench.js';
import type { TuneSettings } from '../fit/tune-settings.js';
import { METHODS } from '../methods/methods.js';
import { formatPortrait } from '../trace/portrait.js';
import { checkFitArguments, fitOptions } from './fit-options.js';
import { checkDataArguments, dataOptions, numberWithin } from './tune-options.js';

const DEFAULT_METHODS = ['adam', 'lbfgs', 'gauss-newton', 'cg'];

const builder = (parser: Parameters<typeof dataOptions>[0]) =>
  fitOptions(dataOptions(parser))
    .option('methods', {
      type: 'string',
      array: true,
      default: DEFAULT_METHODS,
      describe: `any of ${Object.keys(METHODS).join(', ')}`,
    })
    .option('tolerance', { type: 'number', default: 1e-5, describe: 'how near the goal counts as reached' })
    .option('patience', { type: 'number', default: 1_000_000, describe: 'epochs to go on without a gain' })
    .option('out', { type: 'string', default: 'runs/compare', describe: 'folder for compare.html' });

async function handler(args: Awaited<ReturnType<typeof builder>['argv']>): Promise<void> {
  const unknown = args.methods.find((method) => METHODS[method] === undefined);
  if (unknown !== undefined) {
    throw new UserError(`--methods ${unknown}: no such method; there are ${Object.keys(METHODS).join(', ')}`, 2);
  }
  const common = { ...checkDataArguments(args), data: args.data, loss: args.loss };
  const candidates: TuneSettings[] = args.methods.map((method) => ({ ...common, ...checkFitArguments(args, method) }));
  const tolerance = numberWithin('tolerance', args.tolerance, 0, 1);
  makeFolder(args.out);

  let interrupted = false;
  const interrupt = (): void => {
    if (interrupted) process.exit(130);
    interrupted = true;
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const isInterrupted = (): boolean => interrupted;
  // A method that chooses by the held-out error sees half of those games, and the others then do as well
  const chooses = candidates.find(({ method }) => METHODS[method].choosesByHeldOut === true);
  const bench = await prepareFit(chooses ?? candidates[0], { isInterrupted });
  try {
    console.log(formatPortrait(bench.loaded.portrait));
    console.log(`K          ${bench.k.toFixed(4)}`);
    let progress = showProgress('', args.epochs);
    const comparison = await compareMethods(bench, candidates, tolerance, {
      isInterrupted,
      onMethod(method) {
        progress.stop();
        progress = showProgress(method, args.epochs);
      },
      onEpoch: (_, { epoch, train, heldOut }) =>
        progress.update(epoch, `train ${train.toFixed(6)}, held-out ${heldOut?.toFixed(6) ?? '–'}`),
    });
    progress.stop();
    // The charting library takes longer to load than most of the command's mistakes to be noticed
    const { comparePage, comparePlot, compareTable } = await import('../report/compare-output.js');
    const { kept } = bench.loaded.portrait;
    const page = comparePage(comparison, `Methods compared on ${kept.toLocaleString('en-US')} positions`);
    writeFileAtomic(join(args.out, 'compare.html'), page);
    const { trainPositions, heldOutPositions } = bench.objective;
    writeSummary(args.json, { positions: kept, trainPositions, heldOutPositions, k: bench.k, ...comparison });
    console.log(
      `\n${comparePlot(comparison)}\n\n${compareTable(comparison)}\n\nthe chart is in ${join(args.out, 'compare.html')}`,
    );
    if (interrupted) process.exitCode = 130;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await bench.objective.close();
  }
}

export const compareCommand = { builder, handler };
