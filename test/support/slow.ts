/** Whether `npm run test:slow` runs: with tests of builds, kills and minutes. */
export const isSlow = process.env['HEFT_SLOW'] !== undefined;
