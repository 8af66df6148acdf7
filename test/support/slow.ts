import { test } from 'vitest';

/** Whether `npm run test:slow` runs: with tests of builds, kills and minutes. */
export const isSlow = process.env['HEFT_SLOW'] !== undefined;

/** Whether `npm run test:long` runs: more kills, games and files than CI has time for. */
export const isLong = process.env['HEFT_LONG'] !== undefined;

/** A test that only `npm run test:slow` runs: another one of its file, or of its folder, covers the common case in `npm test`. */
export const slowTest = test.runIf(isSlow);

/** A test that only `npm run test:long` runs. */
export const longTest = test.runIf(isLong);

/** Returns the cases that take long each: all of them in `npm run test:long`, every second in `test:slow`, every fifth (or `nth`) in `npm test`. */
export const someOf = <Case>(cases: readonly Case[], nth = 5): readonly Case[] =>
  cases.filter((_, i) => isLong || i % (isSlow ? 2 : nth) === 0);
