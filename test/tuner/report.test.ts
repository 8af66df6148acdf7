import { describe, expect, it } from 'vitest';
import { loadWeights } from '../../selfplay/weights.js';
import type { CurvePoint } from '../../tuner/fit.js';
import { type GenerationReport, type ReportData, renderReport } from '../../tuner/report.js';
import { plotCurve } from '../../tuner/terminal-plot.js';
import { fromVector, toVector } from '../../tuner/weights-file.js';

const before = loadWeights('material');
const after = fromVector(
  toVector(before).map((value, i) => value + (i % 64) - 32),
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
  verdict: 'accepted',
  ...changes,
});
const data = (changes: Partial<ReportData> = {}): ReportData => ({
  title: 'Run <test>',
  settings: { games: 100, from: 'material' },
  generations: [generation('first'), generation('second', { accepted: false, verdict: 'rejected' })],
  ...changes,
});

describe('renderReport', () => {
  const html = renderReport(data({ finalMatch: { ...match, opponent: 'shipped', verdict: 'stronger' } }));

  it('draws strength, curves and every board', () => {
    expect(html.match(/<svg /g)).toHaveLength(1 + 2 + 6 * 6);
    expect(html.match(/<\/svg>/g)).toHaveLength(1 + 2 + 6 * 6);
    for (const piece of ['Pawn', 'Knight', 'Bishop', 'Rook', 'Queen', 'King']) expect(html).toContain(`<h3>${piece}`);
    expect(html).toContain('+147.2 ± 60.0');
    expect(html).not.toMatch(/NaN|undefined|\[object/);
  });

  it('needs nothing from outside and runs nothing', () => {
    expect(html.replace(/xmlns(:xlink)?="[^"]*"/g, '')).not.toMatch(/https?:|<script|<link|@import|url\((?!#)/);
  });

  it('escapes what comes from files and users', () => {
    expect(html).toContain('Run &lt;test&gt;');
    expect(html).not.toContain('<img');
  });

  it('has colours for both schemes, and its drawings use them', () => {
    expect(html).toContain('prefers-color-scheme: dark');
    const used = new Set([...html.matchAll(/var\((--[a-z]+)\)/g)].map(([, name]) => name));
    for (const name of used) expect(html.split(`${name}:`).length, name).toBe(3);
  });

  it('shows a single fit without match and held-out games', () => {
    const lone = generation('adam', {
      curve: curve.map((point) => ({ ...point, heldOut: null })),
      fit: { ...fit, startHeldOutLoss: null, heldOutLoss: null },
    });
    const { match: _, accepted: __, verdict: ___, ...rest } = lone;
    const page = renderReport(data({ generations: [rest] }));
    expect(page).not.toContain('<h2>Strength');
    expect(page).not.toMatch(/NaN|undefined/);
  });

  it('can be written before the first generation has ended', () => {
    expect(renderReport(data({ generations: [] }))).toContain('</html>');
  });
});

describe('plotCurve', () => {
  it('draws both curves falling from left to right', () => {
    const lines = plotCurve(curve).split('\n');
    expect(lines[0]).toMatch(/^ \+0\.00000 │[•·]/);
    expect(lines[9]).toContain('·');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
  });

  it('draws a flat curve of one point', () => {
    expect(plotCurve([{ epoch: 0, train: 0.1, heldOut: null, seconds: 0 }])).toContain('·');
  });
});
