// renderLoopReport(): the report of a loop, from its ledger and folder. renderSeveralReport(): the report of a loop of several runs, with
// the match against the shipped weights, a row and links for each run, the joint fit, and the weights.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { readWeights, weightsHash } from '../../selfplay/common/weights.js';
import { counted, signed, thousands } from '../../selfplay/common/wording.js';
import { type Cell, definitions, fold, htmlTable, note, reportPage } from '../../selfplay/web/html.js';
import type { FitReport } from '../fit/result.js';
import { isProvenGain } from '../generations/acceptance.js';
import type { LoopFolder } from '../generations/folder.js';
import { bestBefore, lastGain } from '../generations/ledger.js';
import type { FinalEntry, Ledger, RunEntry } from '../generations/settings.js';
import { learnt, shownHash, verdictOf } from '../generations/story.js';
import { strengthsOf } from '../generations/strength.js';
import { HEFT } from '../model/heft.js';
import { weightSections } from '../report/boards.js';
import {
  type FinalMatch,
  finalParagraph,
  type GenerationReport,
  provenanceFold,
  renderReport,
} from '../report/fit-report.js';
import type { MatchEntry } from '../weights/shipped-ledger.js';

const TITLE = 'Heft learning from its own games';

/** Returns the report of a loop as the text of an HTML file. */
export function renderLoopReport(ledger: Ledger, folder: LoopFolder): string {
  const { settings, generations, final } = ledger;
  const { level, ratings } = strengthsOf(ledger);
  const reports = generations.map((entry): GenerationReport => {
    const { generation, fit, match } = entry;
    return {
      name: `generation ${generation}`,
      before: readWeights(folder.weights(bestBefore(generations, generation))),
      after: readWeights(folder.weights(generation)),
      curve: folder.readFit(generation)?.curve ?? [],
      fit,
      ...(match === null ? {} : { match: reported(match), height: ratings[generation] }),
      pool: entry.pool,
      accepted: entry.accepted,
      verdict: verdictOf(entry),
    };
  });
  return renderReport({
    model: HEFT,
    title: TITLE,
    summary: learnt(ledger),
    settings: { ...settings },
    level: { name: level, start: ratings[0] },
    generations: reports,
    finalMatch: shippedMatch(final),
  });
}

/** Returns the match against the shipped weights for a report; null if it was not played. */
export function shippedMatch(final: FinalEntry | null): FinalMatch | null {
  const match = final?.match ?? null;
  if (match === null) return null;
  const unproven = match.verdict === null ? 'undecided' : 'not proven stronger';
  const verdict = isProvenGain(match) ? 'stronger' : unproven;
  return { ...reported(match), opponent: 'the shipped weights', verdict };
}

const reported = ({ verdict, ...match }: MatchEntry) => ({ ...match, isEarly: verdict !== null });

const HEADS = ['', 'seed', 'generation used', 'accepted', 'games', 'labels', 'strength', 'weights'];

/**
 * Returns the report of a loop of several finished runs as the text of an HTML file. `start` and `end` are the first and the resulting
 * weights. The links lead to the report and the film of each run, in folders `run-1`, `run-2`, … beside the file.
 */
export function renderSeveralReport(ledger: Ledger, start: WeightSet, end: WeightSet): string {
  const { runs = [], settings, final, fit } = ledger;
  return reportPage(TITLE, learnt(ledger), [
    finalParagraph(shippedMatch(final)),
    htmlTable(
      HEADS,
      runs.map((run, i) => row(ledger, run, i + 1)),
    ),
    fit === undefined ? '' : note(fitText(fit)),
    ...weightSections(HEFT, `Before the first generation and after ${counted(runs.length, 'runs')}`, start, end),
    fold('Settings', definitions({ ...settings })),
    fold('Provenance', provenanceFold({ name: `weights ${weightsHash(end)}`, after: end })),
  ]);
}

/**
 * Returns a sentence about the data of the joint fit. The errors before and after the fit are omitted, because they are not comparable (see
 * jointFitOf()).
 */
const fitText = ({ games, positions }: FitReport): string =>
  `The weights are fitted jointly to ${thousands(positions)} labels from ${thousands(games)} games.`;

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
    ...[`${signed(Math.round(elo) || 0)} ± ${error.toFixed(0)} Elo against ${level}`, shownHash(weights)],
  ];
}
