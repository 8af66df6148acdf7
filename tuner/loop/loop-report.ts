// renderLoopReport(): the report of a loop, from its ledger and folder.

import { readWeights } from '../../selfplay/common/weights.js';
import { type GenerationReport, renderReport } from '../report/fit-report.js';
import { bestBefore, type Ledger } from './ledger.js';
import type { LoopFolder } from './loop-folder.js';
import { learnt, verdictOf } from './loop-story.js';

/** Returns the report of a loop as the text of an HTML file. */
export function renderLoopReport({ settings, generations, final }: Ledger, folder: LoopFolder): string {
  const reports = generations.map((entry): GenerationReport => {
    const { generation, fit, match } = entry;
    return {
      name: `generation ${generation}`,
      before: readWeights(folder.weights(bestBefore(generations, generation))),
      after: readWeights(folder.weights(generation)),
      curve: folder.readFit(generation)?.curve ?? [],
      fit,
      ...(match === null ? {} : { match }),
      accepted: entry.accepted,
      verdict: verdictOf(entry),
    };
  });
  return renderReport({
    title: 'Heft learning from its own games',
    summary: learnt({ settings, generations }),
    settings: { ...settings },
    generations: reports,
    ...(final === null || final.match === null
      ? {}
      : { finalMatch: { ...final.match, opponent: 'the shipped weights', verdict: final.line } }),
  });
}
