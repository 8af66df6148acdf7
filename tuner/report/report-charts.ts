// The report's charts: ECharts renders them to SVG text without a browser. Colours are CSS variables, which the page
// sets for its light and its dark scheme, so that one drawing serves both.

import { BarChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { CurvePoint } from '../fit/fit.js';

use([BarChart, LineChart, ScatterChart, CustomChart, GridComponent, LegendComponent, MarkLineComponent, SVGRenderer]);

export type Option = Parameters<ReturnType<typeof init>['setOption']>[0];

/** Draws an ECharts option as an SVG element that scales to its column. */
export function renderChart(option: Option, width: number, height: number, label: string): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption({ animation: false, textStyle: { fontFamily: 'inherit', color: 'var(--ink)' }, ...option });
  const svg = chart.renderToSVGString();
  chart.dispose();
  // A still picture needs no hover rules, and half of the text is theirs.
  const still = svg
    .replace(/<style[\s\S]*?<\/style>\s*/g, '')
    .replace(/ (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g, '')
    .replaceAll('font-family:inherit;', '');
  const frame = `<svg role="img" aria-label="${label}" style="width:100%;max-width:${width}px;height:auto" `;
  return still.replace('<svg ', frame);
}

export const MUTED = { color: 'var(--muted)', fontSize: 11 };

/** Axis in the page's quiet style. */
export function axis(name: string, more: object = {}): object {
  return {
    name,
    nameTextStyle: MUTED,
    axisLabel: MUTED,
    axisLine: { onZero: false, lineStyle: { color: 'var(--rule)' } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: 'var(--rule)' } },
    ...more,
  };
}

const CURVE_POINTS = 200;

/**
 * Returns the learning curve: how train and held-out error changed since the start, the best epoch marked. Changes,
 * because the two levels differ by chance, often by more than is learned.
 */
export function curveChart(curve: readonly CurvePoint[], bestEpoch: number): string {
  const every = Math.max(1, Math.ceil(curve.length / CURVE_POINTS));
  const points = curve.filter(({ epoch }) => epoch % every === 0 || epoch === curve.length - 1 || epoch === bestEpoch);
  const hasHeldOut = points.some(({ heldOut }) => heldOut !== null);
  const line = (name: string, color: string, data: unknown[]): object => ({
    name,
    type: 'line',
    showSymbol: false,
    lineStyle: { color, width: 2 },
    itemStyle: { color },
    data,
  });
  const best = {
    symbol: 'none',
    silent: true,
    lineStyle: { color: 'var(--muted)', type: 'dashed' },
    label: { formatter: `best ${bestEpoch}`, ...MUTED },
    data: [{ xAxis: bestEpoch }],
  };
  const train = line(
    'train',
    'var(--train)',
    points.map((point) => [point.epoch, point.train - curve[0].train]),
  );
  const heldOut = line(
    'held-out',
    'var(--held)',
    points.map((point) => [point.epoch, (point.heldOut ?? 0) - (curve[0].heldOut ?? 0)]),
  );
  const option = {
    grid: { left: 64, right: 32, top: 46, bottom: 36 },
    legend: { top: 0, left: 60, icon: 'roundRect', itemHeight: 3, textStyle: { color: 'var(--ink)' } },
    xAxis: axis('epoch', {
      type: 'value',
      nameLocation: 'middle',
      nameGap: 22,
      max: 'dataMax',
      axisLabel: { ...MUTED, hideOverlap: true, showMaxLabel: false },
      splitLine: { show: false },
    }),
    yAxis: axis('', {
      type: 'value',
      scale: true,
      axisLabel: { ...MUTED, formatter: (v: number) => v.toFixed(4) },
    }),
    series: [{ ...train, markLine: best }, ...(hasHeldOut ? [heldOut] : [])],
  };
  return renderChart(option, 460, 260, 'Learning curve: change of error by epoch');
}

/** Strength of one generation's candidate above the start of the run, as its match measured it. */
export interface EloPoint {
  name: string;
  elo: number;
  /** Half width of the 95 % interval of its own match. */
  error: number;
  accepted: boolean;
}

/** Returns Elo by generation with error bars; rejected candidates are hollow and off the line. */
export function eloChart(points: readonly EloPoint[]): string {
  const measured = ({ elo, error }: EloPoint): string => `${elo > 0 ? '+' : ''}${elo.toFixed(0)} ± ${error.toFixed(0)}`;
  const names = ['start', ...points.map((point) => `${point.name}\n${measured(point)}`)];
  const color = 'var(--train)';
  const option = {
    grid: { left: 56, right: 20, top: 28, bottom: 44 },
    xAxis: axis('', { type: 'category', data: names, splitLine: { show: false } }),
    yAxis: axis('Elo above the start', { type: 'value', nameTextStyle: { ...MUTED, align: 'left' } }),
    series: [
      {
        type: 'line',
        showSymbol: false,
        connectNulls: true,
        lineStyle: { color, width: 2 },
        data: [0, ...points.map(({ elo, accepted }) => (accepted ? elo : null))],
      },
      {
        type: 'custom',
        renderItem: errorBar,
        encode: { x: 0, y: [1, 2] },
        data: points.map(({ elo, error }, i) => [i + 1, elo - error, elo + error]),
      },
      {
        type: 'scatter',
        symbolSize: 9,
        data: [
          { value: [0, 0], itemStyle: { color } },
          ...points.map(({ elo, accepted }, i) => ({
            value: [i + 1, elo],
            itemStyle: { color: accepted ? color : 'var(--page)', borderColor: color, borderWidth: 2 },
          })),
        ],
      },
    ],
  };
  return renderChart(option as Option, 720, 300, 'Elo above the start by generation');
}

interface CustomApi {
  value(dimension: number): number;
  coord(point: number[]): number[];
}

/** Draws data [x, low, high] as upright error bars. */
export function errorBar(_: unknown, api: CustomApi): object {
  const [x, low] = api.coord([api.value(0), api.value(1)]);
  const [, high] = api.coord([api.value(0), api.value(2)]);
  const style = { stroke: 'var(--muted)', lineWidth: 1.5 };
  const line = (x1: number, y1: number, x2: number, y2: number): object => ({
    type: 'line',
    shape: { x1, y1, x2, y2 },
    style,
  });
  return {
    type: 'group',
    children: [line(x, low, x, high), line(x - 5, low, x + 5, low), line(x - 5, high, x + 5, high)],
  };
}
