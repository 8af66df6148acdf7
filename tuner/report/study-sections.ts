// The sections of the report that a study fills: what next, calibration and games, missing features, outliers with their positions,
// residuals, and what the data are.

import { diagram, squaresOf } from '../../selfplay/html/diagram.js';
import { count, definitions, entities, figure, figures, list, note, table, tiles } from '../../selfplay/html/page.js';
import type { FitReport } from '../fit/fit-report.js';
import type { ResidualGroup } from '../study/residuals.js';
import type { Example, Study } from '../study/study.js';
import { gamesAdvice, isClear, VERDICTS } from '../study/study-text.js';
import type { DataSummary } from '../trace/data-summary.js';
import { PIECES, rowLabel, signed, termLabel } from '../weights/term-names.js';
import { calibrationChart, dataChart, dataCharts, missingChart, residualChart } from './study-charts.js';

/** Returns two errors as a fall; a dash where nothing was measured. */
export const fall = (from: number | null, to: number | null): string =>
  from === null || to === null ? '–' : `${from.toFixed(5)} → ${to.toFixed(5)}`;

/** Returns the figures of a fit that one looks for first. */
export function headline(fit: FitReport, { dataCurve, excess }: Study): string {
  return tiles([
    [count(fit.games), 'games'],
    [count(fit.positions), 'positions'],
    [fall(fit.startHeldOutLoss, fit.heldOutLoss), 'held-out error, before and after'],
    [dataCurve === null ? '–' : `${Math.floor(100 * dataCurve.learnt)}%`, 'of what games can teach these terms'],
    [excess.toFixed(5), 'expected error above the best values'],
  ]);
}

/** Returns what to do next as a list. */
export function adviceList(study: Study): string {
  const missing = study.missing.filter(isClear).slice(0, 3);
  const doubtful = study.outliers.filter(({ verdict }) => verdict !== 'consistent').length;
  const names = missing.map(({ name, gain }) => `${name} (−${gain.toFixed(5)})`).join(', ');
  const games = gamesAdvice(study);
  return list([
    `${games[0].toUpperCase()}${games.slice(1)}.`,
    ...(missing.length > 0 ? [`The evaluation would gain most from knowing: ${names}.`] : []),
    ...(study.outliers.length > 0
      ? [`${study.outliers.length} values stand out from their neighbours, ${doubtful} of them on thin evidence.`]
      : []),
  ]);
}

/** Returns the calibration and the error by number of games, as figures for the row of curves. */
export function studyCurves({ side, calibration, dataCurve }: Study): string[] {
  const source = side === 'held-out' ? 'held-out games' : 'training games: none are held out';
  const curves = [figure(calibrationChart(calibration), `Expected and scored, 95% intervals (${source})`)];
  if (dataCurve === null) return curves;
  return [...curves, figure(dataChart(dataCurve), 'Fits to growing shares of the games, on the same held-out games')];
}

const MAX_GROUPS = 14;

/** Returns what the evaluation lacks: by the fall of the error, and each feature's value if it were a term. */
export function missingSection({ missing }: Study): string {
  const shown = missing.filter(({ gain }) => gain > 0).slice(0, MAX_GROUPS);
  const rows = shown.map(({ name, phase, value, error, gain, chiSquare }) => {
    return [name, phase, `${signed(value)} ± ${error.toFixed(0)}`, gain.toFixed(5), chiSquare.toFixed(0)];
  });
  const text =
    'Features that are no terms, tested against what the fitted evaluation leaves unexplained (score test, games as observations, the other terms adjusting). Grey: chance could do as much.';
  const values = table(['feature', 'phase', 'value, cp', 'error falls by', 'χ²'], rows);
  return `${note(text)}<div class="pair"><figure>${missingChart(shown)}</figure>${values}</div>`;
}

/** Returns the values that look wrong, each with the positions that pull it there. */
export function outlierSection({ outliers }: Study): string {
  if (outliers.length === 0) return note('No value stands out from its neighbours.');
  const text =
    'Values far from their neighbours, with the training positions that pull hardest in that direction. The pull is how much lower (or higher) the value would be without the position.';
  const cards = outliers.map((outlier) => {
    const { term, phase, value, error, neighbours, positions, games, half, verdict, examples } = outlier;
    const name = termLabel(term);
    const boards = examples.map((example) => exampleFigure(example, name)).join('');
    const facts = `${signed(value)} ± ${error.toFixed(0)} cp where its neighbours have ${signed(neighbours)}; ${count(positions)} positions of ${count(games)} games, half of the pull comes from ${half}`;
    const mark = verdict === 'consistent' ? 'plain' : 'bad';
    return `<article class="card"><h3>${entities(name)} <small>${phase}</small> <span class="tag ${mark}">${VERDICTS[verdict]}</span></h3>${note(facts)}<div class="examples">${boards}</div></article>`;
  });
  return `${note(text)}<div class="cards">${cards.join('\n')}</div>`;
}

const RESULTS = new Map([
  [1, 'White won'],
  [0.5, 'drawn'],
  [0, 'Black won'],
]);

function exampleFigure({ fen, pull, result, expected }: Example, name: string): string {
  const [piece, squareText = ''] = name.split(' ');
  const square = 'abcdefgh'.indexOf(squareText[0]) + 8 * (Number(squareText[1]) - 1);
  const letter = 'PNBRQK'[PIECES.indexOf(piece)];
  const marked = new Set<number>();
  if (letter !== undefined && squareText.length === 2) {
    if (squaresOf(fen, letter).includes(square)) marked.add(square);
    if (squaresOf(fen, letter.toLowerCase()).includes(square ^ 56)) marked.add(square ^ 56);
  }
  const outcome = `${RESULTS.get(result) ?? result.toFixed(2)}, ${expected.toFixed(2)} expected`;
  return `<figure>${diagram(fen, marked, entities(fen))}<figcaption title="${entities(fen)}">${outcome}, pull ${signed(pull, 1)}</figcaption></figure>`;
}

const KINDS: readonly [kind: ResidualGroup['kind'], title: string, text: string][] = [
  ['phase', 'By phase', 'above zero: the side ahead scores more than expected'],
  ['material', 'By material', 'from the side with more of it, the most frequent kinds'],
  ['term', 'By term', 'from the side that has more of it'],
];

/** Returns mean residuals by phase, material and term. */
export function residualSection({ residuals, side }: Study): string {
  const charts = KINDS.flatMap(([kind, title, text]) => {
    const groups = residuals.filter((group) => group.kind === kind).map(named);
    const ordered = kind === 'phase' ? groups.sort(byPhase) : groups.sort((a, b) => b.positions - a.positions);
    const shown = ordered.slice(0, MAX_GROUPS);
    if (shown.length === 0) return [];
    return [figure(residualChart(shown, `Residuals ${title.toLowerCase()}`), `${title}: ${text}`)];
  });
  const games = side === 'held-out' ? 'held-out' : 'training';
  const text = `Mean of result minus expectation over ${games} games, with 95% intervals; orange: clear of zero.`;
  return note(text) + figures(charts);
}

/** Rows of tables by the names of their pieces. */
function named(group: ResidualGroup): ResidualGroup {
  const [, term, row] = /^(\w+)\[(\d+)\]$/.exec(group.group) ?? [];
  return term === undefined ? group : { ...group, group: `${term} ${rowLabel(term, Number(row))}` };
}

const byPhase = (a: ResidualGroup, b: ResidualGroup): number =>
  Number.parseInt(a.group, 10) - Number.parseInt(b.group, 10);

/** Returns what the data are, and what was left out of them. */
export function dataSection(dataSummary: DataSummary): string {
  const { games, positions, kept, whiteWins, draws, blackWins, distinct, contradicting, lines, skipped } = dataSummary;
  const results = whiteWins + draws + blackWins || 1;
  const share = (value: number): string => `${((100 * value) / results).toFixed(1)}%`;
  const leftOut = Object.entries(skipped).filter(([, positions]) => positions > 0);
  const passed = `${count(lines.blank)} blank, ${count(lines.comments)} comments, ${count(lines.headers)} headers`;
  const facts = {
    games: `${count(games)}: White ${share(whiteWins)}, draws ${share(draws)}, Black ${share(blackWins)}`,
    positions: `${count(positions)}, of them used ${count(kept)}`,
    repeats: `${count(kept - distinct)}; ${count(contradicting)} positions with games that ended differently`,
    ...Object.fromEntries(leftOut.map(([reason, positions]) => [`left out: ${reason}`, count(positions)])),
    ...Object.fromEntries(
      Object.entries(dataSummary.excluded).map(([why, games]) => [`not read: ${why}`, count(games)]),
    ),
    ...(lines.lines > 0 && { lines: `${count(lines.lines)}: ${passed}` }),
  };
  const text = entities([...dataSummary.examples, ...dataSummary.contradictions].join('\n'));
  const faults = `<details><summary>${count(dataSummary.bad)} faults</summary><pre>${text}</pre></details>`;
  const charts = dataCharts(dataSummary).map((histogram) => `<figure>${histogram}</figure>`);
  return `${definitions(facts)}${dataSummary.bad === 0 ? '' : faults}<div class="small">${charts.join('')}</div>`;
}
