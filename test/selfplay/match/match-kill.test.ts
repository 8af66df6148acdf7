// A run that is killed repeatedly must end like an uninterrupted one: every pair once, in every output.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { noProblems } from '../../../selfplay/common/errors.js';
import { readPgn } from '../../../selfplay/records/pgn-reader.js';
import { seedOf } from '../../engine/board/walks.js';
import { FAKE_ENGINE } from '../../support/fake-engine.js';
import { ended } from '../../support/program.js';
import { isLong } from '../../support/slow.js';

const MAIN = fileURLToPath(new URL('../../../dist/selfplay/match/main.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'heft-kill-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const GAMES = 60;
const KILLS = isLong ? 10 : 4;

const engine = (name: string, words: string): string[] => [
  ...['--engine', `cmd=${process.execPath}`, `args=${FAKE_ENGINE} ${words}`, `name=${name}`],
];

function start(out: string): ChildProcess {
  // One of the engines fails at times; those games also count once
  const engines = [...engine('A', 'seed=1'), ...engine('B', 'seed=2 illegal=9 game=2')];
  const limits = ['--nodes', '5', '--max-moves', '12', '--concurrency', '2', '--games', String(GAMES)];
  return spawn(process.execPath, [MAIN, ...engines, ...limits, '--out', join(scratch, out)], { stdio: 'ignore' });
}

const journal = (out: string): string[] => {
  const file = join(scratch, out, 'games.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(1, -1) : [];
};

async function games(out: string): Promise<string[]> {
  const problems = noProblems();
  const list: string[] = [];
  for await (const { tags, moves, result } of readPgn(join(scratch, out, 'games.pgn'), problems)) {
    list.push(`${tags.get('Round')} ${tags.get('White')}-${tags.get('Black')} ${result} ${moves.join()}`);
  }
  expect(problems.messages).toEqual([]);
  return list;
}

test('a run killed several times contains every pair exactly once in games, events and statistics', {
  timeout: 30 * 60_000,
}, async () => {
  const random = createRandom(seedOf('match kill'));
  for (let kill = 0; kill < KILLS; kill++) {
    const child = start('killed');
    const before = journal('killed').length;
    const wanted = before + 1 + randomBelow(random, Math.floor((GAMES * 3) / 4 / KILLS));
    while (journal('killed').length < wanted && child.exitCode === null) await sleep(5);
    await sleep(randomBelow(random, 50));
    child.kill('SIGKILL');
    await ended(child);
  }
  expect(journal('killed').length).toBeLessThan(GAMES);
  await ended(start('killed'));
  const last = readFileSync(join(scratch, 'killed', 'result.json'), 'utf8');
  const list = await games('killed');
  const rounds = list.map((game) => game.split(' ').slice(0, 2).join(' '));
  const expected = Array.from({ length: GAMES }, (_, i) => `${(i >> 1) + 1} ${i % 2 === 0 ? 'A-B' : 'B-A'}`);
  expect(rounds).toEqual(expected);
  const indices = journal('killed').map((line) => JSON.parse(line).index as number);
  expect(indices.sort((a, b) => a - b)).toEqual(expected.map((_, i) => i));

  // The result agrees with the games
  const result = JSON.parse(last);
  const points = list.map((game, i) => {
    const white = { '1-0': 2, '1/2-1/2': 1, '0-1': 0 }[game.split(' ')[2]] ?? Number.NaN;
    return i % 2 === 0 ? white : 2 - white;
  });
  const penta = [0, 0, 0, 0, 0];
  for (let i = 0; i < GAMES; i += 2) penta[points[i] + points[i + 1]]++;
  expect(result).toMatchObject({ games: GAMES, finished: true, penta });
  expect([result.wins, result.draws, result.losses]).toEqual(
    [2, 1, 0].map((p) => points.filter((x) => x === p).length),
  );

  // The event stream agrees as well
  const events = readFileSync(join(scratch, 'killed', 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ends = events.filter(({ type }) => type === 'gameEnd');
  const told = ends.map(({ round, white, black, result: score }) => `${round} ${white}-${black} ${score}`);
  expect(told).toEqual(list.map((game) => game.split(' ').slice(0, 3).join(' ')));
  expect(ends.map(({ game }) => game)).toEqual(expected.map((_, i) => i + 1));
  const pairs = events.filter(({ type }) => type === 'pairEnd').map(({ games: both }) => both);
  expect(pairs).toEqual(Array.from({ length: GAMES / 2 }, (_, pair) => [2 * pair + 1, 2 * pair + 2]));
  expect(events.at(-1)).toMatchObject({ type: 'runEnd', finished: true, figures: { wins: result.wins, penta } });

  await ended(start('killed'));
  expect(await games('killed')).toEqual(list);
});
