// curveChart(), eloChart() and arrayChart(): the charts of a fit or a loop, namely the learning curve, Elo by generation, and arrays of
// values with their errors.

import { signed } from '../../selfplay/common/wording.js';
import * as charts from '../../selfplay/web/charts.js';
import type { CurvePoint } from '../fit/fit.js';

const { BLUE, chart, dashed, dots, errorBars, line, names, numbers, numbersAcross, ORANGE, ruleAt } = charts;

const CURVE_POINTS = 64;

/**
 * Returns a chart of the changes in train and held-out error since the start, with a dashed rule at the best epoch. It shows changes,
 * because the levels of the two errors differ by chance, often by more than the gain.
 */
export function curveChart(curve: readonly CurvePoint[], bestEpoch: number): string {
  const every = Math.max(1, Math.ceil(curve.length / CURVE_POINTS));
  const points = curve.filter(({ epoch }) => epoch % every === 0 || epoch === curve.length - 1 || epoch === bestEpoch);
  const train = points.map((point) => [point.epoch, point.train - curve[0].train]);
  const heldOut = points.map((point) => [point.epoch, (point.heldOut ?? 0) - (curve[0].heldOut ?? 0)]);
  return chart({
    label: 'Learning curve: change in error by epoch',
    height: 260,
    legend: true,
    x: numbersAcross('epoch', {
      max: 'dataMax',
      minInterval: 1,
      labels: { showMaxLabel: false },
      splitLine: { show: false },
    }),
    y: numbers('change in error', { scale: true, labels: { formatter: (value) => value.toFixed(4) } }),
    series: [
      line('train', BLUE, train, ruleAt({ xAxis: bestEpoch })),
      ...(points.some((point) => point.heldOut !== null) ? [line('held-out', ORANGE, heldOut)] : []),
    ],
  });
}

/** Strength of the start, a generation or an opponent in Elo. */
export interface EloPoint {
  name: string;
  elo: number;
  /** Half-width of the 95 % interval. */
  error: number;
  accepted: boolean;
}

/**
 * Returns a chart of the Elo of each generation against `level`, with error bars, and with the figures below the names unless `isBare` is
 * set. Points that are not accepted are hollow and not on the line.
 */
export function eloChart(points: readonly EloPoint[], level: string, isBare = false): string {
  const written = ({ elo, error }: EloPoint): string =>
    isBare || error === 0 ? '' : `\n${signed(elo)} ± ${error.toFixed(0)}`;
  const ticks = points.map((point) => `${point.name}${written(point)}`);
  const marks = points.map(({ elo, accepted }, i) => ({
    value: [i, elo],
    itemStyle: { color: accepted ? BLUE : 'var(--page)', borderColor: BLUE, borderWidth: 2 },
  }));
  const accepted = points.map((point) => (point.accepted ? point.elo : null));
  return chart({
    label: `Elo against ${level} by generation`,
    height: 260,
    x: names(ticks),
    y: numbers(`Elo against ${level}`),
    series: [
      line('', BLUE, accepted, { connectNulls: true }),
      errorBars(points.map(({ elo, error }, i) => [i, elo - error, elo + error])),
      dots(BLUE, marks, 9),
    ],
  });
}

/** The values of an array in one phase, and their standard errors (NaN if unknown). */
export interface ArraySeries {
  before: number[];
  after: number[];
  errors: number[];
}

/** Returns an array term as curves: the new values with a band of ±2 standard errors, and the old values dashed. */
export function arrayChart(
  name: string,
  columns: readonly string[],
  middlegame: ArraySeries,
  endgame: ArraySeries,
): string {
  const both = ({ before, after, errors }: ArraySeries, label: string, color: string): object[] => {
    const width = errors.map((error) => (Number.isFinite(error) ? 2 * error : 0));
    // A band is an invisible line at its lower edge with its height stacked on it
    const edge = { stack: label, stackStrategy: 'all', lineStyle: { opacity: 0 }, silent: true };
    const low = after.map((value, i) => value - width[i]);
    const height = width.map((value) => 2 * value);
    const area = { ...edge, areaStyle: { color, opacity: 0.18 } };
    const band = [line('', color, low, edge), line('', color, height, area)];
    // The lines are not clipped, because they are within the axes, and a page has a hundred such charts
    return [
      ...(width.some((value) => value > 0) ? band : []),
      { ...dashed(`${label} before`, color, before), clip: false },
      line(label, color, after, { showSymbol: after.length === 1, clip: false }),
    ];
  };
  return chart({
    label: `${name}: values with their errors`,
    height: 180,
    x: names(columns),
    y: numbers('', { scale: true, splitNumber: 3 }),
    series: [...both(middlegame, 'middlegame', BLUE), ...both(endgame, 'endgame', ORANGE)],
  });
}
