// A disk that fills up during a run: the command exits with one line, and continues to the results of an undisturbed run once there is
// room. The disk is a small tmpfs that only this process sees; the tests are skipped if it cannot be mounted.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { runProgram } from '../support/program.js';
import { isSlow } from '../support/slow.js';
import { faultOf } from './fault-points.js';
import { CHOSEN, isFull } from './scope.js';
import { prepareData, resultsOf, type SmallRun } from './small-runs.js';

const canMount = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0;
const SIZES = isFull ? 3 : 1;
const PAGE = 4096;

const scratch = mkdtempSync(join(tmpdir(), 'heft-full-'));
const data = join(scratch, 'data');
const disk = join(scratch, 'disk');
const out = join(disk, 'run');
const kept = join(scratch, 'kept');
afterAll(() => rmSync(scratch, { recursive: true }));

/** Runs a command on a disk of a given size, then again with enough room, and copies the contents of the disk. */
const SCRIPT = `
  mount -t tmpfs -o size=$SIZE none "$DISK"
  "$@" >/dev/null 2>"$SCRATCH/full"; echo $? >"$SCRATCH/full-code"
  mount -o remount,size=256m "$DISK"
  "$@" >/dev/null 2>"$SCRATCH/again"; echo $? >"$SCRATCH/again-code"
  cp -r "$DISK/run" "$KEPT"
`;

function onDisk(run: SmallRun, bytes: number): { code: number; stderr: string }[] {
  rmSync(kept, { recursive: true, force: true });
  const command = [process.execPath, run.main, ...run.args(out, data)];
  spawnSync('unshare', ['--map-root-user', '--mount', 'sh', '-c', SCRIPT, 'sh', ...command], {
    cwd: scratch,
    env: { ...process.env, SIZE: String(bytes), DISK: disk, SCRATCH: scratch, KEPT: kept },
  });
  const text = (name: string): string => readFileSync(join(scratch, name), 'utf8');
  return ['full', 'again'].map((name) => ({ code: Number(text(`${name}-code`)), stderr: text(name) }));
}

/** Returns the size of the files in bytes, each rounded up to whole pages. */
function bytesOf(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return names.reduce((sum, name) => sum + Math.ceil(statSync(name).size / PAGE) * PAGE, 0);
}

describe.runIf(isSlow && canMount)('a full disk', { timeout: 1_800_000 }, () => {
  beforeAll(async () => {
    mkdirSync(disk);
    await prepareData(data);
  }, 120_000);

  test.each(CHOSEN)('$name exits with a one-line error on a full disk and resumes once there is space', async (run) => {
    // Some results contain the name of the folder
    expect((await runProgram(run.main, run.args(out, data), scratch)).code).toBe(0);
    const expected = resultsOf(run, out);
    const whole = bytesOf(out);
    rmSync(out, { recursive: true });
    const seed = Date.now() % 100_000;
    const random = createRandom(seed);
    const codes: number[] = [];
    for (let i = 0; i < SIZES; i++) {
      const bytes = PAGE * (1 + randomBelow(random, whole / PAGE));
      const [full, again] = onDisk(run, bytes);
      const place = `${run.name}, ${bytes} of ${whole} bytes, seed ${seed}`;
      expect(faultOf(full), place).toBeNull();
      expect([again.code, faultOf(again)], `${place}: ${full.stderr}${again.stderr}`).toEqual([0, null]);
      expect(resultsOf(run, kept, out), place).toEqual(expected);
      codes.push(full.code);
    }
    console.log(`${run.name}: exit codes on a full disk: ${codes.join(', ')}`);
  });
});
