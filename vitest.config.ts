import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 3,
    env: { HEFT_WARM_UP: 'off' },
    execArgv: ['--no-use-osr'],
    testTimeout: 60_000,
  },
});
