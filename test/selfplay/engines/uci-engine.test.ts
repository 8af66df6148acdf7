import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { isRunning } from '../../../selfplay/common/folder-lock.js';
import { optionProblem } from '../../../selfplay/engines/output.js';
import type { EngineSpec } from '../../../selfplay/engines/process.js';
import { TIMEOUTS, UciEngine } from '../../../selfplay/engines/uci-engine.js';
import { fakeEngine } from '../../support/fake-engine.js';
import { slowTest } from '../../support/slow.js';

const normal = { ...TIMEOUTS };
afterEach(() => Object.assign(TIMEOUTS, normal));

async function withEngine<T>(spec: EngineSpec, use: (engine: UciEngine) => Promise<T>): Promise<T> {
  const engine = await UciEngine.start(spec);
  try {
    return await use(engine);
  } finally {
    await engine.quit();
  }
}

const search = (engine: UciEngine, limit = 5000) => engine.go('position startpos moves e2e4', 'go nodes 10', limit);

describe('a well-behaved engine', () => {
  test('an engine receives only valid options and returns its name, move, score, depth and nodes', async () => {
    const spec = { ...fakeEngine('score=-31'), options: { Hash: '16', Threads: '2', hash: '99999' } };
    await withEngine(spec, async (engine) => {
      expect(engine.id).toBe('Fake 1');
      expect(engine.warnings).toEqual([
        'option Threads=2 not set: the engine has no such option',
        'option hash=99999 not set: it takes a number from 1 to 64',
      ]);
      await engine.newGame(false);
      const answer = await search(engine);
      expect(answer).toMatchObject({ score: -31, depth: 3, nodes: 10 });
      expect(answer.move).toMatch(/^[a-h][1-8][a-h][1-8]$/);
      expect(answer.milliseconds).toBeGreaterThan(0);
    });
  });

  test("option names are sent in the engine's spelling", async () => {
    await withEngine({ ...fakeEngine(), options: { hASH: '16', uci_chess960: 'true' } }, async (engine) => {
      expect(engine.warnings).toEqual([]);
      expect(engine.transcript.format()).toMatch(
        /setoption name Hash value 16\n.*setoption name UCI_Chess960 value true\n/,
      );
    });
  });

  test('a button option is sent unless its value is false', async () => {
    const sent = (value: string) =>
      withEngine({ ...fakeEngine(), options: { clear: value } }, async (engine) => engine.transcript.format());
    expect(await sent('true')).toMatch(/> setoption name Clear\n/);
    expect(await sent('false')).not.toContain('setoption name Clear');
  });

  test('the last exact score of the first PV is kept, with mate scores counted in plies', async () => {
    const scores = ['score=5,bounds=1', 'score=mate:2', 'score=mate:-1', 'score=none'].map((words) =>
      withEngine(fakeEngine(...words.split(',')), async (engine) => (await search(engine)).score),
    );
    expect(await Promise.all(scores)).toEqual([5, 31997, -31998, null]);
  });

  test('unknown lines and fragmented output are handled', async () => {
    await withEngine(fakeEngine('garbage=1', 'split=1', 'score=7'), async (engine) => {
      expect((await search(engine)).score).toBe(7);
      expect((await search(engine)).move).toMatch(/^[a-h][1-8][a-h][1-8]$/);
    });
  });
});

test('a line may start with spaces and tabs, and have tabs between words', async () => {
  const { command, args } = fakeEngine('score=7');
  const pipe = '"$0" "$@" | sed -u "s/^/ \t /; s/ score /\tscore\t/"';
  await withEngine({ command: 'sh', args: ['-c', pipe, command, ...args], options: { Hash: '16' } }, async (engine) => {
    expect([engine.id, engine.warnings]).toEqual(['Fake 1', []]);
    expect(await search(engine)).toMatchObject({ score: 7, move: expect.stringMatching(/^[a-h][1-8][a-h][1-8]$/) });
  });
});

test('the value of an option is checked against its type', () => {
  const combo = 'combo default Very Solid var Very Solid var Risky';
  expect(optionProblem('check default false', '1')).toBe('it takes true or false');
  expect(optionProblem('check default false', 'true')).toBeNull();
  expect(optionProblem('spin default 0 min 0 max 10', '')).toBe('it takes a number from 0 to 10');
  expect(optionProblem(combo, 'Wild')).toBe('it takes Very Solid, Risky');
  expect(['Very Solid', 'risky'].map((value) => optionProblem(combo, value))).toEqual([null, null]);
  expect(optionProblem('combo var Solid var Risky default Solid', 'Risky')).toBeNull();
});

slowTest.each(['', 'crash=1'])('the child processes of an engine end with it (%s)', async (words) => {
  const folder = mkdtempSync(join(tmpdir(), 'heft-children-'));
  const file = join(folder, 'pid');
  const { command, args } = fakeEngine(words);
  const line = 'sleep 600 & echo $! > "$0"; exec "$@"';
  const engine = await UciEngine.start({ command: 'sh', args: ['-c', line, file, command, ...args], options: {} });
  const child = Number(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  expect(isRunning(child)).toBe(true);
  await search(engine).catch(() => undefined);
  await engine.quit();
  for (let waited = 0; isRunning(child) && waited < 5000; waited += 20) await sleep(20);
  const isLeft = isRunning(child);
  if (isLeft) process.kill(child);
  expect(isLeft).toBe(false);
});

describe('an engine that fails', () => {
  test.each([
    ['crash', 'ended with exit code 1'],
    ['mute', 'no uciok within 0.3 s'],
    ['junk', 'no uciok within 0.3 s'],
  ])('an engine that fails to start is reported (%s)', async (how, message) => {
    TIMEOUTS.start = how === 'crash' ? 20_000 : 300;
    const error = await UciEngine.start(fakeEngine(`start=${how}`)).catch((failure) => failure);
    expect(error).toMatchObject({ kind: 'start', message });
  });

  test('a missing program is reported', async () => {
    const start = UciEngine.start({ command: './no-such-engine', args: [], options: {} });
    await expect(start).rejects.toMatchObject({ kind: 'start', message: 'no such program, or no such working folder' });
  });

  test('a crashed engine rejects every search with its error output', async () => {
    const engine = await UciEngine.start(fakeEngine('crash=1'));
    const failure = { kind: 'crash', message: 'ended with exit code 3; error output: Error: told to crash' };
    await expect(search(engine)).rejects.toMatchObject(failure);
    expect(engine.alive).toBe(false);
    await expect(search(engine)).rejects.toMatchObject(failure);
  });

  test('a stalled engine is sent stop and may answer late', async () => {
    await withEngine(fakeEngine('hang=1'), async (engine) => {
      const answer = await search(engine, 200);
      expect(answer.milliseconds).toBeGreaterThanOrEqual(200);
      expect(engine.alive).toBe(true);
      expect((await search(engine)).milliseconds).toBeLessThan(5000);
    });
  });

  test('an engine that does not respond to stop is killed', async () => {
    TIMEOUTS.stop = 200;
    const engine = await UciEngine.start(fakeEngine('deaf=1'));
    await expect(search(engine, 100)).rejects.toMatchObject({ kind: 'stall' });
    expect(engine.alive).toBe(false);
  });
});
