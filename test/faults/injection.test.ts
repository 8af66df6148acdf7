// Every nth write, fsync, rename, open, start of a process and start of a thread fails in turn (scope.ts). HEFT_FAULTS=all tries every point of
// all commands, which takes more than an hour.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '../support/program.js';
import { isSlow } from '../support/slow.js';
import { FaultTrial } from './fault-points.js';
import { CHOSEN, POINTS } from './scope.js';
import { SMALL_RUNS } from './small-runs.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-faults-'));
const data = join(scratch, 'data');
afterAll(() => rmSync(scratch, { recursive: true }));

beforeAll(async () => {
  if (!isSlow) return;
  const [selfplay] = SMALL_RUNS;
  const { code, stderr } = await runProgram(selfplay.main, selfplay.args(data, ''), scratch);
  expect([code, stderr]).toEqual([0, '']);
});

test.runIf(isSlow).each(CHOSEN)('$name loses nothing, whatever call fails', { timeout: 3_600_000 }, async (run) => {
  const trial = new FaultTrial(run, join(scratch, run.name), data);
  const points = await trial.points();
  const step = Math.max(1, Math.floor(points.length / POINTS));
  const wrong: string[] = [];
  let tried = 0;
  for (let i = 0; i < points.length; i += step, tried++) {
    const fault = await trial.faultAt(points[i]);
    if (fault !== null) wrong.push(fault);
  }
  console.log(`${run.name}: ${tried} of ${points.length} points`);
  expect(wrong).toEqual([]);
});
