// describeStudy() and gamesAdvice(): the findings of a study as text.

import { signed, thousands } from '../../selfplay/common/wording.js';
import { roundUp } from '../fit/gain.js';
import type { Model } from '../model/model.js';
import { weightLabel } from '../model/names.js';
import type { Study } from './study.js';
import { occurrenceWarnings } from './together.js';

/** Returns the findings as lines. */
export function describeStudy(model: Model, study: Study): string {
  const lines = ['next steps', `  ${gamesAdvice(study)}`];
  for (const { name, phase, value, error, gain } of study.missing.filter(isWorthAdding).slice(0, 3)) {
    const worth = `${phase} ${signed(value)} ± ${error.toFixed(0)} cp`;
    lines.push(`  missing: ${name} (${worth}) would lower the error by ${gain.toFixed(5)}`);
  }
  for (const { term, phase, value, error, neighbours, verdict } of study.outliers.slice(0, 3)) {
    const where = `${weightLabel(model, term)}${phase === null ? '' : ` ${phase}`}`;
    lines.push(
      `  look at: ${where} ${value} ± ${error.toFixed(0)}, neighbours ${neighbours.toFixed(0)} (${VERDICTS[verdict]})`,
    );
  }
  const warnings = occurrenceWarnings(model, study.positions, study.together);
  return [...lines, ...warnings.slice(0, 6).map((warning) => `  ${warning}`)].join('\n');
}

export const VERDICTS = {
  noise: 'within its error',
  inherited: 'as in the start or prior weights',
  'few games': 'decided by a few games',
  consistent: 'many games agree',
} as const;

/** Returns whether a feature is significant and useful. */
export const isWorthAdding = ({ chiSquare, gain }: Study['missing'][number]): boolean => chiSquare > 10.8 && gain > 0;

/** Returns one sentence on whether more games would help. */
export function gamesAdvice({ dataCurve }: Study): string {
  if (dataCurve === null) return 'too few games, or none held out, to estimate whether more would help';
  const { points, learnt, wanted, slope } = dataCurve;
  const games = points[points.length - 1].games;
  if (wanted === null) return `${thousands(games)} training games gave no gain on other games: play more`;
  const taught = `${thousands(games)} training games achieved ${Math.floor(100 * learnt)}% of the attainable gain of these terms`;
  if (wanted <= games) return `${taught}: more games of this kind would not help much, but new terms might`;
  const left = (slope / games).toFixed(5);
  return `${taught}; about ${thousands(roundUp(wanted, 2))} would achieve 95% (the error could still fall by ${left})`;
}
