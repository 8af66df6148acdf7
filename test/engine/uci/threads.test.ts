// Several threads in the real process: the protocol is unchanged, and going back to one thread restores reproducible searches.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { slowTest } from '../../support/slow.js';
import { EngineProcess } from '../engine-process.js';

const KIWIPETE = 'position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1';
let engine: EngineProcess;

beforeEach(() => {
  engine = new EngineProcess();
});
afterEach(() => engine.kill());

const lastNodes = (lines: string[]): number => Number(/ nodes (\d+)/.exec(lines.at(-2) ?? '')?.[1]);

test('two threads answer each go exactly once', async () => {
  engine.send('setoption name Threads value 2', 'setoption name Hash value 8');
  for (const go of ['go depth 9', 'go nodes 20000', 'go movetime 50', 'go wtime 1000 btime 1000', 'go depth 1']) {
    const lines = await engine.answer('ucinewgame', KIWIPETE, go);
    expect(lines.filter((line) => line.startsWith('bestmove'))).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/^bestmove [a-h][1-8][a-h][1-8]/);
  }
  // A depth may be skipped if a helper was ahead, but not the last one
  expect((await engine.answer('ucinewgame', KIWIPETE, 'go depth 9')).at(-2)).toMatch(/^info depth 9 /);
  engine.send('go infinite');
  await engine.until(/ depth (?:[7-9]|\d\d) /);
  expect((await engine.answer('stop')).at(-1)).toMatch(/^bestmove /);
});

slowTest('helpers survive changes of position, castling notation, hash size and game', async () => {
  engine.send('setoption name Threads value 3', 'setoption name UCI_Chess960 value true');
  for (let game = 0; game < 3; game++) {
    engine.send('ucinewgame', `setoption name Hash value ${1 + game}`);
    const lines = await engine.answer(`${KIWIPETE} moves e1h1 e8a8`, 'go nodes 30000');
    expect(lines.at(-1)).toMatch(/^bestmove /);
  }
  engine.send('quit');
  expect(await engine.exit).toBe(0);
  expect(engine.stderr).toBe('');
});

test('a helper that starts after a rejected position searches the previous position', async () => {
  engine.send('position startpos moves a2a4', 'position fen rnbqkbnr/ppp w', 'setoption name Threads value 3');
  for (let depth = 8; depth <= 14; depth += 2) {
    expect((await engine.answer(`go depth ${depth}`)).at(-1)).toMatch(/^bestmove [a-h][78]/);
  }
});

slowTest('after a return to one thread, a new game gives the same node count as a fresh process', async () => {
  const fresh = new EngineProcess();
  const expected = await fresh.answer(KIWIPETE, 'go depth 8');
  fresh.kill();
  engine.send('setoption name Threads value 2');
  await engine.answer(KIWIPETE, 'go depth 8');
  const again = await engine.answer('setoption name Threads value 1', 'ucinewgame', KIWIPETE, 'go depth 8');
  expect(again.at(-1)).toBe(expected.at(-1));
  expect(lastNodes(again)).toBe(lastNodes(expected));
});

test('bench prints the same node count with several threads', async () => {
  const benched = async (): Promise<string> => {
    engine.send('bench 4');
    return (await engine.until(/ nps$/)).at(-1)?.split(' ')[0] ?? '';
  };
  const alone = await benched();
  engine.send('setoption name Threads value 2');
  await engine.answer(KIWIPETE, 'go depth 8');
  expect([await benched(), await benched()]).toEqual([alone, alone]);
});
