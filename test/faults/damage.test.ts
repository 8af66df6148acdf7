// Damaged files of every kind in a run's folder: the repeated command either reports the damage in one line, or repairs it and ends with
// the results of an undisturbed run. A bit is flipped, or bytes are cut off, removed, zeroed, doubled or added.

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRandom, type Random, randomBelow } from '../../engine/kernel/random.js';
import { UserError } from '../../selfplay/common/errors.js';
import { readWeights } from '../../selfplay/common/weights.js';
import { runProgram } from '../support/program.js';
import { isSlow } from '../support/slow.js';
import { CHOSEN, isFull, POINTS } from './scope.js';
import { killedAt, prepareData, resultsOf, SMALL_RUNS, type SmallRun } from './small-runs.js';

/** Number of damaged copies of each kind of file. */
const TIMES = isFull ? Math.min(30, POINTS) : 2;

interface Kind {
  run: string;
  file: RegExp;
  /** The run is killed when this file appears, and its files are damaged then. A finished run no longer reads them. */
  killedAt?: string;
}

const LABELLED = 'generation-01/labels/labels-0017.csv';
const MATCHED = 'generation-01/match/games.jsonl';
const KINDS: readonly Kind[] = [
  { run: 'selfplay', file: /^manifest\.json$/ },
  { run: 'selfplay', file: /^shard-\d+\.vf$/ },
  { run: 'label', file: /^manifest\.json$/ },
  { run: 'label', file: /^labels-\d+\.csv$/ },
  { run: 'tune', file: /^checkpoint$/, killedAt: 'checkpoint' },
  { run: 'match', file: /^games\.jsonl$/ },
  { run: 'match', file: /^(run|command)\.json$/ },
  { run: 'spsa', file: /^games\.jsonl$/ },
  { run: 'loop', file: /^ledger\.json$/ },
  { run: 'loop', file: /^start\.json$/ },
  { run: 'loop', file: /^(run|times)\.json$/ },
  { run: 'loop', file: /^generation-01\/(fit|weights)\.json$/ },
  { run: 'loop', file: /^generation-01\/(fit|weights)\.json$/, killedAt: MATCHED },
  { run: 'loop', file: /^(generation-01\/|start-)build\/.*\.(js|json|wasm)$/, killedAt: MATCHED },
  { run: 'loop', file: /^generation-01\/match\/games\.jsonl$/, killedAt: MATCHED },
  { run: 'loop', file: /^generation-01\/games\/(manifest\.json|shard-\d+\.vf)$/, killedAt: LABELLED },
  { run: 'loop', file: /^generation-01\/labels\/(manifest\.json|labels-000\d\.csv)$/, killedAt: LABELLED },
];

const chosen = KINDS.filter(({ run }) => CHOSEN.some(({ name }) => name === run));

const scratch = mkdtempSync(join(tmpdir(), 'heft-damage-'));
const data = join(scratch, 'data');
/** The folder of all runs: the identity of a match contains its engines' paths. */
const out = join(scratch, 'run');
const expected = new Map<string, Record<string, string>>();
afterAll(() => rmSync(scratch, { recursive: true }));

const runOf = (name: string): SmallRun => SMALL_RUNS.find((run) => run.name === name)!;
const finish = (run: SmallRun) => runProgram(run.main, run.args(out, data), scratch);
const stateOf = ({ run, killedAt = 'end' }: Kind): string => join(scratch, `${run}-${killedAt.replaceAll('/', '-')}`);

/** Returns a damaged copy that differs from the original. */
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

describe.runIf(isSlow)('damage', { timeout: 3_600_000 }, () => {
  beforeAll(async () => {
    await prepareData(data);
    for (const run of CHOSEN) {
      expect((await finish(run)).code).toBe(0);
      expected.set(run.name, resultsOf(run, out));
      renameSync(out, join(scratch, `${run.name}-end`));
    }
    for (const kind of chosen) {
      if (kind.killedAt === undefined || existsSync(stateOf(kind))) continue;
      await killedAt(runOf(kind.run), kind.killedAt, out, data);
      renameSync(out, stateOf(kind));
    }
  }, 600_000);

  test.each(chosen)('damaged $file of $run is reported or repaired', async (kind) => {
    const run = runOf(kind.run);
    const whole = stateOf(kind);
    const files = readdirSync(whole, { recursive: true, encoding: 'utf8' }).filter((name) => kind.file.test(name));
    expect(files).not.toEqual([]);
    const seed = Date.now() % 100_000;
    const random = createRandom(seed);
    const counts = { refused: 0, mended: 0 };
    for (let i = 0; i < TIMES; i++) {
      rmSync(out, { recursive: true, force: true });
      cpSync(whole, out, { recursive: true });
      const name = files[randomBelow(random, files.length)];
      writeFileSync(join(out, name), damaged(readFileSync(join(whole, name)), random));
      const { code, stderr } = await finish(run);
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
  });

  test.runIf(CHOSEN.some(({ name }) => name === 'tune'))(
    'a damaged weights file is rejected or reported as changed',
    () => {
      const bytes = readFileSync(join(scratch, 'tune-end/weights.json'));
      const { terms } = readWeights(join(scratch, 'tune-end/weights.json'));
      const seed = Date.now() % 100_000;
      const random = createRandom(seed);
      for (let i = 0; i < TIMES; i++) {
        const place = `seed ${seed}, damage ${i}`;
        const file = join(scratch, `weights-${i}.json`);
        writeFileSync(file, damaged(bytes, random));
        const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
        let read = terms;
        try {
          const found = readWeights(file).terms;
          if (!write.mock.calls.join().includes('changed')) read = found;
        } catch (error) {
          expect(error, place).toBeInstanceOf(UserError);
        } finally {
          write.mockRestore();
        }
        expect(read, place).toEqual(terms);
      }
    },
  );
});
