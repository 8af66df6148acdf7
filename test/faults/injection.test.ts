// Every nth write, fsync, rename, open, process start and thread start fails in turn (scope.ts), one of each kind first.
// HEFT_FAULTS=all tries every point of all commands, which takes hours.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSlow } from '../support/slow.js';
import { byKind, type FaultPoint, FaultTrial } from './fault-points.js';
import { CHOSEN, POINTS } from './scope.js';
import { killedAt, prepareData } from './small-runs.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-faults-'));
const data = join(scratch, 'data');
afterAll(() => rmSync(scratch, { recursive: true }));

beforeAll(async () => {
  if (isSlow) await prepareData(data);
}, 120_000);

/** Returns the faults at these points. */
async function faultsOf(trial: FaultTrial, points: readonly FaultPoint[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const point of points) {
    const fault = await trial.faultAt(point);
    if (fault !== null) wrong.push(fault);
  }
  return wrong;
}

test.runIf(isSlow).each(CHOSEN)('$name loses no work when one call fails', { timeout: 14_400_000 }, async (run) => {
  const whole = new FaultTrial(run, join(scratch, run.name), data);
  const all = byKind(await whole.points());
  if (run.halfway === undefined) {
    const points = all.slice(0, POINTS);
    const wrong = await faultsOf(whole, points);
    console.log(`${run.name}: ${points.length} of ${all.length} points`);
    expect(wrong).toEqual([]);
    expect(whole.fired).toBeGreaterThan(points.length / 2);
    return;
  }
  // Calls that the second half makes as well are tested there, in a run that was killed between the halves
  const begun = join(scratch, `${run.name}-begun`);
  await killedAt(run, run.halfway, begun, data);
  const half = new FaultTrial(run, join(scratch, `${run.name}-half`), data, begun);
  const later = byKind(await half.points());
  const kinds = new Set(later.map(({ kind }) => kind));
  const first = all.filter(({ kind }) => !kinds.has(kind)).slice(0, POINTS);
  const second = later.slice(0, POINTS);
  const wrong = [...(await faultsOf(half, second)), ...(await faultsOf(whole, first))];
  console.log(
    `${run.name}: ${first.length} points of its first half, ${second.length} of ${later.length} of its second`,
  );
  expect(wrong).toEqual([]);
  expect(whole.fired + half.fired).toBeGreaterThan((first.length + second.length) / 2);
});
