// renderLoopReport(): the report of a loop, from its ledger and folder.

import { readWeights } from '../../selfplay/common/weights.js';
import { isAccepted } from '../generations/acceptance.js';
import type { LoopFolder } from '../generations/folder.js';
import { bestBefore } from '../generations/ledger.js';
import type { FinalEntry, Ledger } from '../generations/settings.js';
import { learnt, verdictOf } from '../generations/story.js';
import { strengthsOf } from '../generations/strength.js';
import { HEFT } from '../model/heft.js';
import { type FinalMatch, type GenerationReport, renderReport } from '../report/fit-report.js';
import type { MatchEntry } from '../weights/shipped-ledger.js';

export const LOOP_TITLE = 'Heft learning from its own games';

/** Verdicts of the match against the shipped weights. */
const FINAL = { H1: 'stronger', H0: 'not proven stronger', none: 'undecided' };

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
    title: LOOP_TITLE,
    summary: learnt(ledger),
    settings: { ...settings },
    level: { name: level, start: ratings[0] },
    generations: reports,
    finalMatch: shippedMatch(final),
  });
}

/** Returns the match against the shipped weights as a part of the report; null if it was not played. */
export function shippedMatch(final: FinalEntry | null): FinalMatch | null {
  const match = final?.match ?? null;
  if (match === null) return null;
  const verdict = isAccepted(match) ? FINAL.H1 : FINAL[match.verdict ?? 'none'];
  return { ...reported(match), opponent: 'the shipped weights', verdict };
}

const reported = ({ verdict, ...match }: MatchEntry) => ({ ...match, isEarly: verdict !== null });
