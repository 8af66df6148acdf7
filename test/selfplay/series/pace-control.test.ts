import { expect, test } from 'vitest';
import { changedPace } from '../../../selfplay/series/pace-control.js';

test.each([
  ['pause', { workers: 2, paused: true }],
  [' Continue ', { workers: 2, paused: false }],
  ['resume', { workers: 2, paused: false }],
  ['workers 7', { workers: 7, paused: true }],
  ['concurrency 7', { workers: 7, paused: true }],
  ['concurrency=7', { workers: 7, paused: true }],
  ['12', { workers: 12, paused: true }],
  ['+', { workers: 3, paused: true }],
  ['-', { workers: 1, paused: true }],
  ['0', null],
  ['concurrency 513', null],
  ['concurrency', null],
  ['stop', null],
])('the command %j gives the pace %j', (command, pace) => {
  expect(changedPace({ workers: 2, paused: true }, command)).toEqual(pace);
});

test('the concurrency is at least one', () => {
  expect(changedPace({ workers: 1, paused: false }, '-')).toEqual({ workers: 1, paused: false });
});
