import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { joinWords } from '../../../selfplay/common/command-line.js';
import { splitWords } from '../../../selfplay/common/options.js';
import { namedEngine, ownEngine, parseEach, parseEngine } from '../../../selfplay/engines/spec.js';
import { MATCH_OPTIONS } from '../../../selfplay/match/options.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-spec-'));
afterAll(() => rmSync(scratch, { recursive: true }));
mkdirSync(join(scratch, 'build/dist/engine'), { recursive: true });
mkdirSync(join(scratch, 'gen 3'));
for (const path of ['build/dist/engine/main.js', 'gen 3/weights.json', 'tool']) writeFileSync(join(scratch, path), '');

describe('an engine specification', () => {
  test('an engine specification may use every key', () => {
    const text = `cmd="tool -x 'a b'" name='My tool' dir=${scratch} arg=y args="p q" option.Hash=16 option.Syzygy Path=/x`;
    const words = text.replace('option.Syzygy Path=/x', '"option.Syzygy Path=/x y"');
    expect(parseEngine(`${words} tc=40/60+0.5 nodes=7 timemargin=50 ponder=on restart=on proto=uci`)).toEqual({
      spec: {
        command: join(scratch, 'tool'),
        args: ['-x', 'a b', 'y', 'p', 'q'],
        folder: scratch,
        name: 'My tool',
        options: { Hash: '16', 'Syzygy Path': '/x y' },
        restart: true,
      },
      limits: { tc: { moves: 40, time: 60_000, increment: 500 }, nodes: 7, margin: 50, ponder: true },
    });
  });

  test('an engine is found in PATH or by its path', () => {
    expect(parseEngine('cmd=sh').spec).toEqual({ command: 'sh', args: [], options: {} });
    expect(parseEngine(`cmd=${scratch}/tool st=0.5`)).toMatchObject({
      spec: { command: join(scratch, 'tool') },
      limits: { movetime: 500 },
    });
  });

  test.each([
    ['name=x', '--engine needs cmd=, git=, rev=, weights= or build='],
    ['cmd=x colour=red', /^--engine: 'colour=red' is an unknown key; known keys: cmd= name= /],
    ['cmd=x stray', /^--engine: 'stray' is an unknown key/],
    ['cmd=x tc=abc', /^--engine tc takes a time control/],
    ['cmd=x nodes=-1', "--engine: nodes takes a whole number of at least 1, not '-1'"],
    ['cmd=x depth=2.5', "--engine: depth takes a whole number of at least 1, not '2.5'"],
    ['cmd=x nodes=1e21', "--engine: nodes takes a whole number of at least 1, not '1e21'"],
    ['cmd=x st=Infinity', "--engine: st takes a positive number, not 'Infinity'"],
    ['cmd=x timemargin=', "--engine: timemargin takes a whole number of at least 0, not ''"],
    ['cmd=x restart=yes', "--engine: restart must be on or off, not 'yes'"],
    ['cmd=x proto=xboard', "--engine: proto must be uci, not 'xboard'"],
    ['cmd=x dir=/no/such', '--engine: no such folder: /no/such'],
    [`cmd=sh dir=${process.execPath}`, `--engine: no such folder: ${process.execPath}`],
    ['cmd=', '--engine: cmd= is empty'],
    ['cmd=x name=', '--engine: name= is empty'],
    ['cmd=x name=A cmd=y', '--engine: cmd= is given more than once'],
    ['cmd=x nodes=5 nodes=6', '--engine: nodes= is given more than once'],
    ['weights=/no/such.json', 'no such weights file: /no/such.json'],
    ['build=/no/such', /^no built engine \(engine\/main\.js\) in \/no\/such;/],
    ['rev=no-such-revision', /^rev=no-such-revision: no such revision in /],
    ['rev=HEAD build=.', '--engine: with rev= or git=, build= is a command, not a folder: .'],
    ['cmd=x rev=HEAD', '--engine: give either cmd= or rev='],
    ['cmd=x ponder=yes', "--engine: ponder must be on or off, not 'yes'"],
    ['cmd=x constructor=1', /is an unknown key/],
  ])('%s is rejected', (words, message) => {
    expect(() => parseEngine(words)).toThrow(message);
  });

  test('timemargin may be 0, and a move time below a millisecond becomes one millisecond', () => {
    expect(parseEngine('cmd=x timemargin=0 st=0.0001 restart=auto')).toMatchObject({
      limits: { margin: 0, movetime: 1 },
    });
  });

  test('--each accepts only options and limits', () => {
    expect(parseEach('option.Hash=1 depth=3')).toEqual({
      options: { Hash: '1' },
      limits: { depth: 3 },
      built: {},
    });
    expect(() => parseEach('cmd=x')).toThrow(
      '--each takes option.NAME=, limits, timemargin=, git=, build= and exe=, not cmd=',
    );
  });
});

test.each([
  ['build="make EXE={out}" nodes=5', 'make EXE={out}'],
  ['build=\'make FLAGS="-O3 -g"\'', 'make FLAGS="-O3 -g"'],
  ['build=make FLAGS="-O3 -g" EXE={out}', 'make FLAGS="-O3 -g" EXE={out}'],
  ['build=FLAGS="-O3 -g" make', 'FLAGS="-O3 -g" make'],
  ['build=sh -c "make EXE={out}"', 'sh -c "make EXE={out}"'],
  ['build=echo "A  B" "C" > {out}; false', 'echo "A  B" "C" > {out}; false'],
  [['build=make FLAGS="-O3 -g" dir=x "y"', 'nodes=5'], 'make FLAGS="-O3 -g" dir=x "y"'],
  [['build=make', 'FLAGS="-O3 -g"', 'EXE={out}'], 'make FLAGS="-O3 -g" EXE={out}'],
  [['build=make', 'FLAGS=-O3 -g', 'EXE={out}'], 'make "FLAGS=-O3 -g" EXE={out}'],
  [['build=make', 'EXE={out}', '&& strip {out}'], 'make EXE={out} && strip {out}'],
])('the build command of --each %j is %s', (words, command) => {
  const [, text] = joinWords(['--each', ...[words].flat()], MATCH_OPTIONS);
  expect(parseEach(text!).built).toEqual({ build: command });
});

describe('our own engine', () => {
  test('Heft with a weights.json is named after its folder', () => {
    const file = join(scratch, 'gen 3/weights.json');
    const engine = namedEngine(file);
    expect(engine).toMatchObject({ command: process.execPath, name: 'heft gen 3' });
    expect(engine.args.slice(1)).toEqual(['--weights', file]);
    expect(ownEngine('material').args[2]).toMatch(/engine\/eval\/material\.json$/);
    expect(ownEngine('zero').args[2]).toMatch(/engine\/eval\/zero\.json$/);
    expect(ownEngine('shipped')).toMatchObject({
      name: 'heft',
      args: [expect.stringMatching(/dist\/engine\/main\.js$/)],
    });
    expect(ownEngine('shipped').files).toContainEqual(expect.stringMatching(/engine\/eval\/weights\.js$/));
  });

  test('Heft takes arguments and a working folder like any engine', () => {
    const { spec } = parseEngine(`weights=zero dir=${scratch} arg=--tune-options name=A`);
    expect(spec.args.slice(1)).toEqual(['--weights', ownEngine('zero').args[2], '--tune-options']);
    expect(spec).toMatchObject({ folder: scratch, name: 'A' });
  });

  test('another build of Heft is specified by its folder or by the project that contains it', () => {
    for (const folder of ['build', 'build/dist']) {
      const engine = namedEngine(join(scratch, folder));
      expect(engine.args).toEqual([join(scratch, 'build/dist/engine/main.js')]);
    }
  });
});

describe('words on the command line', () => {
  test('words are split at spaces outside quotes', () => {
    expect(splitWords(` a  b="c d" e='f "g"' h'i'"j" `)).toEqual(['a', 'b=c d', 'e=f "g"', 'hij']);
    // An unmatched single quote is an ordinary character
    expect(splitWords("cmd=/home/O'Brien/x name=A")).toEqual(["cmd=/home/O'Brien/x", 'name=A']);
  });

  test('an argument with spaces is a value even if it begins with dashes', () => {
    expect(joinWords(['add', '--options', '--workers 2 --hash 16', '--head', '--base'], {})).toEqual([
      'add',
      '--options=--workers 2 --hash 16',
      '--head',
      '--base',
    ]);
  });

  test('words may follow their option without quotes, as in cutechess', () => {
    const shell = ['--engine', 'cmd=a b', 'name=A', '--nodes', '5', '--engine', 'cmd=c name=C', '--draw', 'score=1'];
    expect(joinWords(shell, MATCH_OPTIONS)).toEqual([
      ...['--engine', '"cmd=a b" name=A', '--nodes', '5'],
      ...['--engine', 'cmd=c name=C', '--draw', 'score=1'],
    ]);
    const words = ['name=a "b\'s"', "cmd=O'x", 'x="y"'];
    const [, joined] = joinWords(['--engine', ...words], MATCH_OPTIONS);
    expect(splitWords(joined)).toEqual(words);
  });
});
