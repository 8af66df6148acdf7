// The sections of the report that a study fills: what next, calibration and games, missing knowledge, suspicious values with
// their positions, residuals, and the data's portrait.

import type { FitReport } from '../fit/fit-report.js';
import type { ResidualGroup } from '../study/residuals.js';
import type { Example, Study } from '../study/study.js';
import { gamesAdvice, isClear, VERDICTS } from '../study/study-text.js';
import type { Portrait } from '../trace/portrait.js';
import { rowLabel, termLabel } from '../weights/term-label.js';
import { entities } from './html.js';
import { diagram, squaresOf } from './report-diagram.js';
import { calibrationChart, dataChart, missingChart, portraitCharts, residualChart } from './report-study-charts.js';

/** Returns the figures of a fit that one looks for first. */
export function headline(fit: FitReport, { dataCurve, excess }: Study): string {
  const fall = (from: number | null, to: number | null): string =>
    from === null || to === null ? '–' : `${from.toFixed(5)} → ${to.toFixed(5)}`;
  const tiles: [string, string][] = [
    [fit.games.toLocaleString('en-US'), 'games'],
    [fit.positions.toLocaleString('en-US'), 'positions'],
    [fall(fit.startHeldOutLoss, fit.heldOutLoss), 'held-out error, before and after'],
    [dataCurve === null ? '–' : `${Math.floor(100 * dataCurve.learnt)}%`, 'of what games can teach these terms'],
    [excess.toFixed(5), 'expected error above the best values'],
  ];
  return `<div class="tiles">${tiles.map(([value, name]) => `<div><b>${value}</b><span>${name}</span></div>`).join('')}</div>`;
}

/** Returns what to do next as a list. */
export function adviceList(study: Study): string {
  const missing = study.missing.filter(isClear).slice(0, 3);
  const doubtful = study.suspects.filter(({ verdict }) => verdict !== 'consistent').length;
  const items = [sentence(gamesAdvice(study))];
  if (missing.length > 0) {
    const names = missing.map(({ name, gain }) => `${name} (−${gain.toFixed(5)})`).join(', ');
    items.push(`The evaluation would gain most from knowing: ${names}.`);
  }
  if (study.suspects.length > 0) {
    items.push(
      `${study.suspects.length} values stand out from their neighbours, ${doubtful} of them on thin evidence.`,
    );
  }
  return `<ul class="advice">${items.map((item) => `<li>${entities(item)}</li>`).join('')}</ul>`;
}

const sentence = (text: string): string => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** Returns the calibration and the error by number of games, as figures for the row of curves. */
export function studyCurves(study: Study): string[] {
  const source = study.side === 'held-out' ? 'held-out games' : 'training games: none are held out';
  const calibration = figure(calibrationChart(study.calibration), `Expected and scored, 95% intervals (${source})`);
  if (study.dataCurve === null) return [calibration];
  return [
    calibration,
    figure(dataChart(study.dataCurve), 'Fits to growing shares of the games, all on the same held-out games'),
  ];
}

const figure = (chart: string, caption: string): string =>
  `<figure>${chart}<figcaption>${entities(caption)}</figcaption></figure>`;

/** Returns what the evaluation lacks: by the fall of the error, and each feature's value if it were a term. */
export function missingSection({ missing }: Study): string {
  const note =
    'Features that are no terms, counted on the board and the attack maps, and tested against what the fitted evaluation leaves unexplained (score test, games as observations, the other terms adjusting). Grey: chance could do as much.';
  const shown = missing.filter(({ gain }) => gain > 0).slice(0, 14);
  const rows = shown.map(({ name, phase, value, error, gain, chiSquare }) => {
    const cells = [phase, `${signed(value)} ± ${error.toFixed(0)}`, gain.toFixed(5), chiSquare.toFixed(0)];
    return `<tr><th scope="row">${entities(name)}</th>${cells.map((text) => `<td>${text}</td>`).join('')}</tr>`;
  });
  const head = ['feature', 'phase', 'value, cp', 'error falls by', 'χ²'];
  const table = `<div class="wide"><table><thead><tr>${head.map((text) => `<th scope="col">${text}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
  return `<p class="note">${note}</p><div class="pair"><figure>${missingChart(missing)}</figure>${table}</div>`;
}

/** Returns the values that look wrong, each with the positions that pull it there. */
export function suspectSection({ suspects }: Study): string {
  if (suspects.length === 0) return '<p class="note">No value stands out from its neighbours.</p>';
  const note =
    'Values far from their neighbours, with the training positions that pull hardest in that direction. The pull is how much lower (or higher) the value would be without the position.';
  const cards = suspects.map((suspect) => {
    const { term, phase, value, error, neighbours, positions, games, half, verdict, examples } = suspect;
    const name = termLabel(term);
    const boards = examples.map((example) => exampleFigure(example, name)).join('');
    const facts = `${signed(value)} ± ${error.toFixed(0)} cp where its neighbours have ${signed(neighbours)}; ${positions.toLocaleString('en-US')} positions of ${games.toLocaleString('en-US')} games, half of the pull comes from ${half}`;
    const mark = verdict === 'consistent' ? 'plain' : 'bad';
    return `<article class="card"><h3>${entities(name)} <small>${phase}</small> <span class="tag ${mark}">${VERDICTS[verdict]}</span></h3><p class="note">${facts}</p><div class="examples">${boards}</div></article>`;
  });
  return `<p class="note">${note}</p><div class="cards">${cards.join('\n')}</div>`;
}

const LETTERS: Readonly<Record<string, string>> = {
  pawn: 'P',
  knight: 'N',
  bishop: 'B',
  rook: 'R',
  queen: 'Q',
  king: 'K',
};
const RESULTS = new Map([
  [1, 'White won'],
  [0.5, 'drawn'],
  [0, 'Black won'],
]);

function exampleFigure({ fen, pull, result, expected }: Example, name: string): string {
  const [piece, squareText = ''] = name.split(' ');
  const square = 'abcdefgh'.indexOf(squareText[0]) + 8 * (Number(squareText[1]) - 1);
  const letter = LETTERS[piece];
  const marked = new Set<number>();
  if (letter !== undefined && squareText.length === 2) {
    if (squaresOf(fen, letter).includes(square)) marked.add(square);
    if (squaresOf(fen, letter.toLowerCase()).includes(square ^ 56)) marked.add(square ^ 56);
  }
  const outcome = `${RESULTS.get(result) ?? result.toFixed(2)}, ${expected.toFixed(2)} expected`;
  return `<figure>${diagram(fen, marked, entities(fen))}<figcaption title="${entities(fen)}">${outcome}, pull ${signed(pull, 1)}</figcaption></figure>`;
}

const KINDS: readonly [kind: string, title: string, note: string][] = [
  ['phase', 'By phase', 'above zero: the side ahead scores more than expected'],
  ['material', 'By material', 'from the side with more of it, the most frequent kinds'],
  ['term', 'By term', 'from the side that has more of it'],
];
const LARGEST_GROUPS = 14;

/** Returns mean residuals by phase, material and term. */
export function residualSection({ residuals, side }: Study): string {
  const figures = KINDS.map(([kind, title, note]) => {
    const groups = residuals.filter((group) => group.kind === kind).map(named);
    const ordered = kind === 'phase' ? groups.sort(byPhase) : groups.sort((a, b) => b.positions - a.positions);
    const shown = ordered.slice(0, LARGEST_GROUPS);
    return shown.length === 0
      ? ''
      : figure(residualChart(shown, `Residuals ${title.toLowerCase()}`), `${title}: ${note}`);
  });
  const note = `Mean of result minus expectation over ${side === 'held-out' ? 'held-out' : 'training'} games, with 95% intervals; orange: clear of zero.`;
  return `<p class="note">${note}</p><div class="curves">${figures.join('\n')}</div>`;
}

/** Rows of tables by the names of their pieces. */
function named(group: ResidualGroup): ResidualGroup {
  const [, term, row] = /^(\w+)\[(\d+)\]$/.exec(group.group) ?? [];
  return term === undefined ? group : { ...group, group: `${term} ${rowLabel(term, Number(row))}` };
}

const byPhase = (a: ResidualGroup, b: ResidualGroup): number =>
  Number.parseInt(a.group, 10) - Number.parseInt(b.group, 10);

/** Returns what the data are, and what was left out of them. */
export function portraitSection(portrait: Portrait): string {
  const { games, positions, kept, whiteWins, draws, blackWins, distinct, contradicting, bad, examples, lines } =
    portrait;
  const results = whiteWins + draws + blackWins || 1;
  const share = (count: number): string => `${((100 * count) / results).toFixed(1)}%`;
  const count = (value: number): string => value.toLocaleString('en-US');
  const facts: [string, string][] = [
    ['games', `${count(games)}: White ${share(whiteWins)}, draws ${share(draws)}, Black ${share(blackWins)}`],
    ['positions', `${count(positions)}, of them used ${count(kept)}`],
    ['repeats', `${count(kept - distinct)}; ${count(contradicting)} positions with games that ended differently`],
    ...Object.entries(portrait.skipped)
      .filter(([, skipped]) => skipped > 0)
      .map(([reason, skipped]): [string, string] => [`left out: ${reason}`, count(skipped)]),
    ...Object.entries(portrait.excluded).map(([reason, games]): [string, string] => [
      `not read: ${reason}`,
      count(games),
    ]),
  ];
  if (lines.lines > 0)
    facts.push([
      'lines',
      `${count(lines.lines)}: ${lines.blank} blank, ${lines.comments} comments, ${lines.headers} headers`,
    ]);
  const list = facts.map(([name, text]) => `<dt>${entities(name)}</dt><dd>${entities(text)}</dd>`).join('');
  const faults =
    bad === 0
      ? ''
      : `<details><summary>${count(bad)} faults</summary><pre>${entities([...examples, ...portrait.contradictions].join('\n'))}</pre></details>`;
  return `<dl>${list}</dl>${faults}<div class="small">${portraitCharts(portrait)
    .map((chart) => `<figure>${chart}</figure>`)
    .join('')}</div>`;
}

const signed = (value: number, digits = 0): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;
