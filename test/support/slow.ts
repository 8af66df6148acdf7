/** Whether `npm run test:slow` runs: with tests of builds, kills and minutes. */
export const isSlow = process.env['HEFT_SLOW'] !== undefined;

/** Returns the cases that start a process each: all of them in `npm run test:slow`, every third in `npm test`. */
export const someOf = <Case>(cases: readonly Case[]): readonly Case[] => cases.filter((_, i) => isSlow || i % 3 === 0);
