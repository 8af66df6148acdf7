import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PSQT, TERMS, WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { loadWeights } from '../../../selfplay/common/weights.js';
import type { CurvePoint } from '../../../tuner/fit/fit.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { arrayChart } from '../../../tuner/report/fit-charts.js';
import { type GenerationReport, type ReportData, renderReport } from '../../../tuner/report/fit-report.js';
import { priorSection } from '../../../tuner/report/prior-section.js';
import type { Study } from '../../../tuner/study/study.js';
import { describeStudy } from '../../../tuner/study/summary.js';
import { emptySummary } from '../../../tuner/trace/data-summary.js';
import { fromVector, toVector } from '../../../tuner/weights/weights-file.js';
import { BrowserPage, CHROMIUM } from '../../support/chromium.js';
import { isSlow, slowTest } from '../../support/slow.js';

const before = loadWeights('material');
const after = fromVector(
  HEFT,
  toVector(HEFT, before).map((value, i) => value + (i % 64) - 32),
  { data: [{ name: '<img src=x>.vf' }], k: 2 },
);
const curve: CurvePoint[] = Array.from({ length: 321 }, (_, epoch) => ({
  epoch,
  train: 0.1 + 0.03 / (1 + epoch),
  heldOut: 0.11 + 0.02 / (1 + epoch),
  seconds: epoch / 100,
}));
const fit = {
  positions: 12345,
  games: 678,
  k: 1.9,
  startTrainLoss: 0.13,
  startHeldOutLoss: 0.13,
  trainLoss: 0.1,
  heldOutLoss: 0.11,
  epochs: 320,
  bestEpoch: 320,
  averaged: null,
  gain: { mean: 0.002, error: 0.0001, optimism: 0, observations: 600 },
  claim: { isProven: true, text: 'expected gain on other games 0.00200 ± 0.00010' },
  warnings: [],
  families: [{ name: 'mobility', kind: 'curvature' as const, deviation: 0.54, contrasts: 114, effective: 12.3 }],
};
const match = { wins: 60, draws: 20, losses: 20, elo: 147.2, eloError: 60, llr: 2.97 };
const generation = (name: string, changes: Partial<GenerationReport> = {}): GenerationReport => ({
  name,
  before,
  after,
  curve,
  fit,
  match,
  accepted: true,
  ...changes,
});
const data = (changes: Partial<ReportData> = {}): ReportData => ({
  model: HEFT,
  title: 'Run <test>',
  settings: { games: 100, from: 'material', book: null },
  generations: [generation('first'), generation('second', { accepted: false })],
  ...changes,
});

test('priorSection is empty for a fit without a learnt prior', () => {
  const { families: _, gain: __, ...before } = fit;
  expect(priorSection(HEFT, before)).toBe('');
  expect(priorSection(HEFT, fit)).toContain('mobility');
});

describe('renderReport', () => {
  const html = renderReport(data({ finalMatch: { ...match, opponent: 'shipped', verdict: 'stronger' } }));

  test('renderReport draws strength, curves and every board', () => {
    const arrays = TERMS.filter(({ name, shape }) => name !== 'material' && shape.at(-1)! >= 3 && shape.at(-1) !== 64);
    const rows = arrays.reduce((sum, { size, shape }) => sum + size / shape.at(-1)!, 0);
    expect(html.match(/<svg /g)).toHaveLength(1 + 2 + rows);
    expect(html.match(/<\/svg>/g)).toHaveLength(1 + 2 + rows);
    expect(html.match(/class="board"/g)).toHaveLength(6 * 6);
    for (const piece of ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king']) expect(html).toContain(`<h3>${piece}`);
    expect(html).toContain('+147.2 ± 60.0');
    expect(html).not.toMatch(/NaN|undefined|\[object/);
  });

  test('renderReport starts with a summary and three charts and folds the rest', () => {
    const [first, rest] = html.split('<nav>');
    expect(first.match(/<svg /g)).toHaveLength(3);
    const links = [...rest.matchAll(/<a href="#([^"]*)">/g)].map(([, id]) => id);
    expect(links).toEqual(['fits', 'prior', 'values', 'tables', 'settings', 'provenance']);
    for (const id of links) expect(rest).toContain(`<details class="fold" id="${id}">`);
    expect(rest).not.toContain('<h2>');
    expect(rest).toContain('isolated pawn, opposed');
    expect(rest).not.toMatch(/pawnIsolated|\bnull\b/);
  });

  slowTest('renderReport shows the gain of a fit without a final match', () => {
    const gain = 'expected gain on other games 0.00200 ± 0.00010';
    const summary = `<p class="summary">678 games lowered the held-out error: 0.13000 → 0.11000 (${gain}).</p>`;
    expect(renderReport(data())).toContain(summary);
  });

  test('renderReport uses no external resources and no scripts', () => {
    expect(html.replace(/xmlns(:xlink)?=("|%22).*?("|%22)/g, '')).not.toMatch(
      /https?:|<script|<link|@import|url\((?!#|%23)/,
    );
  });

  test('the main charts of renderReport can be saved as self-contained SVG files', () => {
    const links = [...html.matchAll(/<a download="([\w-]+\.svg)" href="data:image\/svg\+xml,([^"]*)">/g)];
    // All charts except the many arrays of values and earlier curves
    expect(links).toHaveLength(2);
    expect(links[0][1]).toBe('elo-against-the-start-by-generation.svg');
    for (const [, , data] of links) {
      const svg = decodeURIComponent(data);
      expect(svg).toMatch(/^<svg font-family="sans-serif" [^>]*xmlns="[^>]*><rect [^>]*fill="#ffffff"\/>.*<\/svg>$/s);
      expect(svg).not.toMatch(/var\(|undefined/);
    }
  });

  slowTest('renderReport of nine generations has at most 400 kB', () => {
    const files = Array.from({ length: 500 }, (_, i) => ({ name: `shard-${i}.vf`, sha256: 'f'.repeat(64) }));
    const learnt = fromVector(HEFT, toVector(HEFT, after), { data: files, losses: { train: 0.1, heldOut: 0.2 } });
    const generations = Array.from({ length: 9 }, (_, i) => generation(`generation ${i + 1}`, { after: learnt }));
    const report = renderReport(data({ generations }));
    expect(Buffer.byteLength(report)).toBeLessThan(400_000);
    expect(report).toContain('"data": "500 files, listed in the weights file"');
    expect(report).toContain('"losses": { "train": 0.1, "heldOut": 0.2 }');
  });

  test('renderReport escapes text from files and users', () => {
    expect(html).toContain('Run &lt;test&gt;');
    expect(html).not.toContain('<img');
    const terms = HEFT.terms.map((term) => ({ ...term, title: `<u>${term.title}` }));
    const level = { name: 'a&"b"', start: { elo: 0, error: 0 } };
    const page = renderReport(data({ model: { ...HEFT, terms }, level }));
    expect(page).not.toContain('<u>');
    expect(page).toContain('aria-label="Elo against a&amp;&quot;b&quot; by generation"');
    expect(page).toContain('<figcaption>Elo against a&amp;&quot;b&quot;, from');
  });

  test('renderReport defines colours for both colour schemes, and its charts use them', () => {
    expect(html).toContain('prefers-color-scheme: dark');
    const used = new Set([...html.matchAll(/var\((--[a-z]+)\)/g)].map(([, name]) => name));
    for (const name of used) expect(html.split(`${name}:`).length, name).toBe(3);
  });

  test('renderReport does not mention unchanged weights if the fit was interrupted', () => {
    const cut = { ...fit, claim: null, isInterrupted: true, epochs: 12 };
    expect(renderReport(data({ generations: [generation('first', { fit: cut })] }))).toContain(
      '<p class="summary">678 games lowered the held-out error: 0.13000 → 0.11000. The fit was interrupted after 12 epochs.</p>',
    );
    expect(html).not.toContain('interrupted');
  });

  slowTest('renderReport shows the error on the held-out games that were not used to select the weights', () => {
    const selected = { ...fit, untouchedStartLoss: 0.131, untouchedLoss: 0.128 };
    const page = renderReport(data({ generations: [generation('hybrid', { fit: selected, study })] }));
    expect(page).toContain('678 games lowered the held-out error: 0.13100 → 0.12800');
    expect(page).toMatch(/0\.13100 → 0\.12800[^.]*held-out error, before and after/);
    expect(page).toMatch(/<th[^>]*>selection<\/th><th[^>]*>held-out<\/th>/);
    expect(page).toMatch(/0\.13000 → 0\.11000<\/td><td[^>]*>0\.13100 → 0\.12800<\/td>/);
    expect(page).toContain('held-out: only the games that selected the weights');
    expect(html).not.toMatch(/<th[^>]*>selection/);
  });

  test('renderReport mentions the second fit behind averaged weights', () => {
    const averaged = { l2: 10, share: 0.25 };
    const page = renderReport(data({ generations: [generation('first', { fit: { ...fit, averaged } })] }));
    expect(page).toContain('The weights are the mean of this fit and a fit with --l2 10 (share 0.25)');
    expect(html).not.toContain('mean of this fit');
  });

  test('renderReport separates the error after leaf rounds, which refers to the recorded scores', () => {
    const leafRounds = { rounds: 5, trainLoss: 0.12, heldOutLoss: 0.134 };
    const page = renderReport(data({ generations: [generation('first', { fit: { ...fit, leafRounds } })] }));
    expect(page).toMatch(/0\.13000 → 0\.11000[^<]*\. 5 leaf rounds followed\./);
    expect(page).toMatch(/<th[^>]*>leaf rounds<\/th>/);
    expect(page).toContain('<td>0.13000 → 0.11000</td>');
    expect(page).toContain('<td>5: 0.13400</td>');
    expect(html).not.toContain('eaf rounds');
  });

  slowTest('renderReport works for a single fit without a match or held-out games', () => {
    const lone = generation('adam', {
      curve: curve.map((point) => ({ ...point, heldOut: null })),
      fit: { ...fit, startHeldOutLoss: null, heldOutLoss: null },
    });
    const { match: _, accepted: __, ...rest } = lone;
    const page = renderReport(data({ generations: [rest] }));
    expect(page).not.toContain('<h2>Strength');
    expect(page).not.toMatch(/NaN|undefined/);
  });

  test('renderReport works before the end of the first generation', () => {
    expect(renderReport(data({ generations: [] }))).toContain('</html>');
  });
});

const study: Study = {
  errors: toVector(HEFT, before).map((_, i) => (i % 50 === 0 ? Number.NaN : 3 + (i % 9))),
  positions: new Uint32Array(WEIGHT_COUNT).fill(9),
  together: [],
  games: new Uint32Array(WEIGHT_COUNT).fill(4),
  excess: 0.0004,
  outliers: [
    {
      phase: 'endgame',
      term: PSQT + 4 * 64 + 49,
      value: 63,
      error: 30,
      neighbours: 4,
      positions: 31,
      games: 9,
      half: 2,
      verdict: 'few games',
      rows: [{ row: 3, pull: 7 }],
      examples: [{ fen: '6k1/1Q3ppp/8/8/8/8/1q3PPP/6K1 w - - 0 1', pull: 7, result: 1, expected: 0.4 }],
    },
  ],
  calibration: [0.1, 0.5, 0.9].map((expected) => ({ expected, scored: expected, error: 0.03, positions: 500 })),
  residuals: (['phase', 'material', 'term'] as const).map((kind) => ({
    kind,
    group: 'psqt[4]',
    positions: 900,
    mean: 0.02,
    error: 0.004,
  })),
  missing: [
    { name: 'passed <pawns>', phase: 'endgame', value: 40, error: 4, gain: 0.002, chiSquare: 90, unexplained: 0.8 },
    { name: 'bishop pair', phase: 'middlegame', value: 2, error: 3, gain: 0.0001, chiSquare: 2, unexplained: 0.8 },
  ],
  dataCurve: {
    points: [250, 500, 1000].map((games) => ({ games, train: 0.12, heldOut: 0.125 + 2 / games })),
    limit: 0.125,
    slope: 2,
    learnt: 0.8,
    wanted: 4000,
  },
  fitted: new Float64Array(2 * WEIGHT_COUNT).fill(9),
  withoutPrior: new Float64Array(2 * WEIGHT_COUNT).fill(-7),
  side: 'held-out',
};

describe('a study', () => {
  const dataSummary = {
    ...emptySummary(),
    games: 9,
    kept: 30,
    distinct: 28,
    phases: [10, 20],
    men: [0, 0, 30],
    contradicting: 2,
    contradictions: ['a.csv:3 <b>'],
  };
  const page = renderReport(data({ generations: [generation('adam', { study, dataSummary })] }));

  test('the report of a study has charts of curves, missing features, suspicious values, residuals, errors and data', () => {
    const drawn = (label: string): number => page.split(`aria-label="${label}`).length - 1;
    for (const label of ['Calibration', 'Error by number of games', 'Missing features', 'Residuals by material'])
      expect(drawn(label), label).toBe(1);
    expect(drawn('standard error')).toBe(12);
    expect(drawn('Histogram')).toBe(2);
    expect(page).toContain('queen b7');
    expect(page).toContain('Features that no term covers');
    expect(page).toContain('decided by a few games');
    expect(page.split('fill="var(--mark)"').length - 1).toBe(2);
    expect(page).toContain('about 4,000 would achieve 95%');
    expect(page).toContain(
      'Missing features with the largest expected gain: passed &lt;pawns&gt; in the endgame (−0.00200).',
    );
    expect(page).not.toMatch(/NaN|undefined|\[object/);
  });

  test('a report lists contradictory results even if there are no faults', () => {
    expect(page).toContain('2 positions from games that ended differently</summary><pre>a.csv:3 &lt;b&gt;</pre>');
    expect(page).not.toContain('faults</summary>');
  });

  // Both colour schemes have the same layout
  test.runIf(isSlow && CHROMIUM !== undefined)(
    'the folded report fits on three screens, even on a phone, and its charts are valid image files',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'heft-report-'));
      const file = join(folder, 'report.html');
      writeFileSync(file, page);
      const browser = await BrowserPage.open(pathToFileURL(file).href);
      for (const [width, height] of [
        [390, 844],
        [1280, 800],
      ]) {
        await browser.resize(width, height);
        const size = 'document.documentElement';
        const [wide, high] = await browser.evaluate<[number, number]>(`[${size}.scrollWidth, ${size}.scrollHeight]`);
        expect(wide).toBeLessThanOrEqual(width);
        expect(high).toBeLessThanOrEqual(3 * height);
      }
      const widths = await browser.evaluate<number[]>(`Promise.all([...document.querySelectorAll('a[download]')].map(
        async ({ href }) => { const image = new Image(); image.src = href; await image.decode(); return image.width; }))`);
      // The main charts; arrays of values and earlier curves have no link
      expect(widths.length).toBeGreaterThan(8);
      expect(Math.min(...widths)).toBeGreaterThan(300);
      expect(browser.messages).toEqual([]);
      await browser.close();
      rmSync(folder, { recursive: true });
    },
  );

  slowTest('the report lists terms that have not been learnt yet', () => {
    const zero = renderReport(data({ generations: [generation('adam', { study, after: before })] }));
    expect(zero).toMatch(/Terms not yet learnt \(all values zero\): [^<]*bishop pair/);
  });

  test('the report of a study escapes text, has no external resources, and has colours for both colour schemes', () => {
    expect(page).toContain('passed &lt;pawns&gt;');
    expect(page.replace(/xmlns(:xlink)?=("|%22).*?("|%22)/g, '')).not.toMatch(
      /https?:|<script|<link|@import|url\((?!#|%23)/,
    );
    const used = new Set([...page.matchAll(/var\((--[a-z]+)\)/g)].map(([, name]) => name));
    for (const name of used) expect(page.split(`${name}:`).length, name).toBe(3);
  });

  slowTest('the report of a study works without enough games, findings or held-out games', () => {
    const bare: Study = { ...study, dataCurve: null, outliers: [], missing: [], residuals: [], side: 'train' };
    const text = renderReport(data({ generations: [generation('adam', { study: bare })] }));
    expect(text).toContain('none are held out');
    expect(text).not.toMatch(/NaN|undefined|Features that no term covers/);
  });

  test('describeStudy prints the findings of the study', () => {
    const text = describeStudy(HEFT, study);
    expect(text).toMatch(/1,000 training games achieved 80% .*about 4,000 would achieve 95%/);
    expect(text).toContain('missing: passed <pawns> (endgame +40 ± 4 cp)');
    expect(text).not.toContain('bishop pair');
    expect(text).toContain('queen b7 endgame 63 ± 30, neighbours 4 (decided by a few games)');
  });
});

describe('arrayChart', () => {
  test('arrayChart draws values, error bands and previous values, even with unknown errors', () => {
    const series = { before: [0, 1, 2, 3], after: [-5, 2, 9, 14], errors: [4, 2, Number.NaN, 1] };
    const svg = arrayChart('mobility knight', ['0', '1', '2', '3'], series, series);
    expect(svg).toContain('mobility knight: values with their errors');
    expect(svg.match(/fill-opacity="0.18"/g)?.length).toBe(2);
    expect(svg).not.toContain('NaN');
  });
});
