// Files and output of a match besides its result, and its continuation: compiled program, real processes.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parsePgn } from 'chessops/pgn';
import { afterAll, describe, expect, test } from 'vitest';
import { noProblems } from '../../../selfplay/common/errors.js';
import { readPgn } from '../../../selfplay/records/pgn-reader.js';
import { allowedProcessors, processorsOf } from '../../../selfplay/series/game-slot.js';
import { FAKE_ENGINE } from '../../support/fake-engine.js';
import { type Outcome, runHere } from '../../support/program.js';
import { isSlow, slowTest } from '../../support/slow.js';

const MAIN = fileURLToPath(new URL('../../../dist/selfplay/match/main.js', import.meta.url));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'heft-outputs-')));
afterAll(() => rmSync(scratch, { recursive: true }));
mkdirSync(join(scratch, 'elsewhere'));

const path = (name: string): string => join(scratch, name);
const read = (name: string): string => readFileSync(path(name), 'utf8');

const run = (args: string[], cwd = scratch): Promise<Outcome> => runHere(MAIN, args, cwd);

const fake = (name: string, ...words: string[]): string[] => [
  ...['--engine', `cmd=${process.execPath}`, `args=${FAKE_ENGINE} ${words.join(' ')}`, `name=${name}`],
];
const TWO = [...fake('A', 'seed=1'), ...fake('B', 'seed=2'), '--max-moves', '4'];
const NODES = [...TWO, '--nodes', '5'];

describe('PGN', () => {
  test('the PGN contains event, site and the requested move notes, and can be read back', async () => {
    const tags = ['--event', 'My "cup"', '--site', 'Home'];
    const args = [
      ...TWO,
      '--tc',
      '50+1',
      '--nodes',
      '5',
      '--games',
      '2',
      '--out',
      'notes',
      '--pgn-notes',
      'nodes,timeleft',
      'seldepth',
      'nps,pv',
      ...tags,
    ];
    expect(await run(args)).toMatchObject({ code: 0 });
    const text = read('notes/games.pgn');
    expect(text).toContain('[Event "My \\"cup\\""]\n[Site "Home"]\n');
    const [game] = parsePgn(text);
    const comments = [...game.moves.mainline()].map(({ comments: [comment] = [] }) => comment.replaceAll('\n', ' '));
    expect(comments.slice(0, 9)).toEqual([
      ...new Array(8).fill('book'),
      expect.stringMatching(/^0\.00\/3 [\d.]+s, n=5, sd=9, nps=1000, tl=5[0-2]\.\d{3}s, pv="a1a1"$/),
    ]);
    const games = [];
    for await (const one of readPgn(path('notes/games.pgn'), noProblems())) games.push(one);
    expect(games).toHaveLength(2);
  });

  slowTest('--pgn-append appends the games of several runs to one file, each run once', async () => {
    const args = (out: string): string[] => [
      ...NODES,
      '--games',
      '2',
      '--out',
      out,
      '--pgn',
      'all.pgn',
      '--pgn-append',
    ];
    writeFileSync(path('all.pgn'), 'mine\n');
    for (const out of ['first', 'first', 'second']) expect(await run(args(out))).toMatchObject({ code: 0 });
    expect(read('all.pgn')).toBe(`mine\n\n${read('first/games.pgn')}${read('second/games.pgn')}`);
    for (const target of ['more.pgn', 'more.pgn', 'all.pgn'])
      expect(await run(['--continue', 'second', '--pgn', target, '--pgn-append'])).toMatchObject({ code: 0 });
    expect(read('more.pgn')).toBe(read('second/games.pgn'));
    expect(read('all.pgn').length).toBe(6 + read('first/games.pgn').length + read('second/games.pgn').length);
    const { code, stderr } = await run([...NODES, '--pgn-append']);
    expect([code, stderr]).toEqual([2, 'error: --pgn-append requires --pgn\n']);
  });

  slowTest('unknown PGN notes are reported', async () => {
    const { code, stderr } = await run([...NODES, '--pgn-notes', 'nodes speed']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("hashfull, tbhits, timeleft, pv or all, not 'speed'")]);
  });
});

test('the log contains every line to and from each engine process', async () => {
  const args = [...NODES, '--games', '2', '--workers', '1', '--out', 'logged', '--log', 'traffic.log'];
  expect(await run(args)).toMatchObject({ code: 0 });
  const lines = read('traffic.log').split('\n').slice(0, -1);
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+ [AB]#\d+ [<>!] /);
  const said = (mark: string, word: string): number => lines.filter((line) => line.includes(` ${mark} ${word}`)).length;
  const moves = [...read('logged/games.jsonl').matchAll(/"times":\[([^\]]*)\]/g)];
  const count = moves.reduce((sum, [, times]) => sum + times.split(',').length, 0);
  expect([said('>', 'go nodes 5'), said('<', 'bestmove')]).toEqual([count, count]);
  expect([said('>', 'isready'), said('<', 'readyok')]).toEqual([6, 6]);
});

test('an engine without Chess960 support is rejected before the run creates files', async () => {
  const line = `#!/bin/sh\n${process.execPath} ${FAKE_ENGINE} | grep --line-buffered -v UCI_Chess960\n`;
  writeFileSync(path('no960'), line, { mode: 0o755 });
  const engines = [...fake('A'), '--engine', 'cmd=./no960', 'name=B'];
  const { code, stderr } = await run([...engines, '--nodes', '5', '--chess960', '--games', '2', '--out', 'none960']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('B does not play Chess960 (no option UCI_Chess960)')]);
  expect(existsSync(path('none960'))).toBe(false);
});

describe('a run', () => {
  slowTest('a run can be continued from any directory, and with further options', async () => {
    writeFileSync(path('book.epd'), 'rnbqkb1r/pp1p1ppp/4pn2/2p5/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq -\n');
    const args = [
      ...NODES,
      '--openings',
      'book.epd',
      '--games',
      '6',
      '--out',
      'whole',
      '--pgn',
      'whole.pgn',
      '--force',
    ];
    expect(await run(args)).toMatchObject({ code: 0 });
    const journal = read('whole/games.jsonl');
    writeFileSync(path('whole/games.jsonl'), `${journal.split('\n').slice(0, 3).join('\n')}\n`);
    rmSync(path('whole/result.json'));
    const { code, stdout, stderr } = await run(['--continue', '../whole', '--workers', '1'], path('elsewhere'));
    expect([code, stderr]).toEqual([0, expect.stringMatching(/: 6 games, 1 at a time, in \S*\/whole\n/)]);
    expect(stdout).toContain('Games: 6, ');
    expect([...read('whole/games.jsonl').matchAll(/"index":/g)]).toHaveLength(6);
    expect(existsSync(path('elsewhere/whole.pgn'))).toBe(false);
  });

  slowTest.each([
    ['elsewhere', 'no readable '],
    ['', '--continue needs the folder of a run'],
  ])('--continue "%s" is rejected', async (folder, message) => {
    expect(await run(['--continue', folder])).toMatchObject({ stderr: expect.stringContaining(message), stdout: '' });
  });

  slowTest('a run prints interim results at the requested interval', async () => {
    const args = [...NODES, '--games', '8', '--out', 'rated', '--workers', '1', '--ratinginterval', '4'];
    const { stdout, stderr } = await run(args);
    expect(stderr.match(/^Games: \d+/gm)).toEqual(['Games: 4', 'Games: 8']);
    expect(stdout).toContain('Games: 8, ');
  });
});

test('a second start in the folder of a run in progress changes no file', async () => {
  mkdirSync(path('busy'));
  writeFileSync(path('busy/lock'), '1');
  writeFileSync(path('busy/command.json'), 'first');
  const { code, stderr } = await run([...NODES, '--games', '2', '--out', 'busy']);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`busy is in use by process 1;`)]);
  expect(read('busy/command.json')).toBe('first');
  expect(existsSync(path('busy/run.json'))).toBe(false);
});

test('outputs must not be files of the engines', async () => {
  const engine = path('engine.mjs');
  writeFileSync(engine, 'unchanged');
  const engines = ['--engine', `cmd=${process.execPath}`, `arg=${engine}`, 'name=A', ...fake('B')];
  for (const output of [
    ['--log', engine],
    ['--pgn', engine, '--pgn-append'],
    ['--events', engine, '--force'],
  ]) {
    const { code, stderr } = await run([...engines, '--nodes', '5', '--out', path('unplayed'), ...output]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${output[0]}: ${engine} is also an input`)]);
  }
  expect(readFileSync(engine, 'utf8')).toBe('unchanged');
});

test('a match rejects the PGN file of another match in progress, and a failed match removes its unused file', async () => {
  const words = (out: string) => ['--games', '2', '--workers', '1', '--out', path(out), '--pgn', path('same.pgn')];
  const rival = [process.execPath, MAIN, ...NODES, ...words('rival')].map((word) => `'${word}'`).join(' ');
  // The engine first starts another match with the same file
  writeFileSync(
    path('engine'),
    `#!/bin/sh\n${rival} 2> ${path('refused')} >&2\nexec ${process.execPath} ${FAKE_ENGINE}\n`,
    {
      mode: 0o755,
    },
  );
  const args = ['--engine', `cmd=${path('engine')}`, 'name=A', ...fake('B'), '--max-moves', '4', '--nodes', '5'];
  expect(await run([...args, ...words('owner')])).toMatchObject({ code: 0 });
  expect(read('refused')).toMatch(/^error: --pgn: \S*same\.pgn exists; choose another name, or/);
  expect(read('same.pgn')).toBe(read('owner/games.pgn'));
  const missing = ['--engine', 'cmd=/nowhere', ...fake('B'), '--out', path('none'), '--pgn', path('unused.pgn')];
  expect(await run(missing)).toMatchObject({ code: 1 });
  expect(existsSync(path('unused.pgn'))).toBe(false);
});

describe('tc=inf', () => {
  slowTest('tc=inf sets no clock', async () => {
    const args = [
      ...fake('A', 'seed=1'),
      'tc=inf',
      'nodes=3',
      ...fake('B', 'seed=2'),
      '--max-moves',
      '2',
      '--tc',
      'inf',
    ];
    const { code, stderr } = await run([...args, '--games', '2', '--out', 'endless']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('A (3 nodes per move) - B (10000 nodes per move)')]);
  });

  slowTest('tc=inf requires another limit', async () => {
    const { code, stderr } = await run([...fake('A'), 'tc=inf', ...fake('B'), '--tc', '5']);
    expect([code, stderr]).toEqual([2, 'error: --engine: tc=inf needs nodes=, depth= or st= too\n']);
  });
});

describe('--affinity', () => {
  const competitor = (threads: string, ponder = false) => ({
    spec: { command: 'x', args: [], options: { threads } },
    limits: { margin: 0, stall: 1, ponder },
  });

  test('--affinity parses the processor list and rejects more games than the processors allow', () => {
    expect(allowedProcessors('Name:\tx\nCpus_allowed:\t4f\nCpus_allowed_list:\t0-3,6\n')).toEqual([0, 1, 2, 3, 6]);
    const message =
      /^--affinity: 4096 parallel games need (8192|16384) processors, but only \d+ are available; reduce --workers$/;
    for (const ponder of [false, true]) {
      const engines = [competitor('1'), competitor('2', ponder)];
      expect(() => processorsOf({ engines, workers: 4096 })).toThrow(message);
    }
    expect(processorsOf({ engines: [competitor('0')], workers: 1 })[0], 'threads chosen by the engine').not.toBe('');
  });

  test.runIf(isSlow && process.platform === 'linux')('--affinity pins each engine to one processor', async () => {
    const program = `import { appendFileSync, readFileSync } from 'node:fs';
      const [list] = /list:.*/.exec(readFileSync('/proc/self/status', 'utf8').replaceAll('\\t', ''));
      appendFileSync('${path('pinned.txt')}', list + '\\n');
      await import('${FAKE_ENGINE}');`;
    writeFileSync(path('pinned.mjs'), program);
    const engine = (name: string): string[] => [
      '--engine',
      `cmd=${process.execPath} ${path('pinned.mjs')}`,
      `name=${name}`,
    ];
    const args = [
      ...engine('A'),
      ...engine('B'),
      '--max-moves',
      '2',
      '--nodes',
      '5',
      '--games',
      '2',
      '--out',
      'pinned',
    ];
    expect(await run([...args, '--workers', '1', '--affinity'])).toMatchObject({ code: 0 });
    const [first] = allowedProcessors(readFileSync('/proc/self/status', 'utf8'));
    expect(read('pinned.txt')).toBe(`list:${first}\n`.repeat(2));
  });
});
