import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LiveDisplay } from '../../../selfplay/common/live-display.js';
import { showProgress } from '../../../selfplay/common/progress.js';
import { formatTime } from '../../../selfplay/common/wording.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream that records its input. */
function stream(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  const output = { isTTY, columns, rows: 24, write: (text: string) => written.push(text) };
  const lines = (): string[] => written.join('').replaceAll('\u001b[1G', '\n').split('\n');
  return { output: output as unknown as NodeJS.WriteStream, written, lines };
}

const status = (games: number): string =>
  `12.5 games/s, 1990 positions/s, ${1395 + games} knps | W ${1190 + games} L 1100 D 900`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escape sequences
const plain = (text: string): string => text.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');

describe('progress', () => {
  test.each([[80], [120], [44]])('at %i columns, no number is truncated and the ETA is visible', (columns) => {
    const { output, lines } = stream(true, columns);
    const bar = showProgress('self-play', 40_000, 'games', output);
    for (let games = 1; games <= 10; games++) {
      vi.advanceTimersByTime(1000);
      bar.update(games, status(games));
    }
    const drawn = lines().map(plain);
    expect(Math.max(...drawn.map((line) => line.length))).toBeLessThan(columns);
    const text = drawn.join(' ').replace(/\s+/g, ' ');
    expect(text).toMatch(/10\/40000 \| ETA 11:06:30 \| 12\.5 games\/s, .* W 1200 L 1100 D 900/);
    expect(text.includes('░')).toBe(columns === 120);
  });

  test('output to a pipe has one line per minute', () => {
    const { output, written } = stream(false);
    const bar = showProgress('fit', 1000, undefined, output);
    for (let epoch = 1; epoch <= 185; epoch++) {
      vi.advanceTimersByTime(1000);
      bar.update(epoch, 'train 0.1');
    }
    expect(written).toHaveLength(3);
    expect(written[0]).toBe('fit 60/1000 | ETA 15:40 | train 0.1\n');
  });

  test('a task of unknown length shows its progress and elapsed time, without an ETA', () => {
    const { output, written } = stream(true);
    const bar = showProgress('fitting', null, undefined, output);
    vi.advanceTimersByTime(12_000);
    bar.update(3, 'train 0.1');
    expect(plain(written.join(''))).toBe('fitting 3 | 0:12 | train 0.1');
  });

  test('a resumed run prints its starting point, and its ETA covers only the remaining work', () => {
    const { output, written } = stream(false);
    const bar = showProgress('self-play', 1000, 'games', output);
    for (let games = 218; games <= 217 + 60; games++) {
      vi.advanceTimersByTime(1000);
      bar.update(games, '');
    }
    expect(written[0]).toBe('continuing: 217 of 1,000 games done\n');
    expect(written[1]).toContain(`277/1000 | ETA ${formatTime(723)}`);
  });

  test('a table wider than the terminal is wrapped between words', () => {
    const { output, lines } = stream(true, 40);
    const display = new LiveDisplay(output);
    vi.advanceTimersByTime(1000);
    display.update(
      () => ['120/300 games, +50 -40 =30, Elo 12.34 +/- 23.45, LLR 1.23 (-2.94, 2.94)'],
      () => '',
    );
    const drawn = lines().map(plain);
    expect(Math.max(...drawn.map((line) => line.length))).toBeLessThan(40);
    expect(drawn.join(' ').replace(/\s+/g, ' ')).toContain('Elo 12.34 +/- 23.45, LLR 1.23 (-2.94, 2.94)');
  });

  test('a table taller than the terminal ends with the number of hidden rows', () => {
    const { output, written } = stream(true);
    output.rows = 10;
    const display = new LiveDisplay(output);
    display.show(...Array.from({ length: 40 }, (_, i) => `row ${i + 1}`));
    const drawn = plain(written.join(''));
    expect(drawn.match(/\n/g)).toHaveLength(8);
    expect(drawn).toMatch(/row 8\s+… 32 more lines$/);
    display.clear();
  });

  test('a word wider than the terminal is truncated', () => {
    const { output, lines } = stream(true, 40);
    new LiveDisplay(output).note(`note: ${'x'.repeat(100)} end`);
    const written = lines().map(plain);
    expect(Math.max(...written.map((line) => line.length))).toBeLessThanOrEqual(40);
    expect(written.join('').replace(/\s+/g, '')).toBe(`note:${'x'.repeat(100)}end`);
  });

  test.each([
    [6.2, '0:07'],
    [750, '12:30'],
    [3723, '1:02:03'],
  ])('%s seconds are formatted as %s', (seconds, text) => expect(formatTime(seconds)).toBe(text));
});
