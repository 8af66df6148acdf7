import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Files whose tests take long whatever they are told: builds, whole benches, memory over many games, studies of fits. */
const SLOW = [
  'test/engine/memory.test.ts',
  'test/engine/soak.test.ts',
  'test/selfplay/common/bench-signature.test.ts',
  'test/selfplay/engines/git-builds.test.ts',
  'test/selfplay/match/match-kill.test.ts',
  'test/tuner/spsa/simulation.test.ts',
  'test/tuner/study/study.test.ts',
];

/** `npm run test:slow`: the slow files, and those that do more when HEFT_SLOW is set. */
function slowFiles(): string[] {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((name) => `test/${name}`);
  const tests = files.filter((name) => name.endsWith('.test.ts'));
  return tests.filter((name) => SLOW.includes(name) || /HEFT_SLOW|isSlow/.test(readFileSync(name, 'utf8')));
}

const isSlow = process.env['HEFT_SLOW'] !== undefined;

export default defineConfig({
  test: {
    include: isSlow ? slowFiles() : ['test/**/*.test.ts'],
    exclude: isSlow ? [] : SLOW,
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    maxWorkers: 3,
    execArgv: ['--no-use-osr'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
