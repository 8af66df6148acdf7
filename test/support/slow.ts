import { test } from 'vitest';

/** Whether `npm run test:slow` runs, which includes builds, kills and long tests. */
export const isSlow = process.env['HEFT_SLOW'] !== undefined;

/** Whether `npm run test:long` runs, with more kills, games and files than CI has time for. */
export const isLong = process.env['HEFT_LONG'] !== undefined;

/** A test that runs only in `npm run test:slow`. Another test of its file or folder covers the common case in `npm test`. */
export const slowTest = test.runIf(isSlow);

/** A test that runs only in `npm run test:long`. */
export const longTest = test.runIf(isLong);

/** Returns a part of slow cases: all in `npm run test:long`, every second in `test:slow`, every fifth (or `nth`) in `npm test`. */
export const someOf = <Case>(cases: readonly Case[], nth = 5): readonly Case[] =>
  cases.filter((_, i) => isLong || i % (isSlow ? 2 : nth) === 0);
