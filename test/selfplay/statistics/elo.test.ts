import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { eloOf, normalDistribution, shareError } from '../../../selfplay/statistics/elo.js';

const vectors = JSON.parse(readFileSync(new URL('../../data/sprt.json', import.meta.url), 'utf8'));

describe('published figures', () => {
  test.each([...vectors.trinomial, ...vectors.pentanomial])('Elo figures match the published ones: %j', (vector) => {
    const report = eloOf(vector.counts ?? [vector.l, vector.d, vector.w]);
    expect(report.elo).toBeCloseTo(vector.elo, 3.9);
    expect(report.eloError).toBeCloseTo(vector.eloErr, 3.9);
    expect(report.nelo).toBeCloseTo(vector.nelo, 3.9);
    expect(report.neloError).toBeCloseTo(vector.neloErr, 3.9);
    expect(report.los).toBeCloseTo(vector.los, 3.9);
    if (vector.pairsRatio !== undefined) expect(report.pairsRatio).toBeCloseTo(vector.pairsRatio, 3.9);
  });

  test('the draw ratio matches the published value', () => {
    expect(eloOf([96, 111, 136]).drawRatio).toBe(111 / 343);
    expect(eloOf([363, 3205, 5861, 3376, 414]).drawRatio).toBeCloseTo(0.4434, 4);
  });
});

describe('one-sided matches', () => {
  test.each([
    [[0, 0, 10]],
    [[10, 0, 0]],
    [[0, 10, 0]],
    [[0, 0, 1]],
    [[0, 1, 20]],
    [[0, 0, 0]],
    [[0, 0, 0, 0, 10]],
    [[0, 0, 0, 1, 500]],
    [[10, 0, 0, 0, 0]],
    [[0, 0, 10, 0, 0]],
    [[0, 0, 0, 0, 0]],
  ])('the figures of a one-sided match are finite and symmetric: %j', (counts) => {
    const report = eloOf(counts);
    for (const [name, value] of Object.entries(report)) expect(Number.isFinite(value), name).toBe(true);
    const mirrored = eloOf(counts.toReversed());
    expect(mirrored.elo).toBeCloseTo(-report.elo, 9);
    expect(mirrored.eloError).toBeCloseTo(report.eloError, 9);
    expect(mirrored.los).toBeCloseTo(1 - report.los, 9);
  });

  test('ten wins count as 10.5 points out of eleven games', () => {
    const report = eloOf([0, 0, 10]);
    expect(report.elo).toBeCloseTo(400 * Math.log10(10.5 / 0.5), 9);
    expect(report.eloError).toBeGreaterThan(100);
    expect(report.los).toBeGreaterThan(0.999);
  });

  test('one draw in 501 won pairs counts as half a point of 1002', () => {
    expect(eloOf([0, 0, 0, 1, 500]).elo).toBeCloseTo(400 * Math.log10(1001.5 / 0.5), 9);
  });

  test('the pairs ratio is 1 if no pair is won or lost', () => {
    expect(eloOf([0, 0, 10, 0, 0]).pairsRatio).toBe(1);
    expect(eloOf([0, 0, 0, 0, 0]).pairsRatio).toBe(1);
  });

  test('the Elo of a one-sided match grows with each win', () => {
    expect(eloOf([0, 0, 100]).elo).toBeGreaterThan(eloOf([0, 0, 10]).elo);
    expect(eloOf([0, 100, 0])).toMatchObject({ elo: 0, los: 0.5, drawRatio: 1 });
    expect(eloOf([0, 100, 0]).eloError).toBeGreaterThan(0);
  });
});

test('the error of a share has two more hits and misses, so that it is not 0 for 1 of 1', () => {
  expect(shareError(1, 1)).toBeCloseTo(1.96 * Math.sqrt((0.6 * 0.4) / 5), 4);
  expect(shareError(0, 96)).toBeCloseTo(1.96 * Math.sqrt((0.02 * 0.98) / 100), 4);
});

test('normalDistribution matches known values', () => {
  expect(normalDistribution(0)).toBeCloseTo(0.5, 6);
  expect(normalDistribution(1.959963984540054)).toBeCloseTo(0.975, 6);
  expect(normalDistribution(-3)).toBeCloseTo(0.001349898, 6);
});
