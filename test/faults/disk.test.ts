// What happens to a run's folder from outside: it is removed or replaced, the disk is full, files are damaged, the process is killed. Every command
// notices, loses no finished work, and continues to the results of an undisturbed run.

import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { ended, runProgram } from '../support/program.js';
import { isSlow } from '../support/slow.js';
import { resultsOf, SMALL_RUNS, type SmallRun } from './small-runs.js';

const isAll = process.env['HEFT_FAULTS'] === 'all';
const QUICK = ['selfplay', 'label', 'match', 'spsa'];
const RUNS = SMALL_RUNS.filter(({ name }) => isAll || QUICK.includes(name));
const KILLS = isAll ? 15 : 3;
const DAMAGES = isAll ? 8 : 2;

const scratch = mkdtempSync(join(tmpdir(), 'heft-disk-'));
const data = join(scratch, 'data');
const undisturbed = new Map<string, Record<string, string>>();
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
    await finish(SMALL_RUNS[0], data);
    for (const run of RUNS) {
      const out = fresh(`${run.name}-whole`);
      expect((await finish(run, out)).code).toBe(0);
      undisturbed.set(run.name, resultsOf(run, out));
    }
  });

  test.each(RUNS)('$name whose folder is removed or replaced ends with an error that names it', async (run) => {
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

  test.each(RUNS)('$name killed at random moments continues to the same results', async (run) => {
    const seed = Date.now() % 100_000;
    const random = createRandom(seed);
    for (let kill = 0; kill < KILLS; kill++) {
      const out = fresh('killed');
      const { child, end } = start(run, out);
      await begun(run, out, child);
      await sleep(randomBelow(random, 600));
      child.kill('SIGKILL');
      await end;
      const { code, stderr } = await finish(run, out);
      expect([seed, code, /^error/m.test(stderr)]).toEqual([seed, 0, false]);
      expect(resultsOf(run, out)).toEqual(undisturbed.get(run.name));
    }
  });

  test.each(RUNS)('$name refuses or mends damaged files', async (run) => {
    const whole = join(scratch, `${run.name}-whole`);
    const files = readdirSync(whole).filter(
      (name) => run.results.test(name) || /^(games\.jsonl|run\.json|manifest\.json|ledger\.json)$/.test(name),
    );
    const seed = Date.now() % 100_000;
    const random = createRandom(seed);
    for (const name of files.slice(0, DAMAGES)) {
      const out = fresh('damaged');
      cpSync(whole, out, { recursive: true });
      const file = join(out, name);
      const bytes = readFileSync(file);
      // A bit that text and numbers do not survive
      const at = randomBelow(random, bytes.length);
      bytes[at] ^= 0x80;
      writeFileSync(file, bytes);
      const { code, stderr } = await finish(run, out);
      expect(stderr, `seed ${seed} ${name} byte ${at}`).not.toMatch(/^\s+at /m);
      if (code !== 0) expect(stderr, `seed ${seed} ${name} byte ${at}`).toMatch(/^error: /m);
      else if (name !== 'run.json' && statSync(file).size > 0)
        expect(resultsOf(run, out), `seed ${seed} ${name} byte ${at}`).toEqual(undisturbed.get(run.name));
    }
  });
});
