import { expect, test } from 'vitest';
import { changedPace } from '../../../selfplay/series/run-control.js';

test.each([
  ['pause', { concurrency: 2, paused: true }],
  [' Continue ', { concurrency: 2, paused: false }],
  ['resume', { concurrency: 2, paused: false }],
  ['concurrency 7', { concurrency: 7, paused: true }],
  ['concurrency=7', { concurrency: 7, paused: true }],
  ['12', { concurrency: 12, paused: true }],
  ['+', { concurrency: 3, paused: true }],
  ['-', { concurrency: 1, paused: true }],
  ['0', null],
  ['concurrency 513', null],
  ['concurrency', null],
  ['stop', null],
])('the command %j', (command, pace) => {
  expect(changedPace({ concurrency: 2, paused: true }, command)).toEqual(pace);
});

test('there is always one game at a time', () => {
  expect(changedPace({ concurrency: 1, paused: false }, '-')).toEqual({ concurrency: 1, paused: false });
});
