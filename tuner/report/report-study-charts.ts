// The charts of a study: calibration, error by number of games, what is missing, residuals, arrays of values with their
// errors, and the portrait of the data.

import type { CalibrationBin, ResidualGroup } from '../study/residuals.js';
import type { Study } from '../study/study.js';
import { isClear } from '../study/study-text.js';
import type { Portrait } from '../trace/portrait.js';
import { axis, errorBar, MUTED, type Option, renderChart } from './report-charts.js';

const TRAIN = 'var(--train)';
const HELD = 'var(--held)';
const legend = { top: 0, left: 60, icon: 'roundRect', itemHeight: 3, textStyle: { color: 'var(--ink)' } };
const dots = (color: string, data: unknown[], size = 7): object => ({
  type: 'scatter',
  symbolSize: size,
  itemStyle: { color },
  data,
});
const bars = (data: unknown[]): object => ({ type: 'custom', renderItem: errorBar, encode: { x: 0, y: [1, 2] }, data });

/** Returns what positions scored against what was expected of them, with 95 % intervals. */
export function calibrationChart(bins: readonly CalibrationBin[]): string {
  const option = {
    grid: { left: 56, right: 24, top: 24, bottom: 40 },
    xAxis: axis('expected score', { type: 'value', min: 0, max: 1, nameLocation: 'middle', nameGap: 24 }),
    yAxis: axis('scored', { type: 'value', min: 0, max: 1 }),
    series: [
      {
        type: 'line',
        showSymbol: false,
        lineStyle: { color: 'var(--muted)', type: 'dashed', width: 1 },
        data: [
          [0, 0],
          [1, 1],
        ],
      },
      bars(bins.map(({ expected, scored, error }) => [expected, clamp(scored - 2 * error), clamp(scored + 2 * error)])),
      dots(
        TRAIN,
        bins.map(({ expected, scored }) => [expected, scored]),
      ),
    ],
  };
  return renderChart(option as never, 460, 300, 'Calibration: scored against expected');
}

const clamp = (value: number): number => Math.max(0, Math.min(1, value));

/** Returns train and held-out error of fits to growing numbers of games, with the fitted curve and its limit. */
export function dataChart({ points, limit, slope, wanted }: NonNullable<Study['dataCurve']>): string {
  const last = points[points.length - 1].games;
  const end = Math.max(2 * last, Math.min(wanted ?? last, 8 * last));
  const curve = Array.from({ length: 60 }, (_, i) => points[0].games * (end / points[0].games) ** (i / 59));
  const line = (name: string, color: string, data: unknown[], more: object = {}): object => ({
    name,
    type: 'line',
    symbolSize: 7,
    itemStyle: { color },
    lineStyle: { color, width: 2 },
    data,
    ...more,
  });
  const option = {
    grid: { left: 64, right: 28, top: 46, bottom: 40 },
    legend: { ...legend, data: ['train', 'held-out'] },
    xAxis: axis('training games', {
      type: 'log',
      min: Math.floor(points[0].games / 1.2),
      max: Math.ceil(end * 1.1),
      nameLocation: 'middle',
      nameGap: 24,
      splitLine: { show: false },
      axisLabel: {
        ...MUTED,
        formatter: (games: number) => Math.round(games).toLocaleString('en-US'),
        hideOverlap: true,
      },
    }),
    yAxis: axis('', { type: 'value', scale: true, axisLabel: { ...MUTED, formatter: (v: number) => v.toFixed(4) } }),
    series: [
      line(
        'train',
        TRAIN,
        points.map(({ games, train }) => [games, train]),
      ),
      line(
        'expected',
        HELD,
        curve.map((games) => [games, limit + slope / games]),
        {
          showSymbol: false,
          lineStyle: { color: HELD, width: 1.5, type: 'dashed' },
          markLine: {
            symbol: 'none',
            silent: true,
            precision: 8,
            lineStyle: { color: 'var(--muted)', type: 'dotted' },
            label: { formatter: 'limit', position: 'insideStartTop', ...MUTED },
            data: [{ yAxis: limit }],
          },
        },
      ),
      {
        ...line('held-out', HELD, []),
        data: points.map(({ games, heldOut }) => [games, heldOut]),
        lineStyle: { width: 0 },
      },
    ],
  };
  return renderChart(option as never, 460, 300, 'Error by number of games');
}

/** Returns by how much the error would fall with each missing feature, the most useful on top. */
export function missingChart(missing: Study['missing']): string {
  const shown = missing.filter(({ gain }) => gain > 0).slice(0, 14);
  const height = 50 + 24 * shown.length;
  const option = {
    grid: { left: 310, right: 60, top: 8, bottom: 36 },
    xAxis: axis('fall of the error', {
      type: 'value',
      nameLocation: 'middle',
      nameGap: 22,
      axisLabel: { ...MUTED, hideOverlap: true },
    }),
    yAxis: axis('', {
      type: 'category',
      inverse: true,
      data: shown.map(({ name, phase }) => `${name}, ${phase}`),
      axisLabel: { color: 'var(--ink)', fontSize: 12 },
      splitLine: { show: false },
    }),
    series: [
      {
        type: 'bar',
        barWidth: 13,
        data: shown.map((entry) => ({
          value: entry.gain,
          itemStyle: { color: isClear(entry) ? TRAIN : 'var(--faint)', borderRadius: [0, 3, 3, 0] },
        })),
        label: {
          show: true,
          position: 'right',
          formatter: ({ value }: { value: number }) => value.toFixed(5),
          ...MUTED,
        },
      },
    ],
  };
  return renderChart(option as never, 620, height, 'What is missing, by the fall of the error');
}

/** Returns mean residuals with 95 % intervals; those clear of zero are coloured. */
export function residualChart(groups: readonly ResidualGroup[], label: string): string {
  const names = groups.map(({ group }) => group);
  const left = 20 + 6.6 * Math.max(8, ...names.map((name) => name.length));
  const option = {
    grid: { left, right: 30, top: 8, bottom: 36 },
    xAxis: axis('result − expectation', {
      type: 'value',
      nameLocation: 'middle',
      nameGap: 22,
      axisLabel: { ...MUTED, hideOverlap: true },
    }),
    yAxis: axis('', {
      type: 'category',
      inverse: true,
      data: names,
      axisLabel: { color: 'var(--ink)', fontSize: 12 },
      splitLine: { show: false },
    }),
    series: [
      {
        type: 'custom',
        renderItem: lyingBar,
        encode: { x: [1, 2], y: 0 },
        data: groups.map(({ mean, error }, i) => [i, mean - 2 * error, mean + 2 * error]),
      },
      {
        type: 'scatter',
        symbolSize: 8,
        data: groups.map(({ mean, error }, i) => ({
          value: [mean, i],
          itemStyle: { color: Math.abs(mean) > 2 * error ? HELD : 'var(--faint)' },
        })),
        markLine: {
          symbol: 'none',
          silent: true,
          label: { show: false },
          lineStyle: { color: 'var(--muted)', type: 'dashed' },
          data: [{ xAxis: 0 }],
        },
      },
    ],
  };
  return renderChart(option as never, 460, 50 + 22 * groups.length, label);
}

interface CustomApi {
  value(dimension: number): number;
  coord(point: number[]): number[];
}

function lyingBar(_: unknown, api: CustomApi): object {
  const [low, y] = api.coord([api.value(1), api.value(0)]);
  const [high] = api.coord([api.value(2), api.value(0)]);
  return {
    type: 'line',
    shape: { x1: low, y1: y, x2: high, y2: y },
    style: { stroke: 'var(--muted)', lineWidth: 1.5 },
  };
}

/** An array of values by index, both phases, with standard errors where known. */
export interface ArraySeries {
  before: number[];
  after: number[];
  errors: number[];
}

/** Returns an array term as curves: after with its band of two standard errors, before dashed. */
export function arrayChart(name: string, middlegame: ArraySeries, endgame: ArraySeries): string {
  const line = (label: string, color: string, data: number[], more: object = {}): object => ({
    name: label,
    type: 'line',
    symbolSize: 5,
    itemStyle: { color },
    lineStyle: { color, width: 2 },
    data,
    ...more,
  });
  // A band is the line of its lower edge, unseen, and its height stacked upon it
  const band = ({ after, errors }: ArraySeries, color: string, stack: string): object[] => {
    const width = errors.map((error) => (Number.isFinite(error) ? 2 * error : 0));
    const edge = { stack, stackStrategy: 'all', symbol: 'none', lineStyle: { opacity: 0 }, silent: true };
    return [
      line(
        '',
        color,
        after.map((value, i) => value - width[i]),
        edge,
      ),
      line(
        '',
        color,
        width.map((value) => 2 * value),
        { ...edge, areaStyle: { color, opacity: 0.18 } },
      ),
    ];
  };
  const both = (series: ArraySeries, label: string, color: string): object[] => [
    ...band(series, color, label),
    line(`${label} before`, color, series.before, { symbol: 'none', lineStyle: { color, width: 1, type: 'dashed' } }),
    line(label, color, series.after),
  ];
  const option = {
    grid: { left: 48, right: 16, top: 40, bottom: 28 },
    legend: { ...legend, left: 48, data: ['middlegame', 'endgame'] },
    xAxis: axis('', { type: 'category', data: middlegame.after.map((_, i) => String(i)), splitLine: { show: false } }),
    yAxis: axis('', { type: 'value', scale: true }),
    series: [...both(middlegame, 'middlegame', TRAIN), ...both(endgame, 'endgame', HELD)],
  };
  return renderChart(option as never, 460, 260, `${name}: values with their errors`);
}

/** Returns histograms of the data: length, phase, men, material. */
export function portraitCharts({ lengths, phases, men, balance }: Portrait): string[] {
  const last = (counts: number[]): number => counts.findLastIndex((count) => count > 0) + 1;
  const first = (counts: number[]): number =>
    Math.max(
      0,
      counts.findIndex((count) => count > 0),
    );
  const half = (balance.length - 1) / 2;
  const figures: [string, string[], number[]][] = [
    ['plies of a game', lengths.map((_, i) => String(20 * i)).slice(0, last(lengths)), lengths.slice(0, last(lengths))],
    ['phase (24: all pieces)', phases.map((_, i) => String(i)), phases],
    ['men on the board', men.map((_, i) => String(i)).slice(first(men)), men.slice(first(men))],
    ['White ahead by pawns', balance.map((_, i) => edge(i - half, half)), balance],
  ];
  return figures
    .filter(([, , counts]) => counts.some((count) => count > 0))
    .map(([name, labels, counts]) => {
      const option = {
        grid: { left: 50, right: 12, top: 12, bottom: 40 },
        xAxis: axis(name, {
          type: 'category',
          data: labels,
          nameLocation: 'middle',
          nameGap: 24,
          splitLine: { show: false },
        }),
        yAxis: axis('', { type: 'value', splitNumber: 3, axisLabel: { ...MUTED, formatter: short } }),
        series: [
          { type: 'bar', barCategoryGap: '15%', itemStyle: { color: TRAIN, borderRadius: [2, 2, 0, 0] }, data: counts },
        ],
      } as Option;
      return renderChart(option, 340, 200, `Histogram: ${name}`);
    });
}

const edge = (value: number, limit: number): string =>
  value === -limit ? `≤−${limit}` : value === limit ? `≥${limit}` : String(value).replace('-', '−');

const short = (count: number): string =>
  count >= 1e6 ? `${count / 1e6}M` : count >= 1e3 ? `${count / 1e3}k` : String(count);
