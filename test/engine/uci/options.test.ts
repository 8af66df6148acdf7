import { describe, expect, test } from 'vitest';
import { identify, parseSetOption } from '../../../engine/uci/options.js';

describe('the answer to uci', () => {
  const lines = identify();

  test('begins with name and author and ends with uciok', () => {
    expect(lines[0]).toMatch(/^id name \S.+/);
    expect(lines[1]).toMatch(/^id author \S.+/);
    expect(lines.at(-1)).toBe('uciok');
    expect(lines.filter((line) => line.startsWith('id ') || line === 'uciok')).toHaveLength(3);
  });

  test('declares options as the protocol writes them, each once', () => {
    const options = lines.slice(2, -1);
    for (const line of options) {
      expect(line).toMatch(
        /^option name [A-Z]\S*( \S+)* type (button|check default (true|false)|string default \S.*|spin default -?\d+ min -?\d+ max -?\d+)$/,
      );
      const spin = / default (-?\d+) min (-?\d+) max (-?\d+)$/.exec(line);
      if (spin === null) continue;
      const [value, min, max] = spin.slice(1).map(Number);
      expect(min <= value && value <= max, line).toBe(true);
    }
    const names = options.map((line) => / name (.+) type /.exec(line)?.[1]);
    expect(new Set(names).size).toBe(names.length);
    for (const name of ['Hash', 'Threads', 'Ponder', 'MultiPV', 'Move Overhead', 'UCI_Chess960', 'EvalFile']) {
      expect(names).toContain(name);
    }
  });
});

describe('setoption', () => {
  test.each([
    ['setoption name Hash value 64', { name: 'Hash', value: 64 }],
    ['setoption name hash value 64', { name: 'Hash', value: 64 }],
    ['  SetOption  NAME  Hash  VALUE  64  ', { name: 'Hash', value: 64 }],
    ['setoption name Move Overhead value 100', { name: 'Move Overhead', value: 100 }],
    ['setoption name move   overhead value 100', { name: 'Move Overhead', value: 100 }],
    ['setoption name Clear Hash', { name: 'Clear Hash', value: '' }],
    ['setoption name UCI_Chess960 value true', { name: 'UCI_Chess960', value: true }],
    ['setoption name UCI_Chess960 value FALSE', { name: 'UCI_Chess960', value: false }],
    ['setoption name EvalFile value /tmp/my weights.json', { name: 'EvalFile', value: '/tmp/my weights.json' }],
    ['setoption name EvalFile value <empty>', { name: 'EvalFile', value: '' }],
    ['setoption name EvalFile value', { name: 'EvalFile', value: '' }],
    ['setoption name EvalFile', { name: 'EvalFile', value: '' }],
    ['setoption name MultiPV value 1', { name: 'MultiPV', value: 1 }],
    ['setoption name Hash value 1', { name: 'Hash', value: 1 }],
  ])('%s', (line, setting) => {
    expect(parseSetOption(line)).toEqual(setting);
  });

  test.each([
    ['setoption', /needs a name/],
    ['setoption Hash 64', /needs a name/],
    ['setoption name Hush value 64', /no such option: Hush/],
    ['setoption name Hash', /Hash is a number from 1 to \d+/],
    ['setoption name Hash value', /Hash is a number/],
    ['setoption name Hash value 0', /Hash is a number/],
    ['setoption name Hash value -5', /Hash is a number/],
    ['setoption name Hash value 99999999', /Hash is a number/],
    ['setoption name Hash value 1e9', /Hash is a number/],
    ['setoption name Hash value 64MB', /Hash is a number/],
    ['setoption name Hash value NaN', /Hash is a number/],
    ['setoption name UCI_Chess960 value yes', /true or false/],
    ['setoption name UCI_Chess960', /true or false/],
  ])('%s is refused', (line, message) => {
    expect(parseSetOption(line)).toMatch(message);
  });
});
