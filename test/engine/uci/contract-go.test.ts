// The UCI contract row by row: how searches start, what limits them, and how they end.

import { describe, expect, test } from 'vitest';
import {
  MATE_IN_ONE,
  MATE_IN_TWO,
  MATED,
  moveOf,
  numberOf,
  pause,
  pvOf,
  STALEMATED,
  scored,
  shareEngine,
} from './session.js';

const engine = shareEngine();
const AFTER_E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
const answer = (...lines: string[]): Promise<string[]> => engine.current.answer(...lines);
const isSilent = (): void => expect(engine.current.lines.filter((line) => line.startsWith('bestmove'))).toEqual([]);

describe('the end of a search', () => {
  test('row 5: every go has exactly one bestmove', async () => {
    for (const go of ['go depth 2', 'go nodes 100', 'go movetime 1', 'go wtime 50 btime 50']) moveOf(await answer(go));
  });

  test.each(['go movetime 1', 'go nodes 1', 'go nodes 777', 'go depth 6', 'go wtime 1 btime 1'])(
    'rows 6 and 7: the last line before bestmove starts with its move and has a score: %s',
    async (go) => {
      moveOf(await answer(go));
    },
  );

  test('row 8: stop ends a search within 500 ms', async () => {
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      engine.current.send('go infinite');
      await engine.current.until(/ depth 5 /);
      const asked = performance.now();
      engine.current.send('stop');
      await engine.current.until(/^bestmove/);
      times.push(performance.now() - asked);
    }
    // The best of three, because the machine may be busy; latencies of an idle machine are measured elsewhere
    expect(Math.min(...times)).toBeLessThan(500);
  });

  test('row 9: stop right after go returns a legal move', async () => {
    for (let i = 0; i < 3; i++) moveOf(await answer('go infinite', 'stop'));
  });

  test('row 10: stop and ponderhit are ignored while idle', async () => {
    engine.current.send('stop', 'ponderhit', 'stop', 'isready');
    expect(await engine.current.until(/^readyok$/)).toEqual(['readyok']);
    moveOf(await answer('go depth 2'));
  });

  test.each([
    ['row 11', MATE_IN_ONE, 'a1a8'],
    ['row 11', '7k/8/8/8/8/8/6q1/K6Q b - - 0 1', 'g2h1'],
    ['row 12', MATED, '(none)'],
    ['row 12', STALEMATED, '(none)'],
  ])('%s: an infinite search waits for stop even if it is complete: %s', async (_, fen, best) => {
    engine.current.send(`position fen ${fen}`, 'go infinite');
    await engine.current.until(/ score /);
    await pause(100);
    isSilent();
    engine.current.send('stop');
    expect((await engine.current.until(/^bestmove/)).at(-1)?.split(' ')[1]).toBe(best);
  });

  test('row 13: go in a mated position returns mate 0 and no move', async () => {
    const expected = ['info depth 0 score mate 0', 'bestmove (none)'];
    for (const go of ['go depth 5', 'go wtime 100 btime 100', 'go mate 1']) {
      expect(await answer(`position fen ${MATED}`, go)).toEqual(expected);
    }
  });

  test('row 14: go in a stalemated position returns cp 0 and no move', async () => {
    expect(await answer(`position fen ${STALEMATED}`, 'go movetime 50')).toEqual([
      'info depth 0 score cp 0',
      'bestmove (none)',
    ]);
  });
});

describe('pondering', () => {
  test.each([
    'go ponder wtime 30 btime 30',
    'go ponder depth 2',
    'go ponder movetime 1',
    'go ponder',
    'go ponder mate 1',
  ])('rows 15 and 16: %s is answered only after ponderhit', async (go) => {
    engine.current.send(go.endsWith('mate 1') ? `position fen ${MATE_IN_ONE}` : 'position startpos', go);
    await engine.current.until(/ score /);
    await pause(100);
    isSilent();
    engine.current.send(...(go === 'go ponder' ? ['ponderhit', 'stop'] : ['ponderhit']));
    await engine.current.until(/^bestmove/);
  });

  test('row 16: the time is counted from ponderhit', async () => {
    engine.current.send('go ponder movetime 200');
    await engine.current.until(/ depth 3 /);
    await pause(300);
    const hit = performance.now();
    engine.current.send('ponderhit');
    await engine.current.until(/^bestmove/);
    expect(performance.now() - hit).toBeGreaterThan(100);
  });

  test('row 17: stop ends pondering, and the next position is searched normally', async () => {
    engine.current.send('go ponder wtime 1000 btime 1000');
    await engine.current.until(/ depth 2 /);
    expect((await answer('stop')).filter((line) => line.startsWith('bestmove'))).toHaveLength(1);
    moveOf(await answer('position startpos moves e2e4', 'go depth 2'), AFTER_E4);
  });

  test('row 18: the ponder move is a legal reply, and is absent if the game ends', async () => {
    moveOf(await answer('go depth 6'));
    expect((await answer(`position fen ${MATE_IN_ONE}`, 'go depth 4')).at(-1)).toBe('bestmove a1a8');
  });
});

describe('limits', () => {
  /** Returns the time of the fastest of three searches, because the machine may be busy. */
  const leastTime = async (go: string): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < 3; i++) times.push(numberOf(scored(await answer(go)).at(-1) as string, 'time'));
    return Math.min(...times);
  };

  test.each([
    ['row 38', 'position startpos', 'go wtime 100'],
    ['row 38', 'position startpos moves e2e4', 'go btime 100'],
    ['row 38', 'position startpos moves e2e4', 'go wtime 100'],
    ['row 39', 'position startpos', 'go wtime 0 btime 0'],
    ['row 39', 'position startpos', 'go wtime -50 btime -50 winc 0 binc 0'],
    ['row 39', 'position startpos', 'go wtime 1 btime 1'],
    ['row 42', 'position startpos', 'go movetime 0'],
    ['row 43', 'position startpos', 'go depth 0'],
    ['row 44', 'position startpos', 'go nodes 1'],
    ['row 44', 'position startpos', 'go nodes 0'],
    ['row 46', 'position startpos', 'go wtime 9000 btime 9000 depth 50 nodes 500 movestogo 3'],
    ['row 46', 'position startpos', 'go binc 100 depth 3 winc 100 btime 100000 wtime 100000'],
    ['row 47', 'position startpos', 'go searchmoves d2d4 g1f3 depth 2'],
  ])('%s: %s, %s is answered with one legal move', async (_, position, go) => {
    const best = moveOf(await answer(position, go), position.endsWith('e2e4') ? AFTER_E4 : undefined);
    if (go.includes('searchmoves')) expect(['d2d4', 'g1f3']).toContain(best);
  });

  test('row 40: with one move to the time control, the clock is not exceeded', async () => {
    expect(await leastTime('go wtime 300 btime 300 movestogo 1')).toBeLessThanOrEqual(300);
  });

  test('row 41: movetime is used and not exceeded by much', async () => {
    const time = await leastTime('go movetime 200');
    expect(time).toBeGreaterThan(150);
    expect(time).toBeLessThan(500);
  });

  test('row 43: the last line has the depth of the limit', async () => {
    expect(numberOf(scored(await answer('go depth 5')).at(-1) as string, 'depth')).toBe(5);
    const mate = await answer('position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1', 'go depth 99999 nodes 3000');
    expect(mate.at(-1)).toMatch(/^bestmove g1/);
  });

  test('row 44: a node limit is exact', async () => {
    expect(numberOf(scored(await answer('go nodes 1234')).at(-1) as string, 'nodes')).toBe(1234);
  });

  test('row 45: a search for mate ends when the mate is proven, for either side', async () => {
    expect(scored(await answer(`position fen ${MATE_IN_TWO}`, 'go mate 2')).at(-1)).toMatch(/ score mate 2 /);
    const mated = await answer('position fen 7k/8/5K2/8/8/8/8/6Q1 b - - 0 1', 'go mate 1');
    expect(scored(mated).at(-1)).toMatch(/ score mate -1 /);
  });

  test('row 48: illegal searchmoves are ignored', async () => {
    moveOf(await answer('go searchmoves e2e5 e7e5 depth 2'));
    expect(moveOf(await answer('go searchmoves e2e5 a2a3 depth 2'))).toBe('a2a3');
  });

  test('row 49: go and position during a search wait for its end, and stop an infinite search', async () => {
    engine.current.send('go infinite', 'position startpos moves e2e4', 'go depth 2');
    moveOf(await engine.current.until(/^bestmove/));
    moveOf(await engine.current.until(/^bestmove/), AFTER_E4);
    engine.current.send('position startpos', 'go nodes 20000', 'ucinewgame', 'go depth 1', 'isready');
    moveOf((await engine.current.until(/^bestmove/)).filter((line) => line !== 'readyok'));
    moveOf((await engine.current.until(/^bestmove/)).filter((line) => line !== 'readyok'));
    engine.current.send('go infinite', 'stop');
    await engine.current.until(/^bestmove/);
  });

  test('row 50: setoption during a search takes effect after it', async () => {
    engine.current.send('go infinite', 'setoption name Hash value 8', 'setoption name MultiPV value 2', 'stop');
    moveOf(await engine.current.until(/^bestmove/));
    expect(scored(await answer('go depth 2')).at(-1)).toMatch(/ multipv 2 /);
    engine.current.send('setoption name Hash value 16', 'setoption name MultiPV value 1');
  });

  test('go perft prints the count and can be stopped', async () => {
    engine.current.send('go perft 3');
    expect(await engine.current.until(/^Nodes searched/)).toContain('Nodes searched: 8902');
    engine.current.send('go perft 12', 'isready');
    await engine.current.until(/^readyok$/);
    engine.current.send('stop');
    await engine.current.until(/^info string perft stopped$/);
  });

  test('every info line with a score has a principal variation', async () => {
    for (const line of scored(await answer('go depth 5'))) expect(pvOf(line).length).toBeGreaterThan(0);
  });
});
