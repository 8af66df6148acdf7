// renderMeanReport(): the report of a loop that averages several runs: the match of the mean, a row and a link for each run, and the weights.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { counted, thousands } from '../../selfplay/common/errors.js';
import { weightsHash } from '../../selfplay/common/weights.js';
import { type Cell, definitions, fold, htmlTable, reportPage } from '../../selfplay/web/html.js';
import { lastGain } from '../generations/ledger.js';
import type { Ledger, RunEntry } from '../generations/settings.js';
import { learnt } from '../generations/story.js';
import { strengthsOf } from '../generations/strength.js';
import { HEFT } from '../model/heft.js';
import { signed } from '../model/names.js';
import { weightSections } from '../report/boards.js';
import { finalParagraph } from '../report/fit-report.js';
import { shippedMatch } from './report.js';

const HEADS = ['', 'seed', 'generation used', 'accepted', 'games', 'labels', 'strength', 'weights'];

/** Digits of a weights hash in the table. */
const SHOWN_DIGITS = 16;

/**
 * Returns the report of a loop of several finished runs as the text of an HTML file. `start` and `mean` are the first and the resulting
 * weights. The links lead to the report and the film of each run, in folders `run-1`, `run-2`, … beside the file.
 */
export function renderMeanReport(ledger: Ledger, start: WeightSet, mean: WeightSet): string {
  const { runs = [], settings, final } = ledger;
  const caption = `Before the first generation and after the mean of ${counted(runs.length, 'runs')}`;
  return reportPage('Heft learning from its own games', learnt(ledger), [
    finalParagraph(shippedMatch(final)),
    htmlTable(
      HEADS,
      runs.map((run, i) => row(ledger, run, i + 1)),
    ),
    ...weightSections(HEFT, caption, start, mean),
    fold('Settings', definitions({ ...settings })),
    fold('Provenance', `<p>Weights of the mean: ${weightsHash(mean)}</p>`, definitions({ ...mean.provenance })),
  ]);
}

function row({ settings }: Ledger, { seed, generations, weights }: RunEntry, number: number): Cell[] {
  const used = lastGain(generations);
  const { level, ratings } = strengthsOf({ settings, generations, final: null });
  const { elo, error } = ratings[used];
  const sum = (of: (entry: RunEntry['generations'][number]) => number): string =>
    thousands(generations.reduce((total, entry) => total + of(entry), 0));
  return [
    { html: `<a href="run-${number}/report.html">run ${number}</a>, <a href="run-${number}/film.html">film</a>` },
    ...[String(seed), `${used} of ${generations.length}`, String(generations.filter((one) => one.accepted).length)],
    ...[sum(({ games }) => games), sum(({ labels }) => labels?.positions ?? 0)],
    ...[`${signed(Math.round(elo) || 0)} ± ${error.toFixed(0)} Elo against ${level}`, weights.slice(0, SHOWN_DIGITS)],
  ];
}
