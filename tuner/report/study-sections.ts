// The sections of a study: advice, calibration, error by number of games, missing features, outliers with their positions, residuals, and
// data.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { signed, thousands } from '../../selfplay/common/wording.js';
import { diagram } from '../../selfplay/web/board.js';
import { definitions, entities, figure, figures, htmlList, htmlTable, note, tiles } from '../../selfplay/web/html.js';
import { type FitReport, unseenErrors } from '../fit/result.js';
import { isBoard, type Model, termAt } from '../model/model.js';
import { PIECES, rowName, weightLabel } from '../model/names.js';
import type { ResidualGroup } from '../study/residuals.js';
import type { Example, Study } from '../study/study.js';
import { gamesAdvice, isWorthAdding, VERDICTS } from '../study/summary.js';
import { occurrenceWarnings } from '../study/together.js';
import { type DataSummary, summaryFacts } from '../trace/data-summary.js';
import { calibrationChart, dataChart, dataCharts, missingChart, residualChart } from './study-charts.js';

/** Returns the change between two errors, or a dash if not measured. */
export const fall = (from: number | null, to: number | null): string =>
  from === null || to === null ? '–' : `${from.toFixed(5)} → ${to.toFixed(5)}`;

/** Returns the key figures of a fit. */
export function headline(fit: FitReport, { dataCurve, excess }: Study): string {
  return tiles([
    [thousands(fit.games), 'games'],
    [thousands(fit.positions), 'positions'],
    [fall(...unseenErrors(fit)), 'held-out error, before and after'],
    [dataCurve === null ? '–' : `${Math.floor(100 * dataCurve.learnt)}%`, 'of the attainable gain of these terms'],
    [excess.toFixed(5), 'expected excess error over the best values'],
  ]);
}

/** Returns the advice as a list. */
export function adviceList(model: Model, study: Study): string {
  const missing = study.missing.filter(isWorthAdding).slice(0, 3);
  const doubtful = study.outliers.filter(({ verdict }) => verdict !== 'consistent').length;
  const names = missing.map(({ name, phase, gain }) => `${name} in the ${phase} (−${gain.toFixed(5)})`).join(', ');
  const asSentence = (text: string): string => `${text[0].toUpperCase()}${text.slice(1)}.`;
  return htmlList([
    asSentence(gamesAdvice(study)),
    ...(missing.length > 0 ? [`Missing features with the largest expected gain: ${names}.`] : []),
    ...outlierAdvice(study.outliers.length, doubtful),
    ...occurrenceWarnings(model, study.positions, study.together).map(asSentence),
  ]);
}

/** Returns the calibration and the error by number of games, as figures for the row of curves. */
export function studyCurves({ side, calibration, dataCurve }: Study): string[] {
  const source = side === 'held-out' ? 'held-out games' : 'training games: none are held out';
  const curves = [figure(calibrationChart(calibration), `Expected and scored, 95% intervals (${source})`)];
  if (dataCurve === null) return curves;
  const text = 'Fits to growing shares of the games, evaluated on the same held-out games';
  return [...curves, figure(dataChart(dataCurve), text)];
}

const MAX_GROUPS = 14;

/** Returns the names of terms whose values are still all zero. */
function unlearntTerms(model: Model, { terms }: WeightSet): string[] {
  const zero = model.terms.filter(({ name }) => terms[name].every(([mg, eg]) => mg === 0 && eg === 0));
  return zero.map(({ title, name }) => title || name);
}

/**
 * Returns the missing features by decrease in error, each with its value as a term, and the names of terms whose values are all zero; '' if
 * there are neither.
 */
export function missingSection(model: Model, { missing }: Study, after: WeightSet): string {
  const shown = missing.filter(({ gain }) => gain > 0).slice(0, MAX_GROUPS);
  const rows = shown.map(({ name, phase, value, error, gain, chiSquare }) => {
    return [name, phase, `${signed(value)} ± ${error.toFixed(0)}`, gain.toFixed(5), chiSquare.toFixed(0)];
  });
  const unlearnt = unlearntTerms(model, after);
  const zero = unlearnt.length === 0 ? '' : note(`Terms not yet learnt (all values zero): ${unlearnt.join('; ')}.`);
  // Rows from a file have no candidate features
  if (shown.length === 0) return zero;
  const text =
    'Features that no term covers, tested against the residuals of the fitted evaluation (score test, one observation per game, other terms refitted). Grey: not significant.';
  const values = htmlTable(['feature', 'phase', 'value, cp', 'error falls by', 'χ²'], rows);
  return `${zero}${note(text)}<div class="pair">${figure(missingChart(shown))}${values}</div>`;
}

/** Returns the suspicious values with the positions that cause them. */
export function outlierSection(model: Model, { outliers }: Study): string {
  if (outliers.length === 0) return note('No value differs strongly from its neighbours.');
  const text =
    'Values far from their neighbours, with the training positions that pull hardest in that direction. The pull of a position is the amount by which it shifts the value.';
  const cards = outliers.map((outlier) => {
    const { term, phase, value, error, neighbours, positions, games, half, verdict, examples } = outlier;
    const boards = examples.map((example) => exampleFigure(example, squareOf(model, term))).join('');
    const facts = `${signed(value)} ± ${error.toFixed(0)}, while its neighbours average ${signed(neighbours)}; ${thousands(positions)} positions from ${thousands(games)} games; half of the squared pull comes from ${half} of these games`;
    const mark = verdict === 'consistent' ? 'plain' : 'bad';
    return `<article class="card"><h3>${entities(weightLabel(model, term))} <small>${phase ?? ''}</small> <span class="tag ${mark}">${VERDICTS[verdict]}</span></h3>${note(facts)}<div class="examples">${boards}</div></article>`;
  });
  return `${note(text)}<div class="cards">${cards.join('\n')}</div>`;
}

const RESULTS = new Map([
  [1, 'White won'],
  [0.5, 'drawn'],
  [0, 'Black won'],
]);

/** Returns the piece, as White's letter, and the square of a weight; the piece of a board follows from its name. */
function squareOf(model: Model, index: number): { letter: string; square: number } | null {
  const term = termAt(model, index);
  if (term === undefined || !isBoard(term)) return null;
  const at = index - term.offset;
  const name = `${rowName(term, at >> 6)} ${term.name}`.toLowerCase();
  const piece = PIECES.findIndex((word) => name.includes(word));
  return piece < 0 ? null : { letter: 'PNBRQK'[piece], square: at & 63 };
}

/** Returns a position with the weight's piece marked on its squares. */
function exampleFigure({ fen, pull, result, expected }: Example, at: ReturnType<typeof squareOf>): string {
  const isMarked = (piece: string, square: number): boolean =>
    at !== null &&
    ((piece === at.letter && square === at.square) ||
      (piece === at.letter.toLowerCase() && square === (at.square ^ 56)));
  const outcome = `${RESULTS.get(result) ?? result.toFixed(2)}, ${expected.toFixed(2)} expected`;
  return figure(diagram(fen, isMarked), `${outcome}, pull ${signed(pull, 1)}`);
}

const KINDS: readonly [kind: ResidualGroup['kind'], title: string, text: string][] = [
  ['phase', 'By phase', 'above zero: the side ahead scores more than expected'],
  ['material', 'By material', 'for the side with more material; most frequent kinds only'],
  ['term', 'By term', 'for the side that has more of it'],
];

/** Returns mean residuals by phase, material and term. */
export function residualSection({ residuals, side }: Study): string {
  const charts = KINDS.flatMap(([kind, title, text]) => {
    const groups = residuals.filter((group) => group.kind === kind);
    const ordered = kind === 'phase' ? groups.sort(byPhase) : groups.sort((a, b) => b.positions - a.positions);
    const shown = ordered.slice(0, MAX_GROUPS);
    if (shown.length === 0) return [];
    return [figure(residualChart(shown, `Residuals ${title.toLowerCase()}`), `${title}: ${text}`)];
  });
  const games = side === 'held-out' ? 'held-out' : 'training';
  const text = `Mean of result minus expectation over ${games} games, with 95 % intervals. Orange: the interval excludes zero.`;
  return note(text) + figures(charts);
}

const byPhase = (a: ResidualGroup, b: ResidualGroup): number =>
  Number.parseInt(a.group, 10) - Number.parseInt(b.group, 10);

/** Returns the summary of the data, with the numbers of exclusions, the faults and the contradictory results. */
export function dataSection(dataSummary: DataSummary): string {
  const { bad, examples, contradicting, contradictions } = dataSummary;
  const lists = [
    lineList(`${thousands(bad)} faults`, examples),
    lineList(`${thousands(contradicting)} positions from games that ended differently`, contradictions),
  ];
  const charts = dataCharts(dataSummary).map((histogram) => figure(histogram));
  const facts = definitions(Object.fromEntries(summaryFacts(dataSummary)));
  return `${facts}${lists.join('')}<div class="small">${charts.join('')}</div>`;
}

const lineList = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<details><summary>${title}</summary><pre>${entities(lines.join('\n'))}</pre></details>`;

function outlierAdvice(count: number, doubtful: number): string[] {
  if (count === 0) return [];
  if (count === 1)
    return [`One value differs strongly from its neighbours${doubtful === 1 ? ', on little evidence' : ''}.`];
  return [`${count} values differ strongly from their neighbours, ${doubtful} of them on little evidence.`];
}
