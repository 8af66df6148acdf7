import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Files that take long: builds, packages, browsers, pauses, memory over many games, large files, and series of fits. */
const SLOW = [
  'test/any-engine/sample.test.ts',
  'test/engine/board/walk.test.ts',
  'test/engine/library/uci-thread.test.ts',
  'test/engine/memory.test.ts',
  'test/engine/search/audit.test.ts',
  'test/engine/soak.test.ts',
  'test/engine/uci/thread-failures.test.ts',
  'test/engine/uci/threads.test.ts',
  'test/scripts/action.test.ts',
  'test/scripts/artefacts.test.ts',
  'test/scripts/drop-in.test.ts',
  'test/scripts/hosts.test.ts',
  'test/scripts/npm-package.test.ts',
  'test/scripts/page.test.ts',
  'test/scripts/programs.test.ts',
  'test/scripts/scaling.test.ts',
  'test/scripts/tools-package.test.ts',
  'test/selfplay/common/bench-signature.test.ts',
  'test/selfplay/common/folder-lock.test.ts',
  'test/selfplay/data/data.test.ts',
  'test/selfplay/engines/commanded-builds.test.ts',
  'test/selfplay/engines/git-builds.test.ts',
  'test/selfplay/live/page.test.ts',
  'test/selfplay/match/faults.test.ts',
  'test/selfplay/match/match-kill.test.ts',
  'test/selfplay/match/pauses.test.ts',
  'test/selfplay/queue/queue.test.ts',
  'test/selfplay/text/files.test.ts',
  'test/tuner/commands/install-command.test.ts',
  'test/tuner/commands/label-command.test.ts',
  'test/tuner/commands/machines.test.ts',
  'test/tuner/commands/mean-command.test.ts',
  'test/tuner/fit/checkpoint.test.ts',
  'test/tuner/fit/claim.test.ts',
  'test/tuner/fit/compare.test.ts',
  'test/tuner/fit/leaf-rounds.test.ts',
  'test/tuner/fit/rescale.test.ts',
  'test/tuner/fit/resolve-rounds.test.ts',
  'test/tuner/labels/labels.test.ts',
  'test/tuner/loop/film-page.test.ts',
  'test/tuner/loop/loop.test.ts',
  'test/tuner/loop/small-loop.test.ts',
  'test/tuner/methods/hybrid.test.ts',
  'test/tuner/methods/local.test.ts',
  'test/tuner/report/report.test.ts',
  'test/tuner/rows/file.test.ts',
  'test/tuner/rows/trace-program.test.ts',
  'test/tuner/spsa/simulation.test.ts',
  'test/tuner/study/study.test.ts',
  'test/tuner/trace/load.test.ts',
];

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name}`)
  .filter((name) => name.endsWith('.test.ts'));

/** Returns whether the text of a file matches. */
const says = (name: string, word: RegExp): boolean => word.test(readFileSync(name, 'utf8'));

/** `npm run test:slow` runs the slow files, and those that do more when HEFT_SLOW is set. HEFT_SLOW=all runs all files, as in CI. */
const slowTests = tests.filter((name) => SLOW.includes(name) || says(name, /HEFT_SLOW|support\/slow/));
const quickTests = tests.filter((name) => !SLOW.includes(name));

const isSlow = process.env['HEFT_SLOW'] !== undefined;

/**
 * Resolves imports of the sources to the build, which test/support/build.ts makes first. The tests then run the shipped code at its own
 * speed. Code that the test runner transforms takes up to thirty times as long.
 */
const built = {
  name: 'built',
  enforce: 'pre' as const,
  resolveId(source: string, importer: string | undefined): string | null {
    if (importer === undefined || !source.startsWith('.')) return null;
    const path = relative(process.cwd(), resolve(dirname(importer), source));
    return /^(engine|selfplay|tuner|scripts|tools)\/.*\.js$/.test(path) ? resolve('dist', path) : null;
  },
};

const chosen = process.env['HEFT_SLOW'] === 'all' ? tests : isSlow ? slowTests : quickTests;

export default defineConfig({
  plugins: [built],
  test: {
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/kernel.ts'],
    server: { deps: { external: [/\/dist\//] } },
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Starting a process takes longer than most files. test/support/kernel.ts restores the engine before each file
    isolate: false,
    include: chosen,
  },
});
