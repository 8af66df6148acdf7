import { test } from 'vitest';

/** Whether `npm run test:slow` runs: with tests of builds, kills and minutes. */
export const isSlow = process.env['HEFT_SLOW'] !== undefined;

/** A test that only `npm run test:slow` runs: another one of its file, or of its folder, covers the common case in `npm test`. */
export const slowTest = test.runIf(isSlow);

/** Returns the cases that take long each: all of them in `npm run test:slow`, every fifth (or `nth`) in `npm test`. */
export const someOf = <Case>(cases: readonly Case[], nth = 5): readonly Case[] =>
  cases.filter((_, i) => isSlow || i % nth === 0);
