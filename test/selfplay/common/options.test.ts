import { describe, expect, test } from 'vitest';
import { commandLine, joinWords } from '../../../selfplay/common/command-line.js';
import {
  addOptions,
  choice,
  defaultSettings,
  flag,
  givenSettings,
  identityOf,
  list,
  parsed,
  readSettings,
  real,
  text,
  whole,
  words,
} from '../../../selfplay/common/options.js';
import { identityDifference } from '../../../selfplay/common/run-files.js';

const OPTIONS = {
  games: whole('number of games', { min: 1, max: 10, default: 3 }),
  'max-plies': whole('maximum number of plies', { identity: true }),
  pairs: whole('games in pairs', { min: 2, even: true }),
  rate: real('a rate', { above: 0 }),
  share: real('a share', { min: 0, max: 1, default: 0.5 }),
  mode: choice('a mode', ['slow', 'fast'], { default: 'slow', identity: true }),
  keep: flag('keep things', { conflicts: ['out'] }),
  out: text('a folder'),
  data: list('files'),
  date: parsed('a date', (value) => ({ year: Number(value) }), { identity: true }),
  rule: words('words', (value) => value.split(' ')),
};

const parse = (...args: string[]) =>
  addOptions(commandLine('test', ''), OPTIONS).parseSync(joinWords(args, OPTIONS)) as Record<string, unknown>;
const settingsOf = (...args: string[]) => readSettings(OPTIONS, parse(...args));

describe('declared options', () => {
  test('a command without options has the default settings', () => {
    expect(settingsOf()).toEqual({ games: 3, share: 0.5, mode: 'slow', keep: false });
    expect(defaultSettings(OPTIONS)).toEqual(settingsOf());
  });

  test('given values replace the defaults, with names in camelCase', () => {
    const settings = settingsOf('--max-plies', '7', '--mode', 'fast', '--keep', '--data', 'a', 'b', '--date', '2026');
    expect(settings).toMatchObject({ maxPlies: 7, mode: 'fast', keep: true, data: ['a', 'b'], date: { year: 2026 } });
    expect(givenSettings(OPTIONS, parse('--games', '3'))).toEqual({ games: 3 });
  });

  test('a list of words may be one quoted argument or several arguments', () => {
    for (const args of [
      ['--rule', 'a=1', 'b=2'],
      ['--rule', 'a=1 b=2'],
    ]) {
      expect(settingsOf(...args).rule).toEqual(['a=1', 'b=2']);
    }
  });

  test('a command with spaces and no further key is one word', () => {
    expect(settingsOf('--rule', 'cmd=./engine --flag').rule).toEqual(['"cmd=./engine', '--flag"']);
    expect(joinWords(['--rule', 'cmd=./my engine'], OPTIONS)).toEqual(['--rule', '"cmd=./my engine"']);
    expect(joinWords(['--rule', 'cmd=./my engine --x=3'], OPTIONS)).toEqual(['--rule', '"cmd=./my engine --x=3"']);
    expect(joinWords(['--rule', 'cmd=./a name=b'], OPTIONS)).toEqual(['--rule', 'cmd=./a name=b']);
  });

  test.each([
    ['--games takes a whole number from 1 to 10, not 11', ['--games', '11']],
    ['--games takes a whole number from 1 to 10, not abc', ['--games', 'abc']],
    ['--games takes a whole number from 1 to 10, not ', ['--games', '']],
    ['--games needs a value', ['--games']],
    ['--pairs takes an even number of at least 2, not 5', ['--pairs', '5']],
    ['--games is given more than once', ['--games', '1', '--games', '2']],
    ['--rate takes a number above 0, not 0', ['--rate', '0']],
    ['--share takes a number from 0 to 1, not half', ['--share', 'half']],
    ['Choices: "slow", "fast"', ['--mode', 'medium']],
    ['Arguments keep and out are mutually exclusive', ['--keep', '--out', 'x']],
    ['--out needs a value', ['--out']],
    ['--out takes a value, but it is empty', ['--out', '']],
    ['Unknown argument: nothing', ['--nothing']],
    ['Unknown argument: gamse; did you mean games?', ['--gamse', '3']],
  ])('an invalid value is rejected with a one-line error: %s', (message, args) => {
    expect(() => settingsOf(...args)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) }),
    );
    expect(() => settingsOf(...args)).toThrow(/^[^\n]+ \(see npm run test -- --help\)$/);
  });

  test('help lists --version', async () => {
    expect(await commandLine('test', '[options]').getHelp()).toMatch(/--version\s+Show the version/);
  });

  test('help lists types, choices and defaults', async () => {
    const help = await addOptions(commandLine('test', '[options]'), OPTIONS).getHelp();
    expect(help).toMatch(/--games .*number of games\s+\[number\] \[default: 3\]/);
    expect(help).toMatch(/--mode .*a mode\s+\[choices: "slow", "fast"\] \[default: slow\]/);
  });

  test('identityOf includes options with identity: true, and identityDifference returns the first difference', () => {
    const identity = identityOf(OPTIONS, settingsOf('--max-plies', '7', '--date', '2026', '--out', 'x'));
    expect(identity).toEqual({ 'max-plies': 7, mode: 'slow', date: { year: 2026 } });
    expect(identityDifference(identity, { ...identity })).toBeNull();
    expect(identityDifference(identity, { ...identity, date: { year: 2027 } })).toBe('date.year 2026 (now 2027)');
    expect(identityDifference(identity, { mode: 'slow' })).toBe('max-plies 7 (now none)');
  });
});
