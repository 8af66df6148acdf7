// compareTable() and comparePage(): a comparison of methods as a table for the terminal and as a page with a chart of error against time.

import { alignedLines } from '../../selfplay/common/live-display.js';
import { chart, line, numbers, numbersAcross } from '../../selfplay/web/charts.js';
import { figure, reportPage } from '../../selfplay/web/html.js';
import { type Comparison, watched } from '../fit/compare.js';
import type { CurvePoint } from '../fit/fit.js';

/** Lower end of the logarithmic scale of distances from the goal. */
const FLOOR = 1e-6;
const COLORS = ['#2463c9', '#cf5413', '#157a3c', '#8a3fb8', '#b3261e', '#00838f', '#8d6e00', '#5d6b7a', '#c2186b'];

/** Returns a header and one line per method: epochs, time, errors, and the time from which the error stays close to the goal. */
export function compareTable({ runs, tolerance }: Comparison): string {
  const heads = ['method', 'epochs', 'seconds', 'train', 'held-out', 'rounded', `within ${tolerance}`];
  const rows = runs.map(({ method, curve, seconds, train, heldOut, rounded, reached }) => [
    method,
    String(curve.length - 1),
    seconds.toFixed(2),
    train.toFixed(7),
    heldOut?.toFixed(7) ?? '–',
    watched(rounded).toFixed(7),
    reached === null ? 'never' : `${reached.seconds.toFixed(2)} s (epoch ${reached.epoch})`,
  ]);
  return alignedLines([heads, ...rows]).join('\n');
}

/** Returns the comparison as a page. */
export function comparePage(comparison: Comparison, title: string): string {
  const { runs, goal, tolerance } = comparison;
  const above = (point: CurvePoint): number => Math.max(FLOOR, watched(point) - goal);
  const series = runs.map(({ method, curve }, run) => {
    const points = curve.filter(({ epoch }) => epoch > 0);
    const data = points.map((point) => [Math.max(1e-3, point.seconds), above(point)]);
    return line(method, COLORS[run % COLORS.length], data, { showSymbol: curve.length < 60, symbolSize: 5 });
  });
  const drawn = chart({
    label: 'Error above the goal over time',
    width: 900,
    height: 460,
    legend: true,
    series,
    x: numbersAcross('seconds', { type: 'log' }),
    y: numbers('above the goal', { type: 'log', min: FLOOR, labels: { formatter: (v) => v.toExponential(0) } }),
  });
  const summary = `Goal: ${goal.toFixed(7)}, the final error of the method with the smallest train error. The last column of the table gives the time and the epoch from which the error stays within ${tolerance} of the goal.`;
  return reportPage(title, summary, [figure(drawn), `<pre>${compareTable(comparison)}</pre>`]);
}
