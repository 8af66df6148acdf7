// The report of a run: one page without scripts or outside files, for light and dark screens.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import type { CurvePoint } from '../fit/fit.js';
import type { FitReport } from '../fit/fit-report.js';
import type { Study } from '../study/study.js';
import type { Portrait } from '../trace/portrait.js';
import { entities as escapeHtml } from './html.js';
import { arraySections, boardSections, valueTable } from './report-boards.js';
import { curveChart, type EloPoint, eloChart } from './report-charts.js';
import { reportPage } from './report-page.js';
import {
  adviceList,
  headline,
  missingSection,
  portraitSection,
  residualSection,
  studyCurves,
  suspectSection,
} from './report-study.js';

/** Candidate against its opponent, from the candidate's side. */
export interface MatchReport {
  wins: number;
  draws: number;
  losses: number;
  elo: number;
  /** Half width of the 95 % interval. */
  eloError: number;
  llr?: number;
}

export interface GenerationReport {
  name: string;
  before: WeightSet;
  after: WeightSet;
  curve: readonly CurvePoint[];
  fit: FitReport;
  study?: Study;
  portrait?: Portrait;
  match?: MatchReport;
  /** Whether the next generation starts from `after`; no match, no verdict. */
  accepted?: boolean;
  verdict?: string;
}

export interface ReportData {
  title: string;
  /** One sentence on how the run ended. */
  summary?: string;
  settings: Readonly<Record<string, unknown>>;
  generations: readonly GenerationReport[];
  finalMatch?: MatchReport & { opponent: string; verdict?: string };
}

/** Returns the report as the text of an HTML file. */
export function renderReport(data: ReportData): string {
  const { generations } = data;
  // A study is of one fit; a run of many has that of its last
  const studied = generations.findLast(({ study }) => study !== undefined);
  const curves = [...generations.map(curve), ...(studied?.study ? studyCurves(studied.study) : [])];
  const sections = [
    data.finalMatch && section('Final match', finalMatch(data.finalMatch)),
    eloSection(generations),
    studied?.study && headline(studied.fit, studied.study),
    section('Fits', ledger(generations)),
    studied?.study && section('What next', adviceList(studied.study)),
    section('Learning curves', `${CURVE_NOTE}<div class="curves">${curves.join('\n')}</div>`),
    studied?.study && section('What the evaluation does not know', missingSection(studied.study)),
    studied?.study && section('Suspicious values', suspectSection(studied.study)),
    studied?.study && section('Residuals', residualSection(studied.study)),
    weightSections(generations),
    studied?.portrait && section('Data', portraitSection(studied.portrait)),
    section('Settings', definitions(data.settings)),
    section('Provenance', generations.map(provenance).join('\n')),
  ];
  const body = sections.filter((text) => text !== undefined && text !== '').join('\n');
  return reportPage(data.title, data.summary ?? '', body);
}

const CURVE_NOTE =
  '<p class="note">Change of the error since the start of each fit; its levels are in the table above.</p>';

const section = (title: string, body: string): string => `<section><h2>${title}</h2>\n${body}\n</section>`;

function eloSection(generations: readonly GenerationReport[]): string {
  const points: EloPoint[] = [];
  let base = 0;
  for (const { name, match, accepted = false } of generations) {
    if (match === undefined) continue;
    points.push({ name, elo: base + match.elo, error: match.eloError, accepted });
    if (accepted) base += match.elo;
  }
  if (points.length === 0) return '';
  const note =
    'Each candidate stands on what was accepted before it; bars are the 95 % interval of its own match; hollow points were rejected.';
  return section('Strength', `${eloChart(points)}<p class="note">${note}</p>`);
}

function ledger(generations: readonly GenerationReport[]): string {
  const hasMatches = generations.some(({ match }) => match !== undefined);
  const heads = ['', 'games', 'positions', 'K', 'train', 'held-out', 'epochs'];
  if (hasMatches) heads.push('match', 'Elo', 'LLR', 'verdict');
  const rows = generations.map((generation) => {
    const cells = [...fitCells(generation), ...(hasMatches ? matchCells(generation) : [])];
    return `<tr>${cells.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}${hasMatches ? verdict(generation) : ''}</tr>`;
  });
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function fitCells({ name, fit }: GenerationReport): string[] {
  return [
    name,
    fit.games.toLocaleString('en-US'),
    fit.positions.toLocaleString('en-US'),
    fit.k.toFixed(3),
    step(fit.startTrainLoss, fit.trainLoss),
    step(fit.startHeldOutLoss, fit.heldOutLoss),
    `${fit.bestEpoch} of ${fit.epochs}`,
  ];
}

function matchCells({ match }: GenerationReport): string[] {
  if (match === undefined) return ['–', '–', '–'];
  const games = `+${match.wins} =${match.draws} −${match.losses}`;
  return [games, elo(match), match.llr === undefined ? '–' : match.llr.toFixed(2)];
}

function verdict({ accepted, verdict = '–' }: GenerationReport): string {
  const mark = accepted === undefined ? '' : accepted ? 'good' : 'bad';
  return `<td class="${mark}">${escapeHtml(verdict)}</td>`;
}

function curve({ name, curve, fit }: GenerationReport): string {
  return `<figure>${curveChart(curve, fit.bestEpoch)}<figcaption>${escapeHtml(name)}</figcaption></figure>`;
}

/** What changed over the whole run: from the first start to the last accepted weights, or to the last fit if none was. */
function weightSections(generations: readonly GenerationReport[]): string {
  if (generations.length === 0) return '';
  const last = generations.findLast(({ accepted }) => accepted) ?? generations[generations.length - 1];
  const from = generations[0].before;
  const span = generations.length === 1 ? 'and after' : `${generations[0].name} and after ${last.name}`;
  const note = `<p class="note">Before ${escapeHtml(span)}, in centipawns.</p>`;
  const errors = last.study?.errors;
  return [
    section('Values', `${note}${valueTable(from, last.after, errors)}${arraySections(from, last.after, errors)}`),
    section('Tables', `${note}${boardSections(from, last.after, errors)}`),
  ].join('\n');
}

function finalMatch(match: NonNullable<ReportData['finalMatch']>): string {
  const { wins, draws, losses, opponent, verdict } = match;
  const games = wins + draws + losses;
  const text = `${elo(match)} Elo against ${opponent} over ${games} games (+${wins} =${draws} −${losses})`;
  return `<p>${escapeHtml(verdict === undefined ? text : `${text}: ${verdict}`)}</p>`;
}

const elo = ({ elo, eloError }: MatchReport): string =>
  `${elo >= 0 ? '+' : ''}${elo.toFixed(1)} ± ${eloError.toFixed(1)}`;

const step = (from: number | null, to: number | null): string =>
  from === null || to === null ? '–' : `${from.toFixed(5)} → ${to.toFixed(5)}`;

function definitions(values: Readonly<Record<string, unknown>>): string {
  const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const items = Object.entries(values).map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(text(value))}</dd>`,
  );
  return `<dl>${items.join('')}</dl>`;
}

function provenance({ name, after }: GenerationReport): string {
  const text = escapeHtml(JSON.stringify(after.provenance, null, 2));
  return `<details><summary>${escapeHtml(name)}</summary><pre>${text}</pre></details>`;
}
