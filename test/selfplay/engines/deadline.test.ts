import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadline } from '../../../selfplay/engines/deadline.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a deadline passes once, at the time it was last set to', () => {
  const passed: number[] = [];
  const deadline = new Deadline(() => passed.push(performance.now()));
  const start = performance.now();
  deadline.set(100);
  vi.advanceTimersByTime(60);
  deadline.set(100);
  vi.advanceTimersByTime(99);
  expect(passed).toEqual([]);
  vi.advanceTimersByTime(1000);
  deadline.set(500);
  deadline.set(20);
  vi.advanceTimersByTime(1000);
  expect(passed.map((time) => time - start)).toEqual([160, 1179]);
});

test('one that was lifted does not pass, and one far away not before its time', () => {
  let passed = 0;
  const deadline = new Deadline(() => passed++);
  deadline.set(50);
  deadline.lift();
  vi.advanceTimersByTime(200);
  deadline.set(2 ** 31 + 1000);
  vi.advanceTimersByTime(2 ** 31);
  expect(passed).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(passed).toBe(1);
});
