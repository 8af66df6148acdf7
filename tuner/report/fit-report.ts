// renderReport(): the report of a fit, or of the fits of a loop, as a page without scripts or external files, for light and dark mode.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { counted, signed, thousands } from '../../selfplay/common/wording.js';
import * as page from '../../selfplay/web/html.js';
import type { CurvePoint } from '../fit/fit.js';
import { averageText, type FitReport, unseenErrors } from '../fit/result.js';
import type { Model } from '../model/model.js';
import type { Study } from '../study/study.js';
import type { DataSummary } from '../trace/data-summary.js';
import type { MatchEntry } from '../weights/shipped-ledger.js';
import { weightSections } from './boards.js';
import { curveChart, type EloPoint, eloChart } from './fit-charts.js';
import { priorSection } from './prior-section.js';
import * as sections from './study-sections.js';

type Cell = page.Cell;
const { contents, definitions, entities, figure, figures, fold, note, reportPage, section, htmlTable } = page;

/** Result of a match, from the candidate's side. */
type Outcome = Pick<MatchEntry, 'wins' | 'draws' | 'losses' | 'elo' | 'eloError'>;
interface MatchReport extends Outcome, Pick<MatchEntry, 'llr'> {
  /** Whether its SPRT ended the match, which biases the Elo away from zero. */
  isEarly?: boolean;
}

type Height = Pick<EloPoint, 'elo' | 'error'>;

export interface GenerationReport {
  name: string;
  before: WeightSet;
  after: WeightSet;
  curve: readonly CurvePoint[];
  fit: FitReport;
  study?: Study;
  dataSummary?: DataSummary;
  match?: MatchReport;
  /** Elo relative to the reference (`level`), from all matches of the run; by default from its own match. */
  height?: Height;
  /** Matches against opponents that are not part of the run. */
  pool?: readonly (Outcome & { opponent: string })[];
  /** Whether the next generation starts from `after`; undefined for a fit outside a loop. */
  accepted?: boolean;
  /** Verdict of the match, or the reason for its absence. */
  verdict?: string;
}

/** The match at the end of a run. */
export interface FinalMatch extends MatchReport {
  opponent: string;
  verdict?: string;
}

export interface ReportData {
  model: Model;
  title: string;
  /** One sentence about the end of the run. */
  summary?: string;
  settings: Readonly<Record<string, unknown>>;
  generations: readonly GenerationReport[];
  /** The reference with Elo 0, and the Elo of the start; by default the start is the reference. */
  level?: { name: string; start: Height };
  finalMatch?: FinalMatch | null;
}

/** Number of figures above the folded sections; earlier learning curves are folded. */
const VISIBLE_FIGURES = 3;

/** Returns the report as the text of an HTML file. */
export function renderReport({ model, title, summary, settings, generations, level, finalMatch }: ReportData): string {
  // A run of several fits shows the study of the last one
  const studied = generations.findLast((generation) => generation.study !== undefined);
  const study = studied?.study;
  const last = generations.at(-1);
  const ofStudy = (title: string, render: (found: Study) => string): string =>
    study === undefined ? '' : fold(title, render(study));
  const curves = [
    ...(study === undefined ? [] : sections.studyCurves(study)),
    ...generations.map((one, i) => curve(one, i === generations.length - 1)),
  ];
  const strength = eloFigure(generations, level);
  const shown = VISIBLE_FIGURES - strength.length;
  const earlier = curves.slice(0, -shown);
  const rest = [
    fold('Fits', fitsTable(generations)),
    poolTable(generations),
    fold('Prior', last === undefined ? '' : priorSection(model, last.fit, last.study)),
    ofStudy('Missing features', (found) =>
      sections.missingSection(model, found, studied?.after ?? generations[0].after),
    ),
    earlier.length === 0 ? '' : fold('Earlier learning curves', CURVE_NOTE, figures(earlier)),
    ofStudy('Suspicious values', (found) => sections.outlierSection(model, found)),
    ofStudy('Residuals', sections.residualSection),
    ...changes(model, generations),
    studied?.dataSummary === undefined ? '' : fold('Data', sections.dataSection(studied.dataSummary)),
    fold('Settings', definitions(settings)),
    fold('Provenance', ...generations.map(provenanceFold)),
  ];
  return reportPage(title, summary ?? sentence(generations), [
    finalParagraph(finalMatch),
    studied === undefined || study === undefined ? '' : sections.headline(studied.fit, study),
    figures([...strength, ...curves.slice(-shown)]),
    study === undefined ? '' : section('Next steps', sections.adviceList(model, study)),
    contents(rest),
    ...rest,
  ]);
}

const CURVE_NOTE = note('Change in error since the start of each fit. The table under Fits shows the errors.');

/** Returns a few sentences about the gain of the last fit. */
function sentence(generations: readonly GenerationReport[]): string {
  const last = generations.at(-1)?.fit;
  if (last === undefined) return '';
  if (last.claim?.isProven === false) return `${counted(last.games, 'games')}: ${last.claim.text}.`;
  const [before, after] = unseenErrors(last);
  const source = after === null ? 'train' : 'held-out';
  const [from, to] = after === null ? [last.startTrainLoss, last.trainLoss] : [before ?? 0, after];
  const verb = to < from ? 'lowered' : to > from ? 'raised' : 'did not change';
  const gain = last.claim == null ? '' : ` (${last.claim.text})`;
  const text = `${thousands(last.games)} games ${verb} the ${source} error: ${from.toFixed(5)} → ${to.toFixed(5)}${gain}.`;
  const cut = last.isInterrupted ? ` The fit was interrupted after ${counted(last.epochs, 'epochs')}.` : '';
  const averaged = last.averaged == null ? '' : ` The weights are the ${averageText(last.averaged)}.`;
  const rounds = last.leafRounds;
  const leaves = rounds === undefined ? '' : ` ${counted(rounds.rounds, 'leaf rounds')} followed.`;
  return text + leaves + cut + averaged;
}

const ITSELF: NonNullable<ReportData['level']> = { name: 'the start', start: { elo: 0, error: 0 } };

/** Returns the chart of strengths; no chart without matches. */
function eloFigure(generations: readonly GenerationReport[], { name: level, start } = ITSELF): string[] {
  const points = generations.flatMap(({ name, match, height, accepted = false }): EloPoint[] =>
    match === undefined ? [] : [{ name, elo: match.elo, error: match.eloError, ...height, accepted }],
  );
  if (points.length === 0) return [];
  const text = `Elo against ${level}, from all matches of the run combined; bars are 95 % intervals; hollow: not accepted.`;
  return [figure(eloChart([{ name: 'start', ...start, accepted: true }, ...points], level), text)];
}

/** Returns the results of the accepted generations against fixed opponents. */
function poolTable(generations: readonly GenerationReport[]): string {
  const played = generations.filter(({ pool = [] }) => pool.length > 0);
  const opponents = [...new Set(played.flatMap(({ pool = [] }) => pool.map(({ opponent }) => opponent)))];
  if (opponents.length === 0) return '';
  const rows = played.map(({ name, pool = [] }): Cell[] => [
    name,
    ...opponents.map((opponent) => {
      const found = pool.find((entry) => entry.opponent === opponent);
      // On a narrow page, the cell breaks between score and Elo only
      return found === undefined ? '–' : [score(found), elo(found)].map(unbroken).join(': ');
    }),
  ]);
  return fold('Against opponents outside the loop', htmlTable(['', ...opponents], rows));
}

function fitsTable(generations: readonly GenerationReport[]): string {
  const hasMatches = generations.some(({ accepted }) => accepted !== undefined);
  const hasUntouched = generations.some(isSelective);
  const hasLeafRounds = generations.some(({ fit }) => fit.leafRounds !== undefined);
  const heads = ['', 'games', 'positions', 'K', 'train', hasUntouched ? 'selection' : 'held-out'];
  heads.push(...(hasUntouched ? ['held-out'] : []), 'epochs', ...(hasLeafRounds ? ['leaf rounds'] : []));
  if (hasMatches) heads.push('match', 'Elo', 'LLR', 'verdict');
  const table = htmlTable(
    heads,
    generations.map((generation) => [
      ...fitCells(generation, hasUntouched),
      ...(hasLeafRounds ? [leafCell(generation)] : []),
      ...(hasMatches ? matchCells(generation) : []),
    ]),
  );
  return hasLeafRounds ? LEAF_NOTE + table : table;
}

const LEAF_NOTE = note(
  'Leaf rounds move the scores of the labels to the fitted weights and fit again. Their column shows the error against the recorded scores, held-out if there are held-out games. It may be higher than the error of the first fit.',
);

/** Returns whether some held-out games have been used to select the weights. */
const isSelective = ({ fit }: GenerationReport): boolean => fit.untouchedLoss !== undefined;

function fitCells({ name, fit }: GenerationReport, hasUntouched: boolean): Cell[] {
  return [
    ...[name, thousands(fit.games), thousands(fit.positions), fit.k.toFixed(3)],
    ...[sections.fall(fit.startTrainLoss, fit.trainLoss), sections.fall(fit.startHeldOutLoss, fit.heldOutLoss)],
    ...(hasUntouched ? [sections.fall(...unseenErrors(fit))] : []),
    `${fit.bestEpoch} of ${fit.epochs}`,
  ];
}

function leafCell({ fit: { leafRounds } }: GenerationReport): Cell {
  if (leafRounds === undefined) return '–';
  return `${leafRounds.rounds}: ${(leafRounds.heldOutLoss ?? leafRounds.trainLoss).toFixed(5)}`;
}

function matchCells({ match, accepted, verdict: said }: GenerationReport): Cell[] {
  const text = said ?? (accepted === true ? 'accepted' : 'rejected');
  const verdict = accepted === undefined ? '–' : { text, mark: accepted ? 'good' : 'bad' };
  if (match === undefined) return ['–', '–', '–', verdict];
  return [score(match), matchElo(match), match.llr.toFixed(2), verdict];
}

const curve = (generation: GenerationReport, isLast: boolean): string => {
  const { name, curve, fit } = generation;
  const games = isSelective(generation) ? '; held-out: only the games that selected the weights' : '';
  const caption = `${name}: change in error; best at epoch ${fit.bestEpoch} (dashed)${games}`;
  return figure(curveChart(curve, fit.bestEpoch), caption, isLast);
};

/** Returns the changes over the whole run: from the first start to the last accepted weights, or to the last fit if none was accepted. */
function changes(model: Model, generations: readonly GenerationReport[]): string[] {
  if (generations.length === 0) return [];
  const last = generations.findLast(({ accepted }) => accepted) ?? generations[generations.length - 1];
  const span = generations.length === 1 ? 'and after' : `${generations[0].name} and after ${last.name}`;
  return weightSections(model, `Before ${span}`, generations[0].before, last.after, last.study?.errors);
}

/** Returns the result of the final match as a paragraph; '' without a match. */
export function finalParagraph(match: FinalMatch | null = null): string {
  if (match === null) return '';
  const { wins, draws, losses, opponent, verdict } = match;
  const text = `${matchElo(match)} Elo against ${opponent} over ${wins + draws + losses} games (${score(match)})`;
  return `<p>${entities(verdict === undefined ? text : `${text}: ${verdict}`)}</p>`;
}

const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0');
const score = ({ wins, draws, losses }: Outcome): string => `+${wins} =${draws} −${losses}`;

const elo = ({ elo, eloError }: Outcome): string => `${signed(elo, 1)} ± ${eloError.toFixed(1)}`;

const matchElo = (match: MatchReport): string => `${elo(match)}${match.isEarly === true ? ' (stopped early)' : ''}`;

/** With this many data files or more, only their number is shown; the weights file lists them all. */
const MANY_FILES = 8;
/** Short lists and objects of the provenance, which fit on a line. */
const SHORT = /[[{][^[\]{}]{0,120}[\]}]/g;

/** Returns the provenance of weights as JSON in a collapsed section. */
export function provenanceFold({ name, after }: Pick<GenerationReport, 'name' | 'after'>): string {
  const shown = (key: string, value: unknown): unknown =>
    key === 'data' && Array.isArray(value) && value.length >= MANY_FILES
      ? `${value.length} files, listed in the weights file`
      : (value ?? undefined);
  const json = JSON.stringify(after.provenance, shown, 2).replace(SHORT, (part) => part.replace(/\s+/g, ' '));
  return `<details><summary>${entities(name)}</summary><pre>${entities(json).replaceAll('&quot;', '"')}</pre></details>`;
}
