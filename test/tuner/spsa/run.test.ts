import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DEFAULT_GAMES } from '../../../selfplay/series/game-settings.js';
import { DEFAULT_METHOD } from '../../../tuner/spsa/method.js';
import { playRun, type RunSettings } from '../../../tuner/spsa/run.js';
import { Tunables } from '../../../tuner/spsa/tunables.js';
import { FAKE_ENGINE } from '../../support/fake-engine.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-spsa-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

const variables = [{ name: 'Hash', kind: 'int' as const, start: 30, min: 1, max: 64, cEnd: 4, rEnd: 0.02 }];

/** Returns the settings of a run of four games whose engine is started by a script that reads its seed from a file. */
function scriptedRun(seedFile: string): RunSettings {
  const args = ['-c', `exec "$0" "$@" seed=$(cat ${seedFile})`, process.execPath, FAKE_ENGINE, 'greedy=1'];
  return {
    spsa: { ...DEFAULT_METHOD, method: 'kiiski', variables, iterations: 2, pairs: 1, ahead: 1, seed: 1 },
    engine: { spec: { command: 'sh', args, options: {} }, limits: { nodes: 5, margin: 0, stall: 20_000 } },
    games: { ...DEFAULT_GAMES, plies: 4, maxMoves: 2, seed: 1, workers: 1 },
    tunables: new Tunables(variables, new Map([['hash', 'spin default 1 min 1 max 64']]), null),
    out: join(folder, 'run'),
  };
}

test('an interrupted run is not continued if a script starts another engine', async () => {
  const seedFile = join(folder, 'seed');
  const settings = scriptedRun(seedFile);
  const start = async (until?: number): Promise<number> => {
    const stop = new AbortController();
    const onGame = ({ spsa }: { spsa: { done: number } }): void => {
      if (spsa.done === until) stop.abort();
    };
    return (await playRun(settings, { signal: stop.signal, onGame }, until)).games;
  };
  writeFileSync(seedFile, '1');
  expect(await start(1)).toBe(2);
  writeFileSync(seedFile, '3');
  await expect(start()).rejects.toThrow(
    /holds a tuning run with engine "Fake 1" \(now "Fake 3"\); choose another --out/,
  );
  writeFileSync(seedFile, '1');
  expect(await start()).toBe(4);
});
