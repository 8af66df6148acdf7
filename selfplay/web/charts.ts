// chart() and the parts of charts: axes, lines, dots, error bars. ECharts renders a chart to SVG text without a browser. Colours are CSS
// variables, which the page sets for its light and its dark scheme, so the same drawing fits both.

import { init } from './echarts.js';
import { entities } from './html.js';

/** The colours of the training and the held-out error, and of other series. */
export const BLUE = 'var(--train)';
export const ORANGE = 'var(--held)';
export const FAINT = 'var(--faint)';
export const MUTED = 'var(--muted)';

/** Text style of axes and labels. */
const SMALL = { color: MUTED, fontSize: 13 };

/** Margins around the axes in pixels. */
export const GRID = { left: 68, right: 28, top: 24, bottom: 44 };

export interface Chart {
  /** Text for screen readers. */
  label: string;
  x: object;
  y: object;
  series: readonly object[];
  width?: number;
  height?: number;
  grid?: Partial<typeof GRID>;
  /** Series in the legend; true for all with a name. */
  legend?: readonly string[] | true;
}

/** Returns the chart as an SVG element that scales to its column. */
export function chart({ label, x, y, series, width = 460, height = 300, grid, legend }: Chart): string {
  const top = legend === undefined ? GRID.top : 46;
  const names = legend === undefined || legend === true ? {} : { data: legend };
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption({
    animation: false,
    textStyle: { fontFamily: 'inherit', color: 'var(--ink)' },
    grid: { ...GRID, top, ...grid },
    ...(legend !== undefined && {
      legend: {
        top: 0,
        left: 56,
        itemGap: 22,
        icon: 'roundRect',
        itemHeight: 3,
        textStyle: { color: 'var(--ink)' },
        ...names,
      },
    }),
    xAxis: x,
    yAxis: y,
    series,
  } as Parameters<typeof chart.setOption>[0]);
  const svg = chart.renderToSVGString();
  chart.dispose();
  // Hover rules are half of the text and useless in a static picture
  const still = svg
    .replace(/<style[\s\S]*?<\/style>\s*/g, '')
    .replace(/ (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g, '')
    .replaceAll('font-family:inherit;', '');
  return slim(still).replace(
    '<svg ',
    `<svg role="img" aria-label="${entities(label)}" style="width:100%;max-width:${width}px;height:auto" `,
  );
}

/** Attributes shared by most texts and lines, moved to the root element. */
const SHARED = [
  [' dominant-baseline="central"', ' dominant-baseline="central"'],
  [' style="font-size:13px;"', ' font-size="13"'],
  [' fill="var(--muted)"', ' fill="var(--muted)"'],
  [' stroke-linejoin="bevel"', ' stroke-linejoin="bevel"'],
] as const;

/**
 * Returns a shorter text of the same drawing: without unpainted shapes, duplicate clip paths and closing tags of empty elements, and with
 * shared attributes at the root.
 */
function slim(svg: string): string {
  const clips = new Map<string, string>();
  const same = new Map<string, string>();
  // ECharts gives series with `clip: false` a clip path that begins above the picture
  const boundless = new Set<string>();
  const once = svg.replace(
    /<clipPath id="([^"]*)">\s*(<path [^>]*>)<\/path>\s*<\/clipPath>\s*/g,
    (all, id: string, path: string) => {
      if (/ d="M[\d.]+ -/.test(path)) {
        boundless.add(id);
        return '';
      }
      const first = clips.get(path);
      same.set(id, first ?? id);
      if (first !== undefined) return '';
      clips.set(path, id);
      return all;
    },
  );
  const isUnseen = (shape: string): boolean =>
    /stroke-opacity="0"/.test(shape) ||
    (/fill-opacity="0"/.test(shape) && /stroke-width="0"/.test(shape)) ||
    (/fill="none"/.test(shape) && !/stroke=/.test(shape));
  return once
    .replace(/<(?:path|rect) [^>]*><\/(?:path|rect)>\s*/g, (shape) => (isUnseen(shape) ? '' : shape))
    .replace(
      /<g clip-path="url\(#([^)]*)\)">((?:\s*<(?!\/?g\b)[^>]*>)*)\s*<\/g>/g,
      (all, id: string, shapes: string) => (boundless.has(id) ? shapes : all),
    )
    .replace(/<defs ?>\s*<\/defs>/g, '')
    .replace(/url\(#([^)]*)\)/g, (_, id: string) => `url(#${same.get(id) ?? id})`)
    .replace(/<g clip-path="[^"]*">\s*<\/g>\s*/g, '')
    .replace(/<\/g>\s*<g (clip-path="[^"]*")>/g, (all, clip: string, at: number, text: string) =>
      text.lastIndexOf(`<g ${clip}>`, at) > text.lastIndexOf('<g ', at) - 1 ? '' : all,
    )
    .replace(/><\/(?:path|rect)>/g, '/>')
    .replace(/<(?:text|path) [^>]*>/g, (shape) => SHARED.reduce((text, [own]) => text.replace(own, ''), shape))
    .replace('<svg ', `<svg${SHARED.map(([, whole]) => whole).join('')} `)
    .replace(/ (?:version|baseProfile|xmlns:xlink)="[^"]*"/g, '')
    .replace(/>\s+</g, '><')
    .replace(/(?:<path d="[^"]*" fill="none" stroke="var\(--rule\)"\/>){2,}/g, (lines) => {
      const places = [...lines.matchAll(/d="([^"]*)"/g)].map(([, place]) => place);
      return `<path d="${places.join('')}" fill="none" stroke="var(--rule)"/>`;
    });
}

interface AxisLabels {
  formatter?: (value: number) => string;
  [setting: string]: unknown;
}

function axis(name: string, { labels = {}, ...more }: { labels?: AxisLabels; [setting: string]: unknown }): object {
  return {
    name,
    nameTextStyle: SMALL,
    axisLabel: { ...SMALL, hideOverlap: true, ...labels },
    axisLine: { onZero: false, lineStyle: { color: 'var(--rule)' } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: 'var(--rule)' } },
    ...more,
  };
}

/** Returns a vertical axis of numbers with its name at the end. */
export const numbers = (name: string, more: Parameters<typeof axis>[1] = {}): object =>
  axis(name, { type: 'value', ...more });

/** Returns a horizontal axis of numbers with its name below. */
export const numbersAcross = (name: string, more: Parameters<typeof axis>[1] = {}): object =>
  numbers(name, { nameLocation: 'middle', nameGap: 24, ...more });

/** Returns an axis of names. */
export const names = (data: readonly string[], more: Parameters<typeof axis>[1] = {}): object =>
  axis('', { type: 'category', data, splitLine: { show: false }, ...more });

/** Returns an axis of names from top to bottom, in smaller type. */
export const namesDown = (data: readonly string[]): object =>
  names(data, { inverse: true, labels: { color: 'var(--ink)', fontSize: 12 } });

/** Returns a line without symbols. */
export const line = (name: string, color: string, data: readonly unknown[], more: object = {}): object => ({
  name,
  type: 'line',
  showSymbol: false,
  itemStyle: { color },
  lineStyle: { color, width: 2 },
  data,
  ...more,
});

/** Returns a thin dashed line. */
export const dashed = (name: string, color: string, data: readonly unknown[]): object =>
  line(name, color, data, { symbol: 'none', lineStyle: { color, width: 1, type: 'dashed' } });

export const dots = (color: string, data: readonly unknown[], symbolSize = 7): object => ({
  type: 'scatter',
  symbolSize,
  itemStyle: { color },
  data,
});

/** Returns a dashed rule across the chart at an x or y, with or without a label. */
export const ruleAt = (at: { xAxis: number } | { yAxis: number }, label = ''): { markLine: object } => ({
  markLine: {
    symbol: 'none',
    silent: true,
    precision: 8,
    data: [at],
    lineStyle: { color: MUTED, type: 'dashed' },
    // A label at the end of a horizontal line would extend beyond the picture
    label: { show: label !== '', formatter: label, ...('yAxis' in at && { position: 'insideEndTop' }), ...SMALL },
  },
});

interface CustomApi {
  value(dimension: number): number;
  coord(point: number[]): number[];
}

/** Returns error bars for data [position, low, high]: vertical at an x or, if `lying`, horizontal at a y. */
export function errorBars(data: readonly (readonly number[])[], lying = false): object {
  const renderItem = (_: unknown, api: CustomApi): object => {
    const end = (dimension: number): number[] => {
      const [at, value] = [api.value(0), api.value(dimension)];
      return api.coord(lying ? [value, at] : [at, value]);
    };
    const [[x1, y1], [x2, y2]] = [end(1), end(2)];
    return { type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: MUTED, lineWidth: 1.5 } };
  };
  const encode = lying ? { x: [1, 2], y: 0 } : { x: 0, y: [1, 2] };
  return { type: 'custom', renderItem, encode, data };
}
