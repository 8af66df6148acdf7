// The charts of a study: calibration, error by number of games, missing features, residuals; and the histograms of the data.

import { thousands, withMinus } from '../../selfplay/common/wording.js';
import * as charts from '../../selfplay/web/charts.js';
import type { CalibrationBin, ResidualGroup } from '../study/residuals.js';
import type { Study } from '../study/study.js';
import { isWorthAdding } from '../study/summary.js';
import type { DataSummary } from '../trace/data-summary.js';

const { BLUE, chart, dashed, dots, errorBars, FAINT, line, MUTED, names, namesDown, numbers, numbersAcross } = charts;
const { ORANGE, ruleAt } = charts;

/** Returns a chart of the actual scores of positions by expected score, with 95 % intervals. */
export function calibrationChart(bins: readonly CalibrationBin[]): string {
  const clamp = (value: number): number => Math.max(0, Math.min(1, value));
  const bars = bins.map(({ expected, scored, error }) => [
    expected,
    clamp(scored - 2 * error),
    clamp(scored + 2 * error),
  ]);
  const points = bins.map(({ expected, scored }) => [expected, scored]);
  const diagonal = [0, 1].map((score) => [score, score]);
  return chart({
    label: 'Calibration: scored against expected',
    x: numbersAcross('expected score', { min: 0, max: 1 }),
    y: numbers('scored', { min: 0, max: 1 }),
    series: [dashed('', MUTED, diagonal), errorBars(bars), dots(BLUE, points)],
  });
}

/** Returns a chart of the train and held-out errors of fits to growing numbers of games, with the fitted curve and its limit. */
export function dataChart({ points, limit, slope, wanted }: NonNullable<Study['dataCurve']>): string {
  const last = points[points.length - 1].games;
  const end = Math.max(2 * last, Math.min(wanted ?? last, 8 * last));
  const curve = Array.from({ length: 60 }, (_, i) => points[0].games * (end / points[0].games) ** (i / 59));
  const expected = curve.map((games) => [games, limit + slope / games]);
  const train = points.map((point) => [point.games, point.train]);
  const heldOut = points.map((point) => [point.games, point.heldOut]);
  return chart({
    label: 'Error by number of games',
    legend: ['train', 'held-out'],
    x: numbersAcross('training games', {
      type: 'log',
      min: Math.floor(points[0].games / 1.2),
      max: Math.ceil(end * 1.1),
      splitLine: { show: false },
      labels: { formatter: (games) => thousands(Math.round(games)) },
    }),
    y: numbers('error', { scale: true, labels: { formatter: (value) => value.toFixed(4) } }),
    series: [
      line('train', BLUE, train, { showSymbol: true, symbolSize: 7 }),
      { ...dashed('expected', ORANGE, expected), ...ruleAt({ yAxis: limit }, 'limit') },
      line('held-out', ORANGE, heldOut, { showSymbol: true, symbolSize: 7, lineStyle: { width: 0 } }),
    ],
  });
}

/** Returns a chart of the decrease in error from each missing feature, with the most useful one on top. */
export function missingChart(missing: Study['missing']): string {
  const bars = missing.map((entry) => ({
    value: entry.gain,
    itemStyle: { color: isWorthAdding(entry) ? BLUE : FAINT, borderRadius: [0, 3, 3, 0] },
  }));
  const formatter = ({ value }: { value: number }): string => value.toFixed(5);
  return chart({
    label: 'Missing features by decrease in error',
    width: 620,
    height: 50 + 24 * missing.length,
    grid: { left: 310, right: 60, top: 8 },
    x: numbersAcross('decrease in error'),
    y: namesDown(missing.map(({ name, phase }) => `${name}, ${phase}`)),
    series: [
      { type: 'bar', barWidth: 13, data: bars, label: { show: true, position: 'right', formatter, color: MUTED } },
    ],
  });
}

/** Returns a chart of mean residuals with 95 % intervals. Residuals significantly different from zero are coloured. */
export function residualChart(groups: readonly ResidualGroup[], label: string): string {
  const bars = groups.map(({ mean, error }, i) => [i, mean - 2 * error, mean + 2 * error]);
  const marks = groups.map(({ mean, error }, i) => ({
    value: [mean, i],
    itemStyle: { color: Math.abs(mean) > 2 * error ? ORANGE : FAINT },
  }));
  return chart({
    label,
    height: 50 + 22 * groups.length,
    grid: { left: 20 + 6.6 * Math.max(8, ...groups.map(({ group }) => group.length)), top: 8 },
    x: numbersAcross('result − expectation'),
    y: namesDown(groups.map(({ group }) => group)),
    series: [errorBars(bars, true), { ...dots(FAINT, marks, 8), ...ruleAt({ xAxis: 0 }) }],
  });
}

/** Returns histograms of the data: length, phase, men, material. */
export function dataCharts({ lengths, phases, men, balance }: DataSummary): string[] {
  const end = lengths.findLastIndex((games) => games > 0) + 1;
  const fewest = men.findIndex((positions) => positions > 0);
  const half = (balance.length - 1) / 2;
  const histograms: [string, string[], number[]][] = [
    ['plies of a game', lengths.slice(0, end).map((_, i) => String(20 * i)), lengths.slice(0, end)],
    ['phase (24: all pieces)', phases.map((_, i) => String(i)), phases],
    ['men on the board', men.map((_, i) => String(i)).slice(fewest), men.slice(fewest)],
    ["White's lead in pawns", balance.map((_, i) => atMost(i - half, half)), balance],
  ];
  return histograms
    .filter(([, , counts]) => counts.some((value) => value > 0))
    .map(([name, labels, data]) =>
      chart({
        label: `Histogram: ${name}`,
        width: 340,
        height: 200,
        x: names(labels, { name, nameLocation: 'middle', nameGap: 24 }),
        y: numbers(name.startsWith('plies') ? 'games' : 'positions', { splitNumber: 3, labels: { formatter: short } }),
        series: [{ type: 'bar', barCategoryGap: '15%', itemStyle: { color: BLUE, borderRadius: [2, 2, 0, 0] }, data }],
      }),
    );
}

const atMost = (value: number, limit: number): string =>
  value === -limit ? `≤−${limit}` : value === limit ? `≥${limit}` : withMinus(value);

const short = (value: number): string =>
  value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : String(value);
