// Timed games while this process is suspended: neither side's clock runs.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { control } from '../../../engine/engine.js';
import { weightVectors } from '../../../engine/eval/weight-set.js';
import { defaultSettings } from '../../../selfplay/common/options.js';
import { projectFile } from '../../../selfplay/common/program.js';
import { loadWeights } from '../../../selfplay/common/weights.js';
import { playSelfplayGame } from '../../../selfplay/datagen/game.js';
import { SELFPLAY_OPTIONS } from '../../../selfplay/datagen/settings.js';
import { workingTime } from '../../../selfplay/games/pauses.js';
import { slowTest } from '../../support/slow.js';

const MAIN = fileURLToPath(projectFile('dist/selfplay/datagen/main.js'));
const scratch = mkdtempSync(join(tmpdir(), 'heft-selfplay-pauses-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test('working time does not include suspensions of the process', () => {
  let time = 5000;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => time);
  const from = workingTime();
  for (; time < 5100; time += 5) workingTime();
  time += 600;
  expect(workingTime() - from).toBe(95);
  now.mockRestore();
});

test('a suspension does not change a timed game', () => {
  const game = (pauseAt: number) => {
    let reads = 0;
    control.now = () => {
      if (++reads === pauseAt) standStill(300);
      return reads;
    };
    const tc = { moves: 0, time: 400, increment: 1 };
    const { mg, eg } = weightVectors(loadWeights('shipped'));
    const settings = { ...defaultSettings(SELFPLAY_OPTIONS), tc, maxMoves: 20, book: [], out: '', command: '', mg, eg };
    return playSelfplayGame(settings, 0);
  };
  expect(game(50)).toEqual(game(0));
});

slowTest('a run that was suspended by SIGSTOP reports the duration of the pause', { timeout: 60_000 }, async () => {
  const out = join(scratch, 'run');
  const args = ['--games', '2', '--tc', '2', '--workers', '1', '--max-moves', '30', '--out', out];
  const child = spawn(process.execPath, [MAIN, ...args]);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const shard = join(out, 'shard-0000.vf');
  while (!existsSync(shard) || statSync(shard).size === 0) await sleep(20);
  await sleep(200);
  child.kill('SIGSTOP');
  await sleep(3000);
  child.kill('SIGCONT');
  expect(await ended).toBe(0);
  expect(stderr).toMatch(
    /shard-\d+\.vf: this process was suspended for [2-4]\.\d s during a game, whose clocks were stopped\n/,
  );
});
