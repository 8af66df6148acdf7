// The runner is suspended while engines search: their clocks are not charged, and an affected game is replayed.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { GameLimits } from '../../../selfplay/games/clock.js';
import { type MatchResult, runMatch } from '../../../selfplay/match/match.js';
import { DEFAULT_GAMES } from '../../../selfplay/series/game-settings.js';
import { FAKE_ENGINE, fakeEngine } from '../../support/fake-engine.js';

const MAIN = fileURLToPath(new URL('../../../dist/selfplay/match/main.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'heft-pauses-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Long enough for a busy machine, and shorter than the long pause. */
const PATIENCE = 3000;
const LONG_PAUSE = 3500;

const CLOCK: GameLimits = { tc: { moves: 0, time: PATIENCE, increment: 0 }, margin: 0, stall: 60_000 };
const NODES: GameLimits = { nodes: 5, margin: 0, stall: PATIENCE };

/** Time of the engines for their first move, and delay between the start of a game and the suspension. */
const THINKING = 500;
const PAUSE_AT = 200;

function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Plays two games; the process is suspended for each of the pauses in turn after the start of a game. */
async function play(limits: GameLimits, pauses: number[] = []) {
  const engines = ['A', 'B'].map((name, i) => ({
    spec: { ...fakeEngine(`seed=${i}`, `late=1:${THINKING}`), name },
    limits,
  }));
  const warnings: string[] = [];
  const games: object[] = [];
  const settings = { ...DEFAULT_GAMES, plies: 4, maxMoves: 4, seed: 3, workers: 1, engines, games: 2 };
  const result: MatchResult = await runMatch(settings, {
    onWarning: (text) => warnings.push(text),
    onEvent: (event) => {
      if (event.type === 'game') games.push({ ...event.game, times: [] });
      if (event.type !== 'begin') return;
      const pause = pauses.shift();
      if (pause !== undefined) setTimeout(() => standStill(pause), PAUSE_AT);
    },
  });
  return { result, games, warnings };
}

const AGAIN = 'game 1: this process was suspended or delayed while an engine was thinking: the game is replayed';

describe('a suspended runner', () => {
  test('a suspension is not charged to an engine: the game is replayed with a warning', async () => {
    const { result, warnings } = await play(CLOCK, [LONG_PAUSE]);
    expect(warnings[0]).toBe(AGAIN);
    expect(result).toMatchObject({ finished: true, games: 2, failures: [], endings: { 'maximal length': 2 } });
  });

  test('a match continues even if the runner is suspended during every attempt at a game', async () => {
    const { result, warnings } = await play(CLOCK, [LONG_PAUSE, LONG_PAUSE, LONG_PAUSE]);
    expect(warnings.slice(0, 3)).toEqual([
      ...[AGAIN, AGAIN],
      'game 1: this process was suspended or delayed while an engine was thinking: the game counts anyway, after 3 attempts',
    ]);
    expect(result).toMatchObject({ finished: true, games: 2, failures: [{ game: 1, termination: 'time forfeit' }] });
  });

  test('a suspension does not affect games at fixed nodes, and is reported only if an engine seemed to stall', async () => {
    const plain = await play(NODES);
    const short = await play(NODES, [600]);
    const long = await play(NODES, [LONG_PAUSE]);
    expect([plain.warnings, short.warnings, long.warnings]).toEqual([[], [], [AGAIN]]);
    expect(short.games).toEqual(plain.games);
    expect(long.games).toEqual(plain.games);
  });

  test('a suspension by SIGSTOP is detected when the process continues', async () => {
    const events = join(scratch, 'events.jsonl');
    const engines = ['A', 'B'].flatMap((name) => [
      ...['--engine', `cmd=${process.execPath}`, `args=${FAKE_ENGINE} late=1:${THINKING}`, `name=${name}`],
    ]);
    const options = [
      '--tc',
      String(PATIENCE / 1000),
      '--games',
      '2',
      '--max-moves',
      '4',
      '--workers',
      '1',
      '--events',
      events,
    ];
    const child = spawn(process.execPath, [MAIN, ...engines, ...options, '--out', join(scratch, 'run')]);
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    while (!stderr.includes('2 games')) await sleep(5);
    while (!(existsSync(events) && readFileSync(events, 'utf8').includes('gameStart'))) await sleep(5);
    await sleep(PAUSE_AT);
    child.kill('SIGSTOP');
    await sleep(LONG_PAUSE);
    child.kill('SIGCONT');
    expect(await ended).toBe(0);
    expect(stderr).toContain(AGAIN);
    expect(readFileSync(events, 'utf8')).toContain('{"type":"gameRestart","game":1,');
    expect(JSON.parse(readFileSync(join(scratch, 'run/result.json'), 'utf8'))).toMatchObject({ failures: [] });
  });
});

test('changes of the system clock do not affect games', async () => {
  let calls = 0;
  const { now } = Date;
  const jumping = vi.spyOn(Date, 'now').mockImplementation(() => now() + (calls++ % 2 === 0 ? 1 : -1) * 3_600_000);
  const { result } = await play(CLOCK);
  jumping.mockRestore();
  expect(result).toMatchObject({ finished: true, games: 2, failures: [] });
});
