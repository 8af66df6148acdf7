// Disturbances from outside: a run's folder is removed or replaced, or the process is killed. Every command reports a missing folder, and
// after a kill continues to the results of an undisturbed run.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { ended, runProgram } from '../support/program.js';
import { isSlow } from '../support/slow.js';
import { CHOSEN, isFull, POINTS } from './scope.js';
import { prepareData, resultsOf, type SmallRun } from './small-runs.js';

const KILLS = isFull ? Math.min(12, POINTS) : 3;
/** Commands that own a folder; the others only write files. */
const RUNS = CHOSEN.filter(({ ownsFolder }) => ownsFolder);

const scratch = mkdtempSync(join(tmpdir(), 'heft-disk-'));
const data = join(scratch, 'data');
/** Results and duration in milliseconds of each command without a disturbance. */
const undisturbed = new Map<string, { results: Record<string, string>; duration: number }>();
afterAll(() => rmSync(scratch, { recursive: true }));

function start(run: SmallRun, out: string) {
  const args = [run.main, ...run.args(out, data)];
  const child = spawn(process.execPath, args, { cwd: scratch, stdio: ['ignore', 'ignore', 'pipe'] });
  return { child, end: ended(child) };
}
const finish = (run: SmallRun, out: string) => runProgram(run.main, run.args(out, data), scratch);
const fresh = (name: string): string => {
  const out = join(scratch, name);
  rmSync(out, { recursive: true, force: true });
  return out;
};

async function begun(run: SmallRun, out: string, child: ChildProcess): Promise<void> {
  while (!existsSync(join(out, run.begun)) && child.exitCode === null) await sleep(1);
}

describe.runIf(isSlow)('a run', { timeout: 1_800_000 }, () => {
  beforeAll(async () => {
    await prepareData(data);
    for (const run of CHOSEN) {
      const out = fresh(`${run.name}-whole`);
      const began = performance.now();
      expect((await finish(run, out)).code).toBe(0);
      undisturbed.set(run.name, { results: resultsOf(run, out), duration: performance.now() - began });
    }
  }, 600_000);

  test.each(RUNS)('$name exits with an error that names the run folder if it is removed or replaced', async (run) => {
    for (const isReplaced of [false, true]) {
      const out = fresh('moved');
      const { child, end } = start(run, out);
      await begun(run, out, child);
      // The run must not end before its folder is gone
      child.kill('SIGSTOP');
      renameSync(out, fresh('elsewhere'));
      if (isReplaced) mkdirSync(out);
      child.kill('SIGCONT');
      const { code, stderr } = await end;
      expect(stderr).toContain(out);
      expect(stderr).toMatch(/^error: .*(deleted or replaced|no such file)/m);
      expect(code).toBe(1);
      expect(existsSync(join(out, 'result.json'))).toBe(false);
    }
  });

  test.each(CHOSEN)('$name gives the same results if it is killed at random moments and resumed', async (run) => {
    const seed = Date.now() % 100_000;
    const random = createRandom(seed);
    const { results, duration } = undisturbed.get(run.name)!;
    for (let kill = 0; kill < KILLS; kill++) {
      const out = fresh('killed');
      const { child, end } = start(run, out);
      await begun(run, out, child);
      await sleep(randomBelow(random, duration));
      child.kill('SIGKILL');
      // A run that finished earlier has nothing to continue
      if ((await end).code === null) {
        const { code, stderr } = await finish(run, out);
        expect([code, stderr.match(/^error.*/m)], `seed ${seed}, kill ${kill}`).toEqual([0, null]);
      }
      expect(resultsOf(run, out)).toEqual(results);
    }
  });
});
