import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    maxWorkers: 3,
    execArgv: ['--no-use-osr'],
    testTimeout: 60_000,
  },
});
