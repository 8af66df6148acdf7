import { afterEach, beforeEach, expect, test } from 'vitest';
import { control, newGame, STOP } from '../../engine/engine.js';
import { createUci } from '../../engine/uci/uci.js';

const now = control.now;
beforeEach(() => {
  control.now = () => performance.now();
});
afterEach(() => {
  control.now = now;
});

/** Returns what an engine says to the lines, times aside. */
function session(warmsUp: boolean, lines: readonly string[]): string[] {
  const output: string[] = [];
  const unused = (): never => {
    throw new Error('not needed');
  };
  const port = { readFile: unused, sleep: unused, spawn: unused, collect: () => {}, flush: () => {}, memory: 1024 };
  newGame();
  control.flags[STOP] = 0;
  const send = createUci({ ...port, tunes: false, warmsUp, write: (line) => output.push(line) });
  for (const line of lines) send(line);
  return output.map((line) => line.replace(/ (nps|time) \d+/g, ''));
}

test('a warm-up changes nothing that is said afterwards, repetitions of the game included', () => {
  const shuffle = 'g1f3 g8f6 f3g1 f6g8';
  const lines = [`position startpos moves e2e4 e7e5 ${shuffle} g1f3 g8f6 f3g1`, 'isready', 'd', 'go depth 9'];
  const start = performance.now();
  const warm = session(true, lines);
  expect(performance.now() - start).toBeGreaterThan(1000);
  expect(warm).toEqual(session(false, lines));
});
