import { describe, expect, test } from 'vitest';
import { declareOptions, identify, type OptionEffects, parseSetOption } from '../../../engine/uci/options.js';

const options = declareOptions(4096);

describe('the answer to uci', () => {
  const lines = identify(options);

  test('the answer to uci begins with name and author and ends with uciok', () => {
    expect(lines[0]).toMatch(/^id name \S.+/);
    expect(lines[1]).toMatch(/^id author \S.+/);
    expect(lines.at(-1)).toBe('uciok');
    expect(lines.filter((line) => line.startsWith('id ') || line === 'uciok')).toHaveLength(3);
  });

  test('the answer to uci declares each option once, in the format of the protocol', () => {
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
    const wanted = ['Hash', 'Threads', 'Ponder', 'MultiPV', 'Move Overhead', 'UCI_Chess960', 'EvalFile'];
    for (const name of [...wanted, 'UCI_ShowWDL', 'UCI_LimitStrength', 'UCI_Elo']) {
      expect(names).toContain(name);
    }
  });

  test("the answer to uci limits the hash size to the machine's memory", () => {
    expect(lines).toContain('option name Hash type spin default 16 min 1 max 3072');
    expect(identify(declareOptions(1))).toContain('option name Hash type spin default 16 min 1 max 16');
  });
});

/** Returns the settings that a line changes, by name. */
function effectOf(line: string): Record<string, unknown> | string {
  const setting = parseSetOption(line, options);
  if (typeof setting === 'string') return setting;
  const effect: Record<string, unknown> = {};
  const note =
    (name: string) =>
    (value: unknown = true): void => {
      effect[name] = value;
    };
  const session: OptionEffects = {
    set: (changes) => Object.assign(effect, changes),
    setHash: note('hash'),
    clearHash: note('clear'),
    setThreads: note('threads'),
    setChess960: note('chess960'),
    setWeightsFile: note('file'),
    setParam: note('param'),
  };
  setting.apply(session);
  return effect;
}

describe('setoption', () => {
  test.each([
    ['setoption name Hash value 64', { hash: 64 }],
    ['setoption name hash value 64', { hash: 64 }],
    ['  SetOption  NAME  Hash  VALUE  64  ', { hash: 64 }],
    ['setoption name Hash value 1', { hash: 1 }],
    ['setoption name Move Overhead value 100', { moveOverhead: 100 }],
    ['setoption name move   overhead value 100', { moveOverhead: 100 }],
    ['setoption name Clear Hash', { clear: true }],
    ['setoption name Threads value 2', { threads: 2 }],
    ['setoption name UCI_Chess960 value true', { chess960: true }],
    ['setoption name UCI_Chess960 value FALSE', { chess960: false }],
    ['setoption name EvalFile value /tmp/my  weights.json', { file: '/tmp/my  weights.json' }],
    ['setoption name EvalFile value <empty>', { file: '' }],
    ['setoption name EvalFile value', { file: '' }],
    ['setoption name EvalFile', { file: '' }],
    ['setoption name MultiPV value 1', { multiPv: 1 }],
    ['setoption name Ponder value true', {}],
    ['setoption name UCI_AnalyseMode value true', {}],
    ['setoption name UCI_EngineAbout value me', {}],
  ])('%s takes effect', (line, effect) => {
    expect(effectOf(line)).toEqual(effect);
  });

  test.each([
    ['setoption', /needs a name/],
    ['setoption Hash 64', /needs a name/],
    ['setoption name Hush value 64', /no such option: Hush/],
    ['setoption name Hash', /Hash must be a whole number from 1 to \d+/],
    ['setoption name Hash value', /Hash must be a whole number/],
    ['setoption name Hash value 0', /Hash must be a whole number/],
    ['setoption name Hash value -5', /Hash must be a whole number/],
    ['setoption name Hash value 99999999', /Hash must be a whole number/],
    ['setoption name Hash value 1e9', /Hash must be a whole number/],
    ['setoption name Hash value 64MB', /Hash must be a whole number/],
    ['setoption name Hash value NaN', /Hash must be a whole number/],
    ['setoption name UCI_Chess960 value yes', /true or false/],
    ['setoption name UCI_Chess960', /true or false/],
  ])('%s is rejected', (line, message) => {
    expect(effectOf(line)).toMatch(message);
  });
});
