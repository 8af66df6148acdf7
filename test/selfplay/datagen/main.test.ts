// The command as users run it: compiled program, real processes, real signals.

import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseComment, parsePgn, startingPosition } from 'chessops/pgn';
import { parseSan } from 'chessops/san';
import { afterAll, describe, expect, test } from 'vitest';
import { projectFile } from '../../../selfplay/common/program.js';
import { readManifest } from '../../../selfplay/records/manifest.js';
import { ended, type Outcome, runHere, runProgram } from '../../support/program.js';
import { checksums, gamesOf } from '../../support/run-folder.js';
import { longTest, slowTest } from '../../support/slow.js';

const MAIN = fileURLToPath(projectFile('dist/selfplay/datagen/main.js'));
const scratch = mkdtempSync(join(tmpdir(), 'heft-selfplay-main-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const path = (name: string): string => join(scratch, name);

const run = (...args: string[]): Promise<Outcome> => runProgram(MAIN, args, scratch);
const here = (...args: string[]): Promise<Outcome> => runHere(MAIN, args, scratch);

const SMALL = ['--nodes', '30', '--jitter', '20', '--keep-lost'];
const SHORT = ['--resign', 'movecount=2 score=400', '--draw', 'movenumber=15 movecount=2 score=50'];
const RUN = [...SMALL, ...SHORT, '--games', '34', '--seed', '9'];

/** Starts the run and waits until its shards have grown by `bytes`. */
async function growing(out: string, bytes: number): Promise<ChildProcess> {
  const wanted = sizeOf(path(out)) + bytes;
  const child = spawn(process.execPath, [MAIN, ...RUN, '--out', out], { cwd: scratch });
  while (sizeOf(path(out)) < wanted) {
    if (child.exitCode !== null) expect.unreachable('it ended before it could be killed');
    await sleep(5);
  }
  return child;
}

function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  const shards = readdirSync(folder).filter((file) => file.endsWith('.vf'));
  return shards.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}

describe.concurrent('npm run selfplay', () => {
  longTest('npm run selfplay writes identical shards despite SIGKILL and Ctrl-C', async () => {
    const whole = await run(...RUN, '--workers', '1', '--out', 'whole');
    expect(whole.code).toBe(0);
    const killed = await growing('broken', 1000);
    killed.kill('SIGKILL');
    await ended(killed);
    const stopped = await growing('broken', 2000);
    stopped.kill('SIGINT');
    const { code, stderr } = await ended(stopped);
    expect(code).toBe(130);
    expect(stderr).toMatch(/stopped after [123]?\d of 34 games; the same command continues the run\n$/);
    expect((await run(...RUN, '--out', 'broken')).code).toBe(0);
    expect(checksums(path('broken'))).toEqual(checksums(path('whole')));
  });

  test('npm run selfplay writes PGN that chessops can read, and a JSON summary', async () => {
    writeFileSync(
      path('book.epd'),
      'rnbqkb1r/pp1p1ppp/4pn2/2p5/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq -\n3qk3/8/8/8/8/8/8/3QK3 b - -\n',
    );
    const args = ['--games', '6', '--out', 'small', '--pgn', 'new/games.pgn', '--json', 'new/summary.json'];
    args.push(...SMALL, '--min-plies', '0', '--max-plies', '1', '--openings', 'book.epd');
    const { code, stdout } = await run(...args);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^6 games, \d+ positions in small \| /)]);
    const records = await gamesOf(path('small'));
    const games = [...parsePgn(readFileSync(path('new/games.pgn'), 'utf8'))];
    expect(games.map(({ headers }) => headers.get('Round'))).toEqual(['1', '2', '3', '4', '5', '6']);
    for (const [index, { headers, moves }] of games.entries()) {
      const record = records[index];
      expect(headers.get('Result')).toBe(['0-1', '1/2-1/2', '1-0'][record.result]);
      const position = startingPosition(headers).unwrap();
      expect(position.board.occupied.size()).toBe(index % 2 === 0 ? 32 : 4);
      let plies = 0;
      for (const { san, comments = [] } of moves.mainline()) {
        const move = parseSan(position, san);
        const score = record.scores[plies++];
        if (Math.abs(score) < 10_000) expect(commentScore(comments[0], position.turn)).toBe(score);
        if (move === undefined) expect.unreachable(`${san} is not legal`);
        position.play(move);
      }
      expect(plies).toBe(record.moves.length);
      if (position.isCheckmate()) expect(headers.get('Result')).toBe(position.turn === 'white' ? '0-1' : '1-0');
    }

    const manifest = readManifest(path('small'));
    const summary = (): object => JSON.parse(readFileSync(path('new/summary.json'), 'utf8'));
    const { games: played, positions, results, seconds } = manifest;
    expect(summary()).toMatchObject({ games: 6, positions, results, seconds, session: { games: played } });
    expect(manifest.command).toBe(`npm run selfplay -- ${args.join(' ')}`);
    await here(...args);
    expect(summary()).toMatchObject({ games: 6, positions, results, seconds, session: { games: 0, nodes: 0 } });
  });

  slowTest.each([
    ['--pgn', 'folder', '--pgn: folder is a folder'],
    ['--positions', '/proc/none', '--positions: cannot write /proc/none: '],
    ['--json', 'mine', '--json: mine exists; choose another name, or overwrite it with --force'],
    ['--out', 'others', '--out: others contains other files (mine, …); choose another folder'],
  ])('npm run selfplay checks %s %s before the first game', async (option, name, message) => {
    mkdirSync(path('folder'), { recursive: true });
    mkdirSync(path('others'), { recursive: true });
    for (const file of ['mine', 'others/mine']) writeFileSync(path(file), 'mine');
    const { code, stdout, stderr } = await run(...RUN, ...(option === '--out' ? [] : ['--out', 'never']), option, name);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(`error: ${message}`)]);
    expect(readFileSync(path('mine'), 'utf8')).toBe('mine');
    expect(existsSync(path('never/manifest.json'))).toBe(false);
  });

  slowTest('npm run selfplay plays games with a time control', async () => {
    const args = ['--tc', '0.1+0.001', '--games', '2', '--keep-lost', '--out', 'clock'];
    const { stdout } = await run(...args);
    expect(stdout).toMatch(/^2 games/);
    expect(await gamesOf(path('clock'))).toHaveLength(2);
    const { complete, settings } = readManifest(path('clock'));
    expect([complete, settings['tc'], settings['nodes']]).toEqual([
      true,
      { moves: 0, time: 100, increment: 1 },
      undefined,
    ]);
  });

  test('npm run selfplay --help lists the options', async () => {
    const { code, stdout } = await here('--help');
    expect(code).toBe(0);
    for (const option of ['games', 'nodes', 'tc', 'seed', 'workers', 'out', 'openings', 'weights', 'pgn', 'json']) {
      expect(stdout).toContain(`--${option} `);
    }
  });
});

/** Returns White's centipawns in a comment such as `-0.31/0 0s`, whose score is for the side to move. */
function commentScore(comment: string | undefined, turn: 'white' | 'black'): number {
  const pawns = Number(/^[+-]?\d+\.\d\d/.exec(parseComment(comment ?? '').text)?.[0]);
  const centipawns = Math.round(100 * pawns);
  return turn === 'white' ? centipawns : 0 - centipawns;
}

describe.concurrent('invalid arguments', () => {
  writeFileSync(path('file'), '');
  writeFileSync(path('cut.json'), '{"terms": {"material": [[100,');
  writeFileSync(path('wrong.json'), '{"terms": {"material": [[100, 100]]}}');
  writeFileSync(path('wrong.epd'), 'no\n');
  const cases: [string, number, string, string[]][] = [
    ['an unknown option', 2, 'Unknown argument: nonsense', ['--nonsense']],
    ['zero games', 2, '--games takes a whole number of at least 1, not 0', ['--games', '0']],
    ['text instead of a number', 2, '--nodes takes a whole number of at least 1, not many', ['--nodes', 'many']],
    [
      'a hard limit below the soft one',
      2,
      '--nodes must be at least --soft-nodes (5000), not 9',
      ['--soft-nodes', '5000', '--nodes', '9'],
    ],
    ['nodes and a clock', 2, 'Arguments tc and nodes are mutually exclusive', ['--tc', '1+1', '--nodes', '5']],
    ['an option given twice', 2, '--seed is given more than once', ['--seed', '1', '--seed', '2']],
    [
      'minimum plies above the maximum',
      2,
      '--min-plies must not exceed --max-plies: 9 and 8',
      ['--min-plies', '9', '--max-plies', '8'],
    ],
    ['an invalid time control', 2, '--tc takes a time control such as 8+0.08', ['--tc', 'fast']],
    ['a missing weights file', 1, 'cannot read weights none.json: no such file', ['--weights', 'none.json']],
    ['truncated weights', 1, 'cut.json is not a weights file: ', ['--weights', 'cut.json']],
    [
      'invalid weights',
      1,
      'wrong.json is not a weights file: term "material" is not a list of',
      ['--weights', 'wrong.json'],
    ],
    ['a missing book', 1, 'cannot read none.epd: no such file or directory', ['--openings', 'none.epd']],
    ['an invalid book', 1, "wrong.epd:1: 'no' is not a position", ['--openings', 'wrong.epd']],
    ['a file where a folder is needed', 1, 'cannot create the folder file/x', ['--out', 'file/x']],
    ['an unwritable folder', 1, 'cannot create the folder /proc/heft', ['--out', '/proc/heft']],
  ];
  test.each(cases)('%s exits with code %i and a one-line error: %s', async (_, code, message, args) => {
    const unused = `never-${args.join('')}`.replace(/\W/g, '');
    const out = args.includes('--out') ? [] : ['--out', unused];
    const games = args.includes('--games') ? [] : ['--games', '1'];
    const outcome = await here(...games, ...args, ...out);
    expect([outcome.code, outcome.stdout]).toEqual([code, '']);
    expect(outcome.stderr).toMatch(/^error: [^\n]+\n$/);
    expect(outcome.stderr).toContain(`error: ${message}`);
    expect(existsSync(path(unused))).toBe(false);
  });
});
