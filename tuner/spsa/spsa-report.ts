// The report of a tuning run: one page without scripts or outside files, in the look of the tuner's other reports.

import { entities as escapeHtml } from '../report/html.js';
import { axis, MUTED, type Option, renderChart } from '../report/report-charts.js';
import { reportPage } from '../report/report-page.js';
import { type Advice, adviceOf, type Movement } from './advice.js';
import type { ClimbSettings } from './climb.js';
import type { Point } from './history.js';
import { signed } from './live-table.js';
import { gainAt } from './method.js';
import { formatVariable, shortNumber } from './variable.js';

export interface SpsaReport {
  title: string;
  summary: string;
  climb: ClimbSettings;
  points: readonly Point[];
  /** What else belongs to the run: engine, limits, openings. */
  settings: Readonly<Record<string, unknown>>;
  /** Facts of the run, such as its games, as text by name. */
  facts: Readonly<Record<string, string>>;
}

/** Returns the report as the text of an HTML file. */
export function renderSpsaReport({ title, summary, climb, points, settings, facts }: SpsaReport): string {
  const advice = adviceOf(climb, points);
  const { variables, ...method } = climb;
  const sections = [
    section('What next', list(advice.sentences)),
    section('Values', `${VALUES_NOTE}${table(advice.movements, climb)}`),
    section('Distance from the start', `${DISTANCE_NOTE}${distanceChart(climb, points)}`),
    section(
      'Trajectories',
      `<div class="curves">${variables.map((_, i) => trajectory(climb, points, i)).join('\n')}</div>`,
    ),
    section('OpenBench input from here', `<pre>${escapeHtml(openBenchLines(climb, advice).join('\n'))}</pre>`),
    section('Settings', definitions({ ...method, ...settings })),
  ];
  const body = [tiles({ ...facts, ...tileFacts(advice) }), ...sections].join('\n');
  return reportPage(title, summary, body);
}

/** Returns the variables from where they stand, as OpenBench's SPSA input has them. */
export function openBenchLines({ variables }: ClimbSettings, { movements }: Advice): string[] {
  return variables.map((variable, i) => formatVariable(variable, movements[i].now));
}

const VALUES_NOTE = `<p class="note">Moved: from the start in units of c. Signal: the same in standard deviations of a random walk of
the run's own steps, over the whole run and over its second half; beyond ±2 it is hardly chance. The mean is over the second half.</p>`;

const DISTANCE_NOTE = `<p class="note">Root mean square over the variables in units of c, beside what random walks of the same steps
would come to: a run without a signal stays on the dashed line.</p>`;

const section = (title: string, body: string): string => `<section><h2>${title}</h2>\n${body}\n</section>`;

const list = (sentences: readonly string[]): string =>
  `<ul class="advice">${sentences.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`;

const tileFacts = ({ distance, signal, lateSignal }: Advice): Record<string, string> => ({
  'c from the start': distance.toFixed(2),
  'sd beyond a random walk': `${signed(signal, 1)}`,
  'sd in the second half': `${signed(lateSignal, 1)}`,
});

function tiles(facts: Readonly<Record<string, string>>): string {
  const boxes = Object.entries(facts).map(
    ([name, value]) => `<div><b>${escapeHtml(value)}</b><span>${escapeHtml(name)}</span></div>`,
  );
  return `<div class="tiles">${boxes.join('')}</div>`;
}

function table(movements: readonly Movement[], climb: ClimbSettings): string {
  const heads = ['', 'start', 'now', 'mean', 'moved', 'signal', 'late', 'range', 'c first', 'c last', 'rate last'];
  const rows = movements.map(({ name, start, now, mean, moved, signal, lateSignal }, i) => {
    const variable = climb.variables[i];
    const [first, last] = [1, climb.iterations].map((k) => gainAt(variable, climb, k));
    const cells = [
      ...[name, shortNumber(start), now.toFixed(3), mean.toFixed(3), `${signed(moved, 2)} c`],
      ...[signed(signal, 1), signed(lateSignal, 1), `${variable.min} … ${variable.max}`],
      ...[shortNumber(first.c), shortNumber(last.c), shortNumber(last.rate)],
    ];
    const mark = Math.abs(signal) >= 2 ? ' class="good"' : '';
    return `<tr>${cells.map((text, column) => `<td${column === 5 ? mark : ''}>${escapeHtml(text)}</td>`).join('')}</tr>`;
  });
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function distanceChart({ variables }: ClimbSettings, points: readonly Point[]): string {
  const rms = (value: (point: Point, i: number) => number): number[][] =>
    points.map((point) => {
      const sum = variables.reduce((total, _, i) => total + value(point, i), 0);
      return [point.iteration, Math.sqrt(sum / variables.length)];
    });
  const moved = rms(({ values }, i) => ((values[i] - variables[i].start) / variables[i].cEnd) ** 2);
  const walk = rms((point, i) => point.walk[i]);
  const option = {
    grid: { left: 56, right: 20, top: 40, bottom: 40 },
    legend: { top: 0, left: 50, icon: 'roundRect', itemHeight: 3, textStyle: { color: 'var(--ink)' } },
    xAxis: iterationAxis(),
    yAxis: axis('', { type: 'value', axisLabel: MUTED }),
    series: [
      line('distance', 'var(--train)', moved),
      { ...line('random walk', 'var(--muted)', walk), lineStyle: { color: 'var(--muted)', type: 'dashed' } },
    ],
  };
  return renderChart(option as Option, 720, 300, 'Distance from the start in units of c by iteration');
}

// One variable; the band is two standard deviations of a random walk either side of the start
function trajectory({ variables }: ClimbSettings, points: readonly Point[], i: number): string {
  const { name, start, cEnd } = variables[i];
  const edge = (sign: number): number[][] =>
    points.map(({ iteration, walk }) => [iteration, start + sign * 2 * cEnd * Math.sqrt(walk[i])]);
  const faint = (data: number[][]): object => ({
    ...line('', 'var(--faint)', data),
    lineStyle: { color: 'var(--faint)', type: 'dashed', width: 1 },
  });
  const option = {
    grid: { left: 56, right: 24, top: 16, bottom: 36 },
    xAxis: iterationAxis(),
    yAxis: axis('', { type: 'value', scale: true, axisLabel: MUTED }),
    series: [
      faint(edge(1)),
      faint(edge(-1)),
      line(
        name,
        'var(--train)',
        points.map(({ iteration, values }) => [iteration, values[i]]),
      ),
    ],
  };
  const chart = renderChart(option as Option, 460, 220, `Values of ${escapeHtml(name)} by iteration`);
  return `<figure>${chart}<figcaption>${escapeHtml(name)}</figcaption></figure>`;
}

const line = (name: string, color: string, data: number[][]): object => ({
  ...{ name, type: 'line', showSymbol: false, itemStyle: { color }, lineStyle: { color, width: 2 } },
  ...{ data: thinned(data) },
});

const CHART_POINTS = 250;

function thinned(data: number[][]): number[][] {
  const every = Math.max(1, Math.ceil(data.length / CHART_POINTS));
  return data.filter((_, i) => i % every === 0 || i === data.length - 1);
}

const iterationAxis = (): object =>
  axis('iteration', {
    ...{ type: 'value', nameLocation: 'middle', nameGap: 22, max: 'dataMax', splitLine: { show: false } },
    axisLabel: { ...MUTED, hideOverlap: true },
  });

function definitions(values: Readonly<Record<string, unknown>>): string {
  const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const items = Object.entries(values).map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(text(value))}</dd>`,
  );
  return `<dl>${items.join('')}</dl>`;
}
