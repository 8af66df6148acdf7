// The UCI contract row by row: start, identification, readiness, input format and exit.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { slowTest, someOf } from '../../support/slow.js';
import { EngineProcess, runEngine, start } from '../engine-process.js';
import { MATED, moveOf, pause, shareEngine } from './session.js';

describe('a running engine', () => {
  const engine = shareEngine();

  test('row 1: uci is answered with name, author, options and uciok, and nothing follows', async () => {
    engine.current.send('uci');
    const lines = await engine.current.until(/^uciok$/);
    expect(lines[0]).toMatch(/^id name \S/);
    expect(lines[1]).toMatch(/^id author \S/);
    expect(lines.slice(2, -1).every((line) => /^option name .+ type (spin|check|button|string|combo)/.test(line))).toBe(
      true,
    );
    await pause(50);
    expect(engine.current.lines).toEqual([]);
  });

  test('row 3: isready is answered during a search, which continues', async () => {
    engine.current.send('go infinite');
    await engine.current.until(/ depth 4 /);
    engine.current.send('isready');
    expect((await engine.current.until(/^readyok$/)).some((line) => line.startsWith('bestmove'))).toBe(false);
    await engine.current.until(/^info depth/);
    engine.current.send('stop');
    await engine.current.until(/^bestmove/);
  });

  test('row 4: isready is answered after ucinewgame and a new hash size', async () => {
    engine.current.send('setoption name Hash value 64', 'ucinewgame', 'isready');
    expect(await engine.current.until(/^readyok$/)).toEqual(['readyok']);
    engine.current.send('setoption name Hash value 16');
    moveOf(await engine.current.answer('go nodes 500'));
  });

  test('row 24: unknown words before a command are skipped', async () => {
    engine.current.send('register later', 'isready');
    expect(await engine.current.until(/^readyok$/)).toEqual(['readyok']);
    moveOf(await engine.current.answer('joho go depth 1'));
  });

  test('the answer to an unknown line has no control characters', async () => {
    engine.current.send('xyzzy', 'go-go', '\u001b[31m\u0007é…', 'x'.repeat(200), 'isready');
    const told = (text: string): string => `info string unknown command: ${text} (help lists the commands)`;
    expect(await engine.current.until(/^readyok$/)).toEqual([
      ...[told('xyzzy'), told('go-go'), told('?[31m?é…'), told(`${'x'.repeat(40)}…`), 'readyok'],
    ]);
  });

  test('help lists the commands', async () => {
    engine.current.send('help', 'isready');
    const lines = await engine.current.until(/^readyok$/);
    for (const command of ['position', 'go', 'setoption', 'bench', 'quit']) {
      expect(lines.some((line) => line.startsWith(`${command} `))).toBe(true);
    }
  });

  slowTest('a line of 100 MB and an invalid setoption with 60,000 spaces are reported', async () => {
    engine.current.write(`position startpos moves ${'e2e4 '.repeat(20_000_000)}\n`);
    engine.current.send(`setoption name${' '.repeat(60_000)}Hash value${' '.repeat(60_000)}16 x`, 'isready');
    const lines = await engine.current.until(/^readyok$/);
    expect(lines).toEqual([
      expect.stringMatching(/^info string error: ignored an input line of more than \d+ characters$/),
      expect.stringMatching(/^info string Hash must be a whole number .* not '16 x'$/),
      'readyok',
    ]);
  });

  test.skipIf(process.platform === 'win32')(
    'an EvalFile that is not a regular file is rejected, and errors do not quote file contents',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'heft-eval-'));
      const fifo = join(folder, 'fifo');
      const secret = join(folder, 'secret');
      execFileSync('mkfifo', [fifo]);
      writeFileSync(secret, 'root:secret');
      for (const file of [fifo, '/dev/zero', folder, secret])
        engine.current.send(`setoption name EvalFile value ${file}`);
      engine.current.send('isready');
      const lines = await engine.current.until(/^readyok$/);
      rmSync(folder, { recursive: true });
      expect(lines).toEqual([
        `info string error: EvalFile ${fifo}: it is not a regular file`,
        'info string error: EvalFile /dev/zero: it is not a regular file',
        `info string error: EvalFile ${folder}: it is a folder`,
        `info string error: EvalFile ${secret}: not valid JSON`,
        'readyok',
      ]);
    },
  );

  test('row 25: empty and blank lines are ignored', async () => {
    engine.current.write('\n\n   \n\t\nisready\n');
    expect(await engine.current.until(/^readyok$/)).toEqual(['readyok']);
  });

  test('row 26: words may be separated by any number of spaces and tabs', async () => {
    engine.current.write('  \t position   startpos \t moves  e2e4   e7e5 \n \tgo  \t depth 1\n');
    moveOf(await engine.current.until(/^bestmove/), 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
  });

  test('row 27: lines may end in CR LF', async () => {
    engine.current.write('position startpos moves e2e4\r\ngo depth 1\r\n');
    moveOf(await engine.current.until(/^bestmove/), 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
  });

  test('row 28: position lines of any length are read completely', async () => {
    engine.current.send(`position startpos moves${' g1f3 g8f6 f3g1 f6g8'.repeat(2500)} e2e4`, 'd', 'isready');
    expect((await engine.current.until(/^readyok$/)).find((line) => line.startsWith('Fen'))).toMatch(/4P3.* b KQkq/);
  });

  test('row 29: a line may arrive in pieces', async () => {
    for (const piece of ['position sta', 'rtpos mov', 'es e2e4 e7', 'e5\ngo dep', 'th 1\r', '\n']) {
      engine.current.write(piece);
      await pause(5);
    }
    moveOf(await engine.current.until(/^bestmove/), 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
  });
});

describe('a process', () => {
  slowTest('quit flushes all unread output, including bestmove', async () => {
    const engine = start([]);
    engine.stdin.write(`${'d\n'.repeat(400)}go depth 4\n`);
    await pause(1500);
    engine.stdin.write('quit\n');
    await pause(500);
    let output = '';
    for await (const chunk of engine.stdout) output += chunk;
    expect(output.length).toBeGreaterThan(1 << 17);
    expect(output.match(/^Fen/gm)).toHaveLength(400);
    expect(output).toMatch(/\nbestmove \S+.*\n$/);
  });

  test('row 2: nothing is printed before uci', async () => {
    const engine = new EngineProcess();
    await pause(300);
    expect([engine.lines, engine.stderr]).toEqual([[], '']);
    engine.send('uci', 'quit');
    await engine.until(/^uciok$/);
    expect(await engine.exit).toBe(0);
  });

  const ends: [string, string][] = [
    ['row 20: quit while searching', 'go infinite\nquit\n'],
    ['row 20: quit while pondering', 'go ponder wtime 1000 btime 1000\nquit\n'],
    ['row 20: quit after the end of an infinite search', `position fen ${MATED}\ngo infinite\nquit\n`],
    ['row 21: end of input while idle', 'isready\n'],
    ['row 21: empty input', ''],
    ['row 21: end of input while searching', 'go infinite\n'],
    ['row 21: a last line without a line ending', 'uci\nisready'],
    ['row 23: quit right after uci', 'uci\nquit\n'],
    ['row 23: quit as the first line', 'quit\n'],
    ['row 23: perft, then quit', 'go perft 3\nquit\n'],
    ['row 23: perft, then end of input', 'go perft 3\n'],
  ];
  test.concurrent.each(someOf(ends))('%s: the process exits with 0 and answers every request', async (_, input) => {
    const { code, stderr, stdout } = await runEngine([], input);
    expect([code, stderr]).toEqual([0, '']);
    if (input.includes('uci')) expect(stdout).toContain('uciok\n');
    if (input.includes('isready')) expect(stdout).toContain('readyok\n');
    if (input.includes('perft')) expect(stdout).toContain('Nodes searched: 8902\n');
    if (/go (infinite|ponder)/.test(input)) expect(stdout.match(/^bestmove/gm)).toHaveLength(1);
  });

  test('row 20: quit ends a deep search within a second', async () => {
    const times: number[] = [];
    // The best of three, because the machine may be busy
    for (let i = 0; i < 3 && !times.some((ms) => ms < 1000); i++) {
      const engine = new EngineProcess();
      engine.send('go infinite');
      await engine.until(/^info depth 7 /);
      const asked = performance.now();
      engine.send('quit');
      expect(await engine.exit).toBe(0);
      times.push(performance.now() - asked);
    }
    expect(Math.min(...times)).toBeLessThan(1000);
  });

  slowTest('row 22: the process exits quietly when its output is closed', async () => {
    const engine = new EngineProcess();
    engine.send('go infinite');
    await engine.until(/^info depth 2 /);
    engine.child.stdout.destroy();
    for (let i = 0; i < 100 && engine.child.exitCode === null; i++) {
      engine.send('isready');
      await pause(20);
    }
    expect([await engine.exit, engine.stderr]).toEqual([0, '']);
  });

  slowTest('row 62: bench prints nodes and speed, with the same nodes in parallel runs', async () => {
    const runs = await Promise.all([runEngine(['bench', '5']), runEngine(['bench 5', 'quit'])]);
    for (const { code, stdout } of runs) {
      expect(code).toBe(0);
      expect(stdout).toMatch(/^\d+ nodes \d+ nps\n$/);
    }
    expect(runs[0].stdout.split(' ')[0]).toBe(runs[1].stdout.split(' ')[0]);
  });

  test('--version prints name and version', async () => {
    expect(await runEngine(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Heft \d+\.\d+\.\d+\n$/),
    });
  });

  test('--help prints the usage and exits with 0', async () => {
    const { code, stdout, stderr } = await runEngine(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^usage: heft .*--weights.*bench.*genfens/s);
  });
});
