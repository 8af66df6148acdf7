// Damaged files of every kind that a run's folder has: the same command names the file, or mends it and ends with the results of an undisturbed
// run. A bit is flipped, or bytes are cut off, removed, zeroed, doubled or added.

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRandom, type Random, randomBelow } from '../../engine/kernel/random.js';
import { readWeights } from '../../selfplay/common/weights.js';
import { ended, runProgram } from '../support/program.js';
import { isSlow } from '../support/slow.js';
import { CHOSEN, isFull } from './scope.js';
import { resultsOf, SMALL_RUNS, type SmallRun } from './small-runs.js';

/** Damages of each kind of file. */
const TIMES = isFull ? 30 : 2;

/** Kinds of files by command; of a fit that is over the checkpoint is of no use, so it is stopped before. */
const KINDS: { run: string; file: RegExp; isStopped?: boolean }[] = [
  { run: 'selfplay', file: /^manifest\.json$/ },
  { run: 'selfplay', file: /^shard-\d+\.vf$/ },
  { run: 'label', file: /^manifest\.json$/ },
  { run: 'label', file: /^labels-\d+\.csv$/ },
  { run: 'tune', file: /^checkpoint$/, isStopped: true },
  { run: 'match', file: /^games\.jsonl$/ },
  { run: 'match', file: /^(run|command)\.json$/ },
  { run: 'spsa', file: /^games\.jsonl$/ },
  { run: 'loop', file: /^ledger\.json$/ },
  { run: 'loop', file: /^start\.json$/ },
  { run: 'loop', file: /^generation-01\/.*\.(json|vf)$/ },
];

const scratch = mkdtempSync(join(tmpdir(), 'heft-damage-'));
const data = join(scratch, 'data');
const expected = new Map<string, Record<string, string>>();
afterAll(() => rmSync(scratch, { recursive: true }));

const runOf = (name: string): SmallRun => SMALL_RUNS.find((run) => run.name === name)!;
const finish = (run: SmallRun, out: string) => runProgram(run.main, run.args(out, data), scratch);

/** Starts the run and kills it when it has something to lose. */
async function stop(run: SmallRun, out: string): Promise<void> {
  const child = spawn(process.execPath, [run.main, ...run.args(out, data)], { cwd: scratch, stdio: 'ignore' });
  const end = ended(child);
  while (!existsSync(join(out, run.begun)) && child.exitCode === null) await sleep(1);
  child.kill('SIGKILL');
  await end;
  expect(existsSync(join(out, run.begun))).toBe(true);
}

/** Returns the bytes after a damage, which differ from those before. */
function damaged(bytes: Buffer, random: Random): Buffer {
  const at = randomBelow(random, bytes.length);
  const to = Math.min(bytes.length, at + 1 + randomBelow(random, 20));
  const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  const kinds = [
    () => before,
    () => Buffer.concat([before, after]),
    () => Buffer.concat([before, Buffer.alloc(part.length), after]),
    () => Buffer.concat([before, part, part, after]),
    () => Buffer.concat([bytes, part]),
  ];
  const flipped = Buffer.from(bytes);
  flipped[at] ^= 1 << randomBelow(random, 8);
  const result = randomBelow(random, 2) === 0 ? flipped : kinds[randomBelow(random, kinds.length)]();
  return result.equals(bytes) ? flipped : result;
}

const names = CHOSEN.map(({ name }) => name);

describe.runIf(isSlow)('damage', { timeout: 1_800_000 }, () => {
  beforeAll(async () => {
    await finish(SMALL_RUNS[0], data);
    for (const run of CHOSEN) {
      const out = join(scratch, `${run.name}-whole`);
      expect((await finish(run, out)).code).toBe(0);
      expected.set(run.name, resultsOf(run, out));
    }
    if (names.includes('tune')) await stop(runOf('tune'), join(scratch, 'tune-stopped'));
  });

  test.each(KINDS.filter(({ run }) => names.includes(run)))(
    'damaged $file of $run is named or mended',
    async (kind) => {
      const run = runOf(kind.run);
      const whole = join(scratch, `${run.name}-${kind.isStopped === true ? 'stopped' : 'whole'}`);
      const files = readdirSync(whole, { recursive: true, encoding: 'utf8' }).filter((name) => kind.file.test(name));
      expect(files).not.toEqual([]);
      const seed = Date.now() % 100_000;
      const random = createRandom(seed);
      const counts = { refused: 0, mended: 0 };
      for (let i = 0; i < TIMES; i++) {
        const out = join(scratch, 'damaged');
        rmSync(out, { recursive: true, force: true });
        cpSync(whole, out, { recursive: true });
        const name = files[randomBelow(random, files.length)];
        writeFileSync(join(out, name), damaged(readFileSync(join(whole, name)), random));
        const { code, stderr } = await finish(run, out);
        const place = `seed ${seed}, damage ${i} of ${name}`;
        expect(stderr, place).not.toMatch(/^\s+at /m);
        if (code === 0) expect(resultsOf(run, out), place).toEqual(expected.get(run.name));
        else
          expect(
            stderr.split('\n').filter((line) => line.startsWith('error: ')),
            `${place}: ${stderr}`,
          ).toHaveLength(1);
        counts[code === 0 ? 'mended' : 'refused']++;
      }
      console.log(`${run.name} ${kind.file.source}: ${JSON.stringify(counts)}`);
    },
  );

  test.runIf(names.includes('tune'))('damaged weights of a fit are refused, or reported as changed', () => {
    const bytes = readFileSync(join(scratch, 'tune-whole/weights.json'));
    const { terms } = readWeights(join(scratch, 'tune-whole/weights.json'));
    const random = createRandom(Date.now() % 100_000);
    for (let i = 0; i < TIMES; i++) {
      const file = join(scratch, `weights-${i}.json`);
      writeFileSync(file, damaged(bytes, random));
      const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      let read: unknown = null;
      try {
        read = readWeights(file).terms;
      } catch {
        // Refused
      }
      const warnings = write.mock.calls.join();
      write.mockRestore();
      if (read === null || warnings.includes('changed')) continue;
      expect(read).toEqual(terms);
    }
  });
});
