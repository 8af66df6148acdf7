import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { projectFile } from '../../../selfplay/common/program.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { Checkpoint } from '../../../tuner/fit/checkpoint.js';
import { openProducer } from '../../../tuner/fit/data.js';
import type { FitProgress } from '../../../tuner/fit/fit.js';
import { type TuneObserver, tune } from '../../../tuner/fit/tune.js';
import { DEFAULTS, type TuneSettings } from '../../../tuner/fit/tune-settings.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { formatWeights } from '../../../tuner/weights/weights-file.js';
import { playGames } from '../../support/games.js';
import { isLong, isSlow, longTest, slowTest } from '../../support/slow.js';

const MAIN = fileURLToPath(projectFile('dist/tuner/commands/tune-main.js'));
const folder = mkdtempSync(join(tmpdir(), 'heft-checkpoint-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

const progress: FitProgress = {
  state: { weights: Float64Array.of(0.1, -0), losses: { train: 1 / 3, heldOut: Number.NaN }, epoch: 7, done: false },
  best: { weights: Float64Array.of(1 / 7), losses: { train: 0.3, heldOut: Number.NaN }, epoch: 5 },
  gain: { epoch: 5, loss: 0.3 },
  curve: [{ epoch: 0, train: 0.4, heldOut: null, seconds: 0.25 }],
};

describe('a checkpoint', () => {
  const file = path('checkpoint');

  test('a checkpoint restores the exact state and is rejected by a different fit', () => {
    new Checkpoint(file, 'this').keep(progress, true);
    expect(new Checkpoint(file, 'this').read()).toEqual(progress);
    expect(() => new Checkpoint(file, 'another').read()).toThrow(
      'checkpoint belongs to a fit with other data, other options or another version of the program; choose another --out, or delete the file',
    );
    expect(new Checkpoint(path('none'), 'this').read()).toBeNull();
  });

  test('a damaged checkpoint is ignored', () => {
    const bytes = readFileSync(file);
    for (const damaged of [bytes.subarray(0, bytes.length - 9), bytes.subarray(0, 20), Buffer.alloc(0)]) {
      writeFileSync(file, damaged);
      expect(new Checkpoint(file, 'this').read()).toBeNull();
    }
    const flipped = Buffer.from(bytes);
    flipped[bytes.length - 30] ^= 1;
    writeFileSync(file, flipped);
    expect(new Checkpoint(file, 'this').read()).toBeNull();
  });
});

interface Outcome {
  code: number | null;
  stdout: string;
}

/** Runs the tuner; the signal is sent when `stop.when` returns true. */
function run(
  args: string[],
  stop?: { signal: 'SIGINT' | 'SIGKILL'; when: (stdout: string) => boolean },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder });
    let stdout = '';
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    const timer = setInterval(() => {
      if (stop === undefined || !stop.when(stdout)) return;
      clearInterval(timer);
      child.kill(stop.signal);
    }, 20);
    child.on('exit', (code) => {
      clearInterval(timer);
      resolve({ code, stdout });
    });
  });
}

const weights = (out: string): string => readFileSync(path(`${out}/weights.json`), 'utf8');

describe('a fit', () => {
  const settings: TuneSettings = {
    ...DEFAULTS,
    data: [path('few.vf')],
    start: 'material',
    holdout: 0,
    rate: 1,
    epochs: 8,
    workers: 1,
    method: 'adam',
    l2: 1,
  };
  writeFileSync(path('few.vf'), Buffer.concat(playGames(12, 3).map(encodeGame)));

  const ways: [string, Partial<TuneSettings>, number][] = [
    ['in one go', {}, 4],
    ['in the second round of resolving', { resolve: 'qsearch', reResolve: 3 }, 5],
  ];
  test.each(isSlow ? ways : ways.slice(0, 1))(
    'a fit %s gives the same result when interrupted and resumed',
    async (name, changes, last) => {
      const kept = path(`${name}.checkpoint`);
      const whole = await tune({ ...settings, ...changes });
      const stop = new AbortController();
      let epochs = 0;
      const onEpoch = (): void => {
        if (++epochs === last) stop.abort();
      };
      const cut = await tune({ ...settings, ...changes }, { onEpoch, signal: stop.signal }, kept);
      expect(cut.fit.stopped).toBe('interrupted');
      expect(existsSync(kept)).toBe(true);
      const from: number[] = [];
      const continued = await tune({ ...settings, ...changes }, { onContinue: (epoch) => from.push(epoch) }, kept);
      expect(from).toEqual([expect.any(Number)]);
      expect(from[0]).toBeGreaterThan(0);
      expect(continued.weights).toEqual(whole.weights);
      expect(cut.weights.terms).not.toEqual(whole.weights.terms);
    },
  );
});

describe('a fit of rows', () => {
  const fitRows = (order: string, observer: TuneObserver = {}) => {
    const terms = [{ name: 'mobility', shape: [3], orders: [order], weights: [0, 0, 0] }];
    const header = JSON.stringify({ format: 'heft-rows', version: 1, engine: 'Test', terms });
    const rows = Array.from(
      { length: 90 },
      (_, i) => `${Number((i % 5) + (i % 7) > 4)}\t12\t${i % 3}:${(i % 5) - 2}\n`,
    );
    writeFileSync(path('rows.tsv'), `${header}\nresult\tphase\trow\n${rows.join('')}`);
    const file: TuneSettings = { ...DEFAULTS, data: [], rows: [path('rows.tsv')], method: 'adam', workers: 1 };
    return openProducer(file).then((producer) => tune(file, observer, path('rows.checkpoint'), producer));
  };
  const until = (cut: (stop: () => void) => TuneObserver): TuneObserver => {
    const stop = new AbortController();
    return { ...cut(() => stop.abort()), signal: stop.signal };
  };

  test('a fit of rows is not resumed if its term declarations have changed', async () => {
    await fitRows(
      'steps',
      until((stop) => ({ onEpoch: stop })),
    );
    await expect(fitRows('kinds')).rejects.toThrow('belongs to a fit with other data, other options');
    expect((await fitRows('steps')).fit.stopped).not.toBe('interrupted');
    rmSync(path('rows.checkpoint'));
  });

  test('a resumed fit that is interrupted while learning the prior keeps its best weights', async () => {
    const first = await fitRows(
      'steps',
      until((stop) => ({ onEpoch: ({ epoch }) => epoch === 3 && stop() })),
    );
    const second = await fitRows(
      'steps',
      until((stop) => ({ onPriorRound: stop })),
    );
    expect(first.fit.bestEpoch).toBeGreaterThan(0);
    expect(second.fit).toMatchObject({ stopped: 'interrupted', epochs: 3, bestEpoch: first.fit.bestEpoch });
    expect(second.weights.terms).toEqual(first.weights.terms);
    const from: number[] = [];
    await fitRows('steps', { onContinue: (epoch) => from.push(epoch) });
    expect(from).toEqual([3]);
  });
});

describe('a fit with a learnt prior', () => {
  const base: TuneSettings = {
    ...DEFAULTS,
    data: [path('few.vf')],
    start: 'material',
    holdout: 0,
    certainty: 0,
    workers: 1,
  };

  /** Returns the weights of an undisturbed fit, and of one that is interrupted by the observer and then continued. */
  async function both(settings: TuneSettings, observerOf: (stop: () => void) => TuneObserver): Promise<object[]> {
    const kept = path('interrupted.checkpoint');
    const stop = new AbortController();
    await tune(settings, { ...observerOf(() => stop.abort()), signal: stop.signal }, kept);
    const continued = await tune(settings, {}, kept);
    rmSync(kept, { force: true });
    return [(await tune(settings)).weights.terms, continued.weights.terms];
  }

  slowTest('a fit interrupted while learning the prior starts over', { timeout: 180_000 }, async () => {
    const [whole, continued] = await both(base, (stop) => ({ onPriorRound: stop }));
    expect(continued).toEqual(whole);
  });

  slowTest(
    'a fit resumed in its first resolving round uses the prior strengths of the start weights',
    { timeout: 180_000 },
    async () => {
      writeFileSync(path('start.json'), formatWeights(HEFT, (await tune({ ...base, epochs: 3 })).weights));
      const settings = {
        ...base,
        start: path('start.json'),
        prior: 'material',
        resolve: 'qsearch' as const,
        reResolve: 4,
      };
      const [whole, continued] = await both({ ...settings, epochs: 4 }, (stop) => ({
        onEpoch: ({ epoch }) => epoch === 1 && stop(),
      }));
      expect(continued).toEqual(whole);
    },
  );
});

describe.runIf(isSlow)('tune', () => {
  if (isSlow) writeFileSync(path('games.vf'), Buffer.concat(playGames(60, 2).map(encodeGame)));
  const common = [
    '--data',
    'games.vf',
    '--start',
    'material',
    '--holdout',
    '0.2',
    '--workers',
    '1',
    '--no-study',
    '--l2',
    '1',
  ];

  longTest('tune gives the same result when stopped with Ctrl-C and resumed', async () => {
    const args = [...common, '--method', 'adam', '--epochs', '1500', '--patience', '1500'];
    const cut = await run([...args, '--out', 'cut'], { signal: 'SIGINT', when: (stdout) => stdout.includes('K  ') });
    expect(cut.code).toBe(130);
    expect(existsSync(path('cut/checkpoint'))).toBe(true);
    const [continued, whole] = await Promise.all([run([...args, '--out', 'cut']), run([...args, '--out', 'whole'])]);
    expect([continued.code, whole.code]).toEqual([0, 0]);
    expect(continued.stdout).toContain('continuing after epoch');
    expect(whole.stdout).not.toContain('continuing');
    expect(weights('cut')).toBe(weights('whole'));
    expect(existsSync(path('cut/checkpoint'))).toBe(false);
  });

  // methods.test.ts covers continuing every method from any epoch
  test.runIf(isLong).each([
    ['with positions resolved again', 'gd', 1500, ['--resolve', 'qsearch', '--re-resolve', '750']],
    ['in one go', 'adam', 1500, ['--batch', '500']],
  ])(
    'tune gives the same result when stopped with SIGKILL and resumed: %s',
    async (name, method, epochs, resolution) => {
      const length = ['--epochs', String(epochs), '--patience', String(epochs)];
      const args = [...common, '--method', method, ...length, ...resolution];
      const [out, whole] = [`killed ${name}`, `whole ${name}`];
      const checkpoint = path(`${out}/checkpoint`);
      const when = (): boolean => existsSync(checkpoint);
      expect((await run([...args, '--out', out], { signal: 'SIGKILL', when })).code).toBeNull();
      const [continued] = await Promise.all([run([...args, '--out', out]), run([...args, '--out', whole])]);
      expect(continued.stdout).toContain('continuing after epoch');
      expect(weights(out)).toBe(weights(whole));
      expect(existsSync(checkpoint)).toBe(false);
    },
    300_000,
  );
});
