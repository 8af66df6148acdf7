// The command as users run it: compiled program, real processes, real signals.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { FAKE_ENGINE } from '../../support/fake-engine.js';
import { type Outcome, runHere, runProgram } from '../../support/program.js';
import { isSlow, slowTest } from '../../support/slow.js';

const MAIN = fileURLToPath(new URL('../../../dist/selfplay/match/main.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'heft-match-main-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const run = (...args: string[]): Promise<Outcome> => runProgram(MAIN, args, scratch);
const here = (...args: string[]): Promise<Outcome> => runHere(MAIN, args, scratch);

const fake = (name: string, ...words: string[]): string[] => [
  ...['--engine', `cmd=${process.execPath}`, `args=${FAKE_ENGINE} ${words.join(' ')}`, `name=${name}`],
];
const TWO = [...fake('A', 'seed=1'), ...fake('B', 'seed=2'), '--nodes', '5', '--max-moves', '10'];

const isGone = async (marker: string): Promise<boolean> => {
  for (let i = 0; i < 50; i++) {
    if (!execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(marker)) return true;
    await sleep(100);
  }
  return false;
};

const lineCount = (file: string): number => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);

async function startedMatch(out: string, marker: string, games: number): Promise<ChildProcess> {
  const engines = [...fake('A', marker, 'seed=1'), ...fake('B', marker, 'seed=2')];
  const args = [MAIN, ...engines, '--nodes', '5', '--max-moves', '10', '--games', '400', '--out', out];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  while (lineCount(join(out, 'games.jsonl')) < games + 1) await sleep(20);
  return child;
}

describe('npm run match', () => {
  test('npm run match prints the result in the format of fastchess and writes the JSON summary', async () => {
    const { code, stdout, stderr } = await run(...TWO, '--games', '4', '--out', 'run', '--json', 'x/result.json');
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^A \(5 nodes per move\) - B \(5 nodes per move\): 4 games/),
    ]);
    for (const line of [
      /^Elo: -?\d+\.\d\d \+\/- \d+\.\d\d, nElo: -?\d+\.\d\d \+\/- \d+\.\d\d$/m,
      /^LOS: \d+\.\d\d %, DrawRatio: \d+\.\d\d %, PairsRatio: \d+\.\d\d$/m,
      /^Games: 4, Wins: \d, Losses: \d, Draws: \d, Points: [\d.]+ \(\d+\.\d\d %\)$/m,
      /^Ptnml\(0-2\): \[\d, \d, \d, \d, \d\]$/m,
    ]) {
      expect(stdout).toMatch(line);
    }
    expect(stdout).not.toContain('LLR');
    const summary = JSON.parse(readFileSync(join(scratch, 'x/result.json'), 'utf8'));
    expect(summary).toMatchObject({ games: 4, finished: true, verdict: null, engines: ['A', 'B'] });
    for (const key of [
      'wins',
      'losses',
      'draws',
      'penta',
      'elo',
      'eloError',
      'nelo',
      'los',
      'llr',
      'seconds',
      'nodes',
    ]) {
      expect(summary).toHaveProperty(key);
    }
  });

  slowTest('npm run match overwrites another file only with --force', async () => {
    const args = [...TWO, '--games', '2', '--out', 'own', '--pgn', 'own.pgn', '--json', 'own.json'];
    writeFileSync(join(scratch, 'own.pgn'), 'mine');
    const refused = await run(...args);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'error: --pgn: own.pgn exists; choose another name, or overwrite it with --force\n',
    ]);
    expect(existsSync(join(scratch, 'own'))).toBe(false);
    expect((await run(...args, '--force')).code).toBe(0);
    expect(readFileSync(join(scratch, 'own.pgn'), 'utf8')).toContain('[Event "Heft match"]');
    expect((await run(...args)).code).toBe(0);
    expect((await run(...TWO, '--games', '2', '--out', 'other', '--json', 'own.json')).code).toBe(1);
    const overwriting = [...TWO, '--games', '2', '--out', 'overwriting', '--pgn', 'own.pgn', '--pgn-overwrite'];
    expect((await run(...overwriting, '--json', 'own.json')).stderr).toMatch(/^error: --json: own\.json exists;/);
    writeFileSync(join(scratch, 'own.pgn'), 'mine');
    expect((await run(...overwriting)).code).toBe(0);
    expect(readFileSync(join(scratch, 'own.pgn'), 'utf8')).toContain('[Event "Heft match"]');
  });

  test('npm run match sprt computes Elo and LLR from given counts', async () => {
    const counts = ['--penta', '363', '3205', '5861', '3376', '414', '--elo1', '3', '--beta', '0.1'];
    const pairs = await here('sprt', ...counts, '--json', 'sprt.json');
    expect(pairs.stdout).toContain('LLR: 2.91 (-2.25, 2.89) [0.00, 3.00]\nVerdict: H1 accepted');
    expect(JSON.parse(readFileSync(join(scratch, 'sprt.json'), 'utf8'))).toMatchObject({ verdict: 'H1' });
    const pasted = await here('sprt', '--penta', `[${counts.slice(1, 6).join(', ')}]`, ...counts.slice(6));
    expect(pasted.stdout).toBe(pairs.stdout);
    expect(pairs.stdout).toContain('PairsRatio');
    const games = await here('sprt', '--wdl', '136', '111', '96', '--model', 'bayesian');
    expect(games.stdout).toMatch(/^Games: 343, Wins: 136, Losses: 96, Draws: 111[\s\S]*LLR: 0\.72/m);
    // Neither pairs nor their ratio are known
    expect(games.stdout).not.toMatch(/Ptnml|PairsRatio/);
    await here('sprt', '--wdl', '136', '111', '96', '--json', 'wdl.json');
    const summary = JSON.parse(readFileSync(join(scratch, 'wdl.json'), 'utf8'));
    expect([summary.games, summary.pairsRatio]).toEqual([343, undefined]);
  });

  const mistakes: [number, string, string[]][] = [
    [2, 'Unknown argument: nonsense', [...TWO, '--nonsense']],
    [
      1,
      'engine 1 (nobody) did not start: no such program',
      ['--engine', 'cmd=/no/x', 'name=nobody', ...TWO.slice(0, 4)],
    ],
    [1, 'cannot create the folder wrong.epd/x', [...TWO, '--games', '2', '--out', 'wrong.epd/x']],
    [1, 'cannot create the folder wrong.epd: ', [...TWO, '--games', '2', '--out', 'wrong.epd']],
    [1, "wrong.epd:1: 'no' is not a position", [...TWO, '--openings', 'wrong.epd']],
    [1, 'cannot create the folder wrong.epd/y', [...TWO, '--pgn', 'wrong.epd/y/games.pgn']],
    [1, '--json: . is a folder', [...TWO, '--json', '.']],
    [2, "--wdl takes 3 whole numbers, not '1 2'", ['sprt', '--wdl', '1', '2']],
  ];
  test.each(mistakes)('npm run match exits with code %d and an error: %s', async (status, message, args) => {
    writeFileSync(join(scratch, 'wrong.epd'), 'no\n');
    const { code, stdout, stderr } = await here(...args);
    const lines = stderr.trim().split('\n');
    expect([code, stdout, lines.at(-1)]).toEqual([status, '', expect.stringContaining(`error: ${message}`)]);
    expect(lines.length).toBeLessThanOrEqual(2);
  });

  test('npm run match exits with code 130 on Ctrl-C, keeps finished games and prints the command to continue', async () => {
    const out = join(scratch, 'interrupted');
    const child = await startedMatch(out, 'mark=ctrl-c', 2);
    let stdout = '';
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(130);
    expect(stdout).toContain(`To continue: npm run match -- --continue ${out}\n`);
    expect(await isGone('mark=ctrl-c')).toBe(true);
    expect(existsSync(join(out, 'result.json'))).toBe(false);
    expect(existsSync(join(out, 'lock'))).toBe(false);
    expect(lineCount(join(out, 'games.jsonl'))).toBeGreaterThanOrEqual(3);
  });

  slowTest('npm run match can be interrupted while it reads an endless book', async () => {
    const book = join(scratch, 'bomb.epd.gz');
    writeFileSync(book, Buffer.concat(new Array(64).fill(gzipSync(Buffer.alloc(1 << 24, '\n')))));
    const args = [...TWO, '--games', '2', '--openings', book, '--out', join(scratch, 'bomb')];
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    while (!stderr.includes('2 games')) await sleep(20);
    await sleep(500);
    const began = performance.now();
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(performance.now() - began).toBeLessThan(3000);
    expect([code, stderr]).toEqual([130, expect.stringMatching(/^A .*\nerror: interrupted while reading .*\.gz\n$/)]);
    expect(existsSync(join(scratch, 'bomb'))).toBe(false);
  });

  test.runIf(isSlow)('npm run match leaves no engine running after SIGKILL and can be continued', async () => {
    const out = join(scratch, 'killed');
    const journal = (): string =>
      existsSync(join(out, 'games.jsonl')) ? readFileSync(join(out, 'games.jsonl'), 'utf8') : '';
    let kept = '';
    for (const games of [2, 5]) {
      kept = journal().replace(/[^\n]*$/, '');
      const child = await startedMatch(out, 'mark=kill-9', games);
      child.kill('SIGKILL');
      await new Promise((resolve) => child.on('close', resolve));
    }
    expect(await isGone('mark=kill-9')).toBe(true);
    expect(kept).not.toBe('');
    expect(journal().startsWith(kept)).toBe(true);
    const indices = journal().trim().split('\n').slice(1);
    const played = indices.map((line) => JSON.parse(line).index);
    expect(new Set(played).size).toBe(played.length);
  });
});
