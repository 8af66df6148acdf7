import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
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

/**
 * Tests import the sources by name and get the build of them, which test/support/build.ts makes first: what runs is what is shipped,
 * at its own speed. Transformed by the test runner it takes up to thirty times as long.
 */
const built = {
  name: 'built',
  enforce: 'pre' as const,
  resolveId(source: string, importer: string | undefined): string | null {
    if (importer === undefined || !source.startsWith('.')) return null;
    const path = relative(process.cwd(), resolve(dirname(importer), source));
    return /^(engine|selfplay|tuner|scripts)\/.*\.js$/.test(path) ? resolve('dist', path) : null;
  },
};

export default defineConfig({
  plugins: [built],
  test: {
    include: isSlow ? slowFiles() : ['test/**/*.test.ts'],
    exclude: isSlow ? [] : SLOW,
    globalSetup: ['test/support/build.ts'],
    server: { deps: { external: [/\/dist\//] } },
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
