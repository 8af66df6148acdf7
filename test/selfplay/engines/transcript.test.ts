import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { TrafficLog, Transcript } from '../../../selfplay/engines/transcript.js';

test('a transcript has one line per message, joined from chunks and truncated if long', () => {
  const transcript = new Transcript();
  transcript.add('>', 'position startpos\ngo nodes 5\n');
  transcript.add('<', 'info dep');
  transcript.add('!', 'panic\n');
  transcript.add('<', `th 1\r\n${'x'.repeat(1000)}\nbestmo`);
  const lines = transcript.format().trimEnd().split('\n');
  expect(lines.map((line) => line.slice(10))).toEqual([
    '> position startpos',
    '> go nodes 5',
    '! panic',
    '< info depth 1',
    `< ${'x'.repeat(400)}… (1000 characters)`,
    '< bestmo (no end of line)',
  ]);
});

test('a new run appends to the log of an earlier run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heft-log-'));
  const warnings: string[] = [];
  for (const engine of ['A', 'B']) {
    const log = new TrafficLog(join(folder, 'traffic.log'), (warning) => warnings.push(warning));
    log.sinkOf(engine)('>', 'uci\n');
    log.close();
  }
  expect(warnings).toEqual([]);
  expect(readFileSync(join(folder, 'traffic.log'), 'utf8')).toMatch(/ A\S* > uci\n.* B\S* > uci\n$/);
  rmSync(folder, { recursive: true });
});

test('a transcript drops its oldest lines above a limit and keeps times relative to the start', () => {
  const transcript = new Transcript();
  const clock = vi.spyOn(performance, 'now');
  const kept: number[] = [];
  for (let i = 0; i < 3000; i++) {
    clock.mockReturnValue(500 + i);
    transcript.add('<', `${i} ${'x'.repeat(1000)}\n`);
    if (i >= 1100 && i % 100 === 0) kept.push(transcript.format().split('\n').length);
  }
  clock.mockRestore();
  const lines = transcript.format().trimEnd().split('\n');
  expect(lines.at(-1)).toContain(' 2.999 < 2999 x');
  expect(Math.max(...kept)).toBeLessThan(1100);
  expect(Math.min(...kept)).toBeGreaterThan(500);
});

test('a log includes the last line of an engine, even without a line break', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heft-log-'));
  const file = join(folder, 'traffic.log');
  const log = new TrafficLog(file, () => {});
  const sinks = [log.sinkOf('A'), log.sinkOf('B')];
  sinks[0]('!', 'out of memory');
  sinks[1]('<', 'uciok\n');
  log.close();
  expect(readFileSync(file, 'utf8')).toMatch(/^\S+ B#2 < uciok\n\S+ A#1 ! out of memory\n$/);
  rmSync(folder, { recursive: true });
});

test('logging stops with one warning if the log file is moved', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heft-log-'));
  const file = join(folder, 'traffic.log');
  const warnings: string[] = [];
  const sink = new TrafficLog(file, (warning) => warnings.push(warning)).sinkOf('A');
  sink('>', 'uci\n');
  expect(readFileSync(file, 'utf8')).toMatch(/ A#1 > uci\n$/);
  renameSync(file, `${file}.1`);
  sink('<', 'uciok\n');
  sink('<', 'readyok\n');
  expect(warnings).toEqual([expect.stringMatching(/^--log: logging has stopped: /)]);
  rmSync(folder, { recursive: true });
});
