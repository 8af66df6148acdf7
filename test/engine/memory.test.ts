// Resident memory of the process, as reported by Linux: it does not grow from game to game, and an old hash table is released.

import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineProcess } from './engine-process.js';

const isLinux = existsSync('/proc/self/status');
const isSlow = process.env['HEFT_SLOW'] !== undefined;

describe.skipIf(!isLinux)('memory', () => {
  let engine: EngineProcess;
  beforeEach(() => {
    engine = new EngineProcess();
  });
  afterEach(() => engine.kill());

  const isReady = async (...lines: string[]): Promise<void> => {
    engine.send(...lines, 'isready');
    await engine.until(/^readyok$/);
  };
  /** Returns the resident memory in mebibytes. */
  const resident = (): number => {
    const status = readFileSync(`/proc/${engine.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };
  // Clearing a table makes it resident
  const setHash = (megabytes: number): Promise<void> =>
    isReady(`setoption name Hash value ${megabytes}`, 'setoption name Clear Hash');

  test.each([1, 2])('memory does not grow during a thousand games with %i threads', async (threads) => {
    await isReady('setoption name Hash value 1', `setoption name Threads value ${threads}`);
    const game = ['ucinewgame', 'position startpos moves e2e4', 'go nodes 20'];
    const games = (count: number): Promise<void> => isReady(...Array.from({ length: count }, () => game).flat());
    await games(300);
    const before = resident();
    await games(1000);
    expect(resident() - before, 'MB').toBeLessThan(40);
  });

  test('a table allocated before the helpers started is also released', async () => {
    await setHash(1);
    const before = resident();
    await setHash(128);
    await isReady('setoption name Threads value 2');
    await setHash(1);
    await expect.poll(() => resident() - before, { timeout: 20_000 }).toBeLessThan(64);
  });

  test.each([1, 2])(
    'memory is released after each reduction of the hash size, with %i threads',
    async (threads) => {
      const [large, changes] = isSlow ? [256, 12] : [64, 12];
      await isReady(`setoption name Threads value ${threads}`);
      await setHash(1);
      const before = resident();
      for (let i = 0; i < changes; i++) {
        await setHash(large);
        expect(resident() - before, 'MB while large').toBeGreaterThan(0.5 * large);
        expect(resident() - before, 'MB while large').toBeLessThan(2.5 * large);
        await setHash(1);
        // V8 releases the memory from another thread
        await expect.poll(() => resident() - before, { timeout: 20_000 }).toBeLessThan(0.5 * large);
      }
    },
    // Some machines take seconds to make a gigabyte resident
    180_000,
  );
});
