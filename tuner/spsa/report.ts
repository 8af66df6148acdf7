// renderSpsaReport(): the report of a tuning run as one self-contained page without scripts.

import { signed, thousands } from '../../selfplay/common/wording.js';
import { describeLimits } from '../../selfplay/games/clock.js';
import { BLUE, chart, dashed, FAINT, line, MUTED, numbers, numbersAcross } from '../../selfplay/web/charts.js';
import * as page from '../../selfplay/web/html.js';
import { gainAt } from './method.js';
import { openBenchLines, type SpsaResult } from './result.js';
import type { Spsa, SpsaSettings, TrajectoryPoint } from './spsa.js';
import { optimumRows } from './terminal.js';
import { fixedNumber, shortNumber } from './variable.js';

type Cell = page.Cell;
const { definitions, entities, figure, figures, htmlList, note, reportPage, section, htmlTable, tiles } = page;

/** Returns the report as the text of an HTML file. */
export function renderSpsaReport({ settings, trajectory }: Spsa, result: SpsaResult, summary: string): string {
  const { points } = trajectory;
  const { variables, ...method } = settings;
  const { engine, weights, program, limits, games, iterations: done, advice } = result;
  const facts = tiles([
    [thousands(games), 'games'],
    [thousands(done), 'iterations'],
    [thousands(variables.length), 'variables'],
    [advice.distance.toFixed(2), 'c from the start'],
    [signed(advice.signal, 1), 'sd beyond a random walk'],
    [signed(advice.lateSignal, 1), 'sd in the second half'],
  ]);
  const played = {
    engine: engine ?? `heft, weights ${weights?.name ?? 'none'}`,
    program,
    limits: limits === null ? 'simulated' : describeLimits(limits),
  };
  return reportPage(`Heft SPSA: ${settings.method}`, summary, [
    facts,
    section('Next steps', htmlList(advice.sentences)),
    section('Values', note(VALUES_NOTE), values(result)),
    section('Optimum', note(OPTIMUM_NOTE), htmlTable(OPTIMUM_HEADS, optimumRows(result)), validations(result)),
    section('Distance from the start', note(DISTANCE_NOTE), figure(distanceChart(settings, points))),
    section('Trajectories', figures(variables.map((_, i) => trajectoryOf(settings, points, i)))),
    section('OpenBench input', `<pre>${entities(openBenchLines(result).join('\n'))}</pre>`),
    section('Settings', definitions({ ...method, ...played })),
  ]);
}

const VALUES_NOTE = `Moved: distance from the start in units of c. Signal: the same in standard deviations of a random walk with
the run's steps, over the whole run and over its second half; beyond ±2 it is unlikely to be chance. The mean is over the second half.`;

const OPTIMUM_NOTE = `Quadratic fit to all pairs, separately for each variable, with a 95 % interval. If no
maximum is found, or the interval has an open end, use more games or a larger c. The joint optimum of variables that
depend on each other differs from their separate optima.`;
const OPTIMUM_HEADS = ['', 'now', 'optimum', 'interval'];

function validations({ validations: matches = [] }: SpsaResult): string {
  if (matches.length === 0) return '';
  const rows = matches.map(({ iteration, games, elo, eloError, penta }): Cell[] => [
    thousands(iteration),
    thousands(games),
    `${signed(elo, 1)} ± ${eloError.toFixed(1)}`,
    penta.join(', '),
  ]);
  return htmlTable(['after iteration', 'games', 'Elo against the start', 'pairs LL to WW'], rows);
}

const DISTANCE_NOTE = `Root mean square over the variables in units of c. The dashed line is the expectation for random walks with the same steps:
a run without a signal stays close to it.`;

function values({ values: movements, spsa }: SpsaResult): string {
  const heads = ['', 'start', 'now', 'mean', 'moved', 'signal', 'late', 'range', 'c first', 'c last', 'rate last'];
  const rows = movements.map(({ name, start, now, mean, moved, signal, lateSignal }, i): Cell[] => {
    const variable = spsa.variables[i];
    const [first, last] = [1, spsa.iterations].map((k) => gainAt(variable, spsa, k));
    const text = signed(signal, 1);
    return [
      ...[name, shortNumber(start, variable), fixedNumber(now, variable, 3), fixedNumber(mean, variable, 3)],
      `${signed(moved, 2)} c`,
      Math.abs(signal) >= 2 ? { text, mark: 'good' } : text,
      ...[signed(lateSignal, 1), `${variable.min} … ${variable.max}`],
      ...[shortNumber(first.c, variable), shortNumber(last.c, variable), shortNumber(last.rate)],
    ];
  });
  return htmlTable(heads, rows);
}

function distanceChart({ variables }: SpsaSettings, points: readonly TrajectoryPoint[]): string {
  const rms = (value: (point: TrajectoryPoint, i: number) => number): number[][] =>
    points.map((point) => {
      const sum = variables.reduce((total, _, i) => total + value(point, i), 0);
      return [point.iteration, Math.sqrt(sum / variables.length)];
    });
  const moved = rms(({ values }, i) => ((values[i] - variables[i].start) / variables[i].cEnd) ** 2);
  const walk = rms((point, i) => point.walk[i]);
  return chart({
    label: 'Distance from the start in units of c by iteration',
    width: 720,
    legend: true,
    x: iterations(),
    y: numbers('in units of c'),
    series: [line('distance', BLUE, thinned(moved)), dashed('random walk', MUTED, thinned(walk))],
  });
}

// Returns a chart of one variable, with a band of ±2 standard deviations of a random walk around the start
function trajectoryOf({ variables }: SpsaSettings, points: readonly TrajectoryPoint[], i: number): string {
  const { name, start, cEnd } = variables[i];
  const edge = (sign: number): number[][] =>
    points.map(({ iteration, walk }) => [iteration, start + sign * 2 * cEnd * Math.sqrt(walk[i])]);
  const course = points.map(({ iteration, values }) => [iteration, values[i]]);
  const drawn = chart({
    label: `Values of ${name} by iteration`,
    height: 220,
    x: iterations(),
    y: numbers('', { scale: true }),
    series: [...[1, -1].map((sign) => dashed('', FAINT, thinned(edge(sign)))), line(name, BLUE, thinned(course))],
  });
  return figure(drawn, name);
}

const CHART_POINTS = 250;

function thinned(data: number[][]): number[][] {
  const every = Math.max(1, Math.ceil(data.length / CHART_POINTS));
  return data.filter((_, i) => i % every === 0 || i === data.length - 1);
}

const iterations = (): object => numbersAcross('iteration', { max: 'dataMax', splitLine: { show: false } });
