import { expect, test } from 'vitest';
import { PRESETS } from '../../../tuner/generations/settings.js';
import { jointFitOf } from '../../../tuner/loop/fits.js';
import { shippedMatch } from '../../../tuner/loop/report.js';
import { timesOfAll } from '../../../tuner/loop/several.js';
import { matchOf } from '../../support/loop-run.js';

test('the joint fit of runs from zero has its own blend and the unit of the search margins', () => {
  const settings = { ...PRESETS['full'], jointBlend: 0.3 };
  expect(jointFitOf(settings, 'mean.json')).toEqual({
    start: 'mean.json',
    blend: 0.3,
    leafRounds: 0,
    resolve: 'none',
    certainty: 0,
    rescale: 2.56,
  });
});

test('the joint fit has leaf rounds if scores are in its target', () => {
  const settings = { ...PRESETS['full'], leafRounds: 3 };
  expect(jointFitOf(settings, 'mean.json').leafRounds).toBe(3);
  expect(jointFitOf({ ...settings, jointBlend: 0 }, 'mean.json').leafRounds).toBe(0);
});

test('the joint fit of runs from other weights preserves their unit', () => {
  expect(jointFitOf({ ...PRESETS['full'], from: 'shipped' }, 'mean.json')).not.toHaveProperty('rescale');
});

test('the times of a run include those of later runs and of the final match', () => {
  const times = { left: 300, whole: 1000 };
  expect(timesOfAll(times, 1, 4, 50)).toEqual({ left: 3350, whole: 4050 });
  expect(timesOfAll(times, 4, 4, 50)).toEqual({ left: 350, whole: 4050 });
});

test.each([
  [12, 'H1', 'stronger'],
  // With bounds at or below zero, an SPRT accepts weights that lose
  [-12, 'H1', 'not proven stronger'],
  [-12, 'H0', 'not proven stronger'],
  [12, null, 'undecided'],
  [40, null, 'stronger'],
] as const)('the reported verdict of a final match with Elo %i and SPRT verdict %s is: %s', (elo, verdict, text) => {
  const final = { weights: '', generation: 0, match: matchOf(elo, 30, verdict), line: '' };
  expect(shippedMatch(final)?.verdict).toBe(text);
});
