// `npm run match -- sprt`: statistics of given results, without playing.

import { UserError } from '../common/errors.js';
import { writeSummary } from '../common/files.js';
import { type SettingsOf, words } from '../common/options.js';
import { claimOutputs, OUTPUT_OPTIONS } from '../common/outputs.js';
import { SPRT_OPTIONS, sprtSettings } from '../statistics/sprt.js';
import { EMPTY_TALLY, pentaOf, type Tally } from '../statistics/tally.js';
import type { Statistics } from '../statistics/types.js';
import { statisticsOf } from './match.js';
import { reportLines } from './report.js';

export const CALCULATOR_OPTIONS = {
  penta: words('number of pairs with 0, ½, 1, 1½, 2 points: LL LD DD+WL WD WW', (value) => counts('penta', value, 5), {
    conflicts: ['wdl'],
  }),
  wdl: words('number of games won, drawn, lost', (value) => counts('wdl', value, 3)),
  ...SPRT_OPTIONS,
  ...OUTPUT_OPTIONS,
};

type CalculatorOptions = SettingsOf<typeof CALCULATOR_OPTIONS>;

/** Prints Elo, LOS, LLR and verdict for the given counts. Throws a UserError for invalid options. */
export function sprtCommand(options: CalculatorOptions): void {
  const result = statisticsOf(tallyOf(options), sprtSettings(options));
  claimOutputs({ force: options.force, files: { json: options.json } });
  for (const line of reportLines(result)) {
    const known = knownPart(line, options);
    if (known !== null) console.log(known);
  }
  console.log(`Verdict: ${result.verdict === null ? 'none yet' : `${result.verdict} accepted`}`);
  writeSummary(options.json, summaryOf(result, options));
}

function counts(option: string, value: string, length: number): number[] {
  // As in the line Ptnml(0-2): [1, 2, 3, 4, 5] in reports
  const numbers = (value.match(/[^\s,[\]]+/g) ?? []).map(Number);
  if (numbers.length === length && numbers.every((count) => Number.isInteger(count) && count >= 0)) return numbers;
  throw new UserError(`--${option} takes ${length} whole numbers, not '${value}'`, 2);
}

function tallyOf({ penta, wdl }: CalculatorOptions): Tally {
  if (penta !== undefined) return { ...EMPTY_TALLY, penta: pentaOf(penta) };
  if (wdl === undefined) throw new UserError('give either --penta with five counts or --wdl with three', 2);
  return { ...EMPTY_TALLY, wins: wdl[0], draws: wdl[1], losses: wdl[2] };
}

// The numbers of wins and draws do not follow from pair counts, pairs do not follow from game counts, and results by colour follow from
// neither. Lines and figures that require them are omitted, not shown as zero
function knownPart(line: string, { penta }: CalculatorOptions): string | null {
  if (line.startsWith('White:') || line.startsWith(penta === undefined ? 'Ptnml' : 'Games')) return null;
  return penta === undefined ? line.replace(/, PairsRatio.*/, '') : line;
}

function summaryOf(result: Statistics, { wdl }: CalculatorOptions): object {
  const { wins, losses, draws, games, white, black, penta: pairs, pairsRatio, ...figures } = result;
  if (wdl !== undefined) return { wins, losses, draws, games, ...figures };
  return { penta: pairs, games: 2 * pairs.reduce((total, count) => total + count, 0), ...figures, pairsRatio };
}
