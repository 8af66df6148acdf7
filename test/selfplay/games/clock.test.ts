import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  describeLimits,
  GameClock,
  type GameLimits,
  parseTimeControl,
  timeControlTag,
} from '../../../selfplay/games/clock.js';
import { longestDelay, pausesSoFar } from '../../../selfplay/games/pauses.js';

const limits = (part: Partial<GameLimits>): GameLimits => ({ margin: 0, stall: 1000, ...part });
const tc = (text: string, part: Partial<GameLimits> = {}): GameLimits =>
  limits({ tc: parseTimeControl(text), ...part });

describe('time controls', () => {
  test.each([
    ['8+0.08', { moves: 0, time: 8000, increment: 80 }],
    ['40/60', { moves: 40, time: 60_000, increment: 0 }],
    ['40/2:30+1', { moves: 40, time: 150_000, increment: 1000 }],
    ['.5+.01', { moves: 0, time: 500, increment: 10 }],
  ])('the time control %s is parsed', (text, control) => {
    expect(parseTimeControl(text)).toEqual(control);
  });

  test.each(['', 'x', '1+', '0', '0/10', '10+-1', '1e3', 'inf+1', '0.0004'])(
    "the time control '%s' is rejected with the name of the option",
    (text) => {
      expect(() => parseTimeControl(text, '--tc')).toThrow(/^--tc takes a time control such as/);
    },
  );

  test('time controls are formatted for PGN and for messages', () => {
    expect(timeControlTag(tc('40/60+0.6'))).toBe('40/60+0.6');
    expect(timeControlTag(limits({ movetime: 100 }))).toBe('0.1/move');
    expect(timeControlTag(limits({ nodes: 5 }))).toBe('-');
    expect(describeLimits(tc('1+0.01', { nodes: 500 }))).toBe('1+0.01, 500 nodes per move');
  });
});

describe('a clock', () => {
  test('a clock subtracts the time of each move and adds the increment, from the first move on', () => {
    const clock = new GameClock(tc('1+0.05'));
    expect(clock.left).toBe(1050);
    expect(clock.spend(300)).toBe(true);
    expect(clock.left).toBe(800);
    expect(clock.spend(801)).toBe(false);
  });

  test('a clock with movestogo adds its base time after each period', () => {
    const clock = new GameClock(tc('2/1'));
    const other = new GameClock(tc('2/1'));
    expect(GameClock.go(clock, other, true)).toBe('go wtime 1000 btime 1000 movestogo 2');
    clock.spend(400);
    expect(GameClock.go(clock, other, true)).toBe('go wtime 600 btime 1000 movestogo 1');
    expect(GameClock.go(clock, other, false)).toBe('go wtime 600 btime 1000 movestogo 2');
    clock.spend(100);
    expect(GameClock.go(clock, other, true)).toBe('go wtime 1500 btime 1000 movestogo 2');
  });

  test('a clock tolerates an overrun within the margin, but does not add the margin', () => {
    const clock = new GameClock(tc('1', { margin: 50 }));
    expect(clock.spend(1040)).toBe(true);
    expect(clock.left).toBe(0);
    expect(clock.allowance()).toBe(50);
    expect(new GameClock(limits({ movetime: 100, margin: 20 })).spend(121)).toBe(false);
  });

  test('without a clock, the stall timeout applies', () => {
    const clock = new GameClock(limits({ nodes: 100, depth: 3 }));
    expect(clock.isTimed).toBe(false);
    expect([clock.spend(999), clock.spend(1001)]).toEqual([true, false]);
    expect(GameClock.go(clock, new GameClock(tc('1')), true)).toBe('go nodes 100 depth 3');
  });

  test('a side with a clock can play a side with a different limit', () => {
    const white = new GameClock(limits({ movetime: 100 }));
    const black = new GameClock(tc('1+0.1'));
    expect(GameClock.go(white, black, true)).toBe('go movetime 100');
    expect(GameClock.go(white, black, false)).toBe('go btime 1100 binc 100');
  });
});

test('a delay of this process is measured', async () => {
  await sleep(10);
  // Delays before this point do not count
  pausesSoFar();
  const start = performance.now();
  expect(longestDelay(start)).toBe(0);
  while (performance.now() - start < 150);
  // A look at the pauses during a delay does not shorten it
  pausesSoFar();
  while (performance.now() - start < 300);
  expect(longestDelay(start)).toBeGreaterThan(195);
  // The timer ticks again
  await sleep(10);
  expect(longestDelay(performance.now())).toBe(0);
});
