import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { STARTPOS } from '../../engine/board/fen.js';
import { oracleAt, oracleMoves, oraclePlay } from '../support/oracle.js';
import { EngineProcess, runEngine } from './engine-process.js';

const MATED = 'position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1';
const STALEMATED = 'position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1';
const MATE_IN_ONE = 'position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1';
const INFO =
  /^info depth \d+( seldepth \d+)?( multipv \d+)? score (cp -?\d+|mate -?\d+)( lowerbound| upperbound)?( nodes \d+ nps \d+ hashfull \d+ time \d+)?( pv( [a-h][1-8][a-h][1-8][nbrq]?)+)?$/;

/** Returns the move of an answer, after checking that there is one answer only, legal in the position, and information before it. */
function moveOf(answer: string[], fen = STARTPOS): string {
  const oracle = oracleAt(fen);
  const bestMoves = answer.filter((line) => line.startsWith('bestmove'));
  expect(bestMoves).toHaveLength(1);
  const [, best, , ponder] = bestMoves[0].split(' ');
  const infos = answer.filter((line) => line.startsWith('info ') && !line.startsWith('info string'));
  expect(infos.length).toBeGreaterThan(0);
  for (const line of infos) expect(line).toMatch(INFO);
  expect(/ pv (\S+)/.exec(infos.at(-1) as string)?.[1], answer.join('\n')).toBe(best);
  expect(oracleMoves(oracle)).toContain(best);
  if (ponder !== undefined) {
    oraclePlay(oracle, best);
    expect(oracleMoves(oracle)).toContain(ponder);
  }
  return best;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('one engine', () => {
  let engine: EngineProcess;
  beforeAll(async () => {
    engine = new EngineProcess();
    engine.send('uci');
    await engine.until(/^uciok$/);
  });
  afterAll(() => engine.kill());
  beforeEach(async () => {
    engine.send('ucinewgame', 'position startpos', 'isready');
    await engine.until(/^readyok$/);
    expect(engine.lines, 'nothing is said unasked').toEqual([]);
  });
  afterEach(() => expect(engine.stderr).toBe(''));

  test('passes the steps of a compliance check', async () => {
    const isReady = async (): Promise<void> => {
      engine.send('isready');
      expect(await engine.until(/^readyok$/)).toEqual(['readyok']);
    };
    const black = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
    engine.send('uci');
    const identity = await engine.until(/^uciok$/);
    expect(identity[0]).toMatch(/^id name /);
    expect(identity[1]).toMatch(/^id author /);
    engine.send('ucinewgame');
    await isReady();
    engine.send('position startpos');
    await isReady();
    engine.send('position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27');
    await isReady();
    engine.send('position startpos');
    moveOf(await engine.answer('go wtime 100'));
    engine.send('position startpos moves e2e4');
    moveOf(await engine.answer('go btime 100'), black);
    moveOf(await engine.answer('go wtime 100'), black);
    engine.send('position startpos');
    moveOf(await engine.answer('go wtime 100 winc 100 btime 100 binc 100'));
    moveOf(await engine.answer('go btime 100 binc 100 wtime 100 winc 100'));
    moveOf(await engine.answer('go wtime 200 btime 200 movestogo 1'));
    moveOf(await engine.answer('go depth 3'));
    moveOf(await engine.answer('go nodes 100'));
    moveOf(await engine.answer('go movetime 30'));
    moveOf(await engine.answer('go wtime 100 btime 100 depth 50 nodes 500'));
    await isReady();
    engine.send('ucinewgame', 'position startpos moves d2d4 d7d5');
    await isReady();
    expect((await engine.answer('go depth 2')).at(-1)).toMatch(/^bestmove /);
  });

  test.each([
    'go movetime 0',
    'go movetime 1',
    'go wtime 0 btime 0',
    'go wtime -50 btime -50 winc 0 binc 0',
    'go wtime 1 btime 1 movestogo 1',
    'go depth 0',
    'go depth 1',
    'go nodes 0',
    'go nodes 1',
    'go mate 1 depth 4',
    'go nodes 50 searchmoves e2e4',
    'go searchmoves d2d4 g1f3 depth 2',
    'go depth 2 quickly',
    'go winc 5 nodes 40',
  ])('answers %s with one legal move', async (go) => {
    const best = moveOf(await engine.answer(go));
    if (go.includes('searchmoves')) expect(go.split(' ')).toContain(best);
  });

  test('stops within 200 ms, and is ready at any time', async () => {
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      engine.send('go infinite');
      await engine.until(/^info depth 6 /);
      const asked = performance.now();
      engine.send('isready');
      const beforeReady = await engine.until(/^readyok$/);
      times.push(performance.now() - asked);
      expect(beforeReady.some((line) => line.startsWith('bestmove'))).toBe(false);
      const stopped = performance.now();
      engine.send('stop');
      const answer = await engine.until(/^bestmove/);
      times.push(performance.now() - stopped);
      expect(answer.filter((line) => line.startsWith('bestmove'))).toHaveLength(1);
    }
    // The best of three: the machine may be busy
    expect(Math.min(...times.filter((_, i) => i % 2 === 0)), 'ms to readyok').toBeLessThan(200);
    expect(Math.min(...times.filter((_, i) => i % 2 === 1)), 'ms to bestmove').toBeLessThan(200);
  });

  test('answers a stop that comes with the go', async () => {
    for (let i = 0; i < 3; i++) moveOf(await engine.answer('go infinite', 'stop'));
  });

  test('ignores stop and ponderhit while idle', async () => {
    engine.send('stop', 'ponderhit', 'stop', 'isready');
    expect(await engine.until(/^readyok$/)).toEqual(['readyok']);
    moveOf(await engine.answer('go depth 2'));
  });

  test('does not answer an infinite search before the stop, even with nothing left to search', async () => {
    for (const [position, best] of [
      [MATED, '(none)'],
      [STALEMATED, '(none)'],
      [MATE_IN_ONE, 'a1a8'],
    ]) {
      engine.send(position, 'go infinite');
      await engine.until(/^info .* score (mate|cp 0)/);
      await sleep(100);
      expect(engine.lines.filter((line) => line.startsWith('bestmove'))).toEqual([]);
      engine.send('stop');
      expect((await engine.until(/^bestmove/)).at(-1)).toBe(`bestmove ${best}`);
    }
  });

  test('ponders until ponderhit, whatever the clock says, and then moves', async () => {
    engine.send('position startpos moves e2e4 e7e5', 'go ponder wtime 60 btime 60');
    await engine.until(/^info depth 3 /);
    await sleep(200);
    expect(engine.lines.filter((line) => line.startsWith('bestmove'))).toEqual([]);
    engine.send('ponderhit');
    expect((await engine.until(/^bestmove/)).at(-1)).toMatch(/^bestmove [a-h]/);
    engine.send('position startpos', 'go ponder depth 2');
    await engine.until(/^info depth 2 /);
    await sleep(50);
    expect(engine.lines).toEqual([]);
    engine.send('ponderhit');
    await engine.until(/^bestmove/);
  });

  test('ends pondering at a stop, and plays on', async () => {
    engine.send('go ponder wtime 1000 btime 1000');
    await engine.until(/^info depth 2 /);
    const answer = await engine.answer('stop');
    expect(answer.filter((line) => line.startsWith('bestmove'))).toHaveLength(1);
    moveOf(await engine.answer('position startpos', 'go depth 2'));
  });

  test('finds mates and says so', async () => {
    engine.send(MATE_IN_ONE);
    const answer = await engine.answer('go depth 4');
    expect(answer.at(-1)).toBe('bestmove a1a8');
    expect(answer.at(-2)).toMatch(/ score mate 1 /);
    engine.send(MATED);
    expect(await engine.answer('go wtime 100 btime 100')).toEqual(['info depth 0 score mate 0', 'bestmove (none)']);
    engine.send(STALEMATED);
    expect(await engine.answer('go movetime 50')).toEqual(['info depth 0 score cp 0', 'bestmove (none)']);
  });

  test('takes go, position and options during a search', async () => {
    engine.send('go infinite', 'position startpos moves e2e4', 'setoption name Hash value 8', 'go depth 2');
    const answers = [await engine.until(/^bestmove/), await engine.until(/^bestmove/)];
    moveOf(answers[0]);
    moveOf(answers[1], 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
    engine.send('position startpos', 'go nodes 20000', 'ucinewgame', 'go depth 1', 'isready');
    await engine.until(/^bestmove/);
    await engine.until(/^bestmove/);
    engine.send('stop', 'isready');
    await engine.until(/^readyok$/);
  });

  test('reads lines in any shape', async () => {
    engine.write('isready\r\n');
    expect(await engine.until(/^readyok$/)).toEqual(['readyok']);
    engine.write('  \t isready  \t\n\n   \n');
    expect(await engine.until(/^readyok$/)).toEqual(['readyok']);
    for (const piece of ['position sta', 'rtpos mov', 'es e2e4 e7', 'e5\ngo dep', 'th 1\r', '\n']) {
      engine.write(piece);
      await sleep(5);
    }
    moveOf(await engine.until(/^bestmove/), 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
  });

  test('reads very long games', async () => {
    const cycle = ' g1f3 g8f6 f3g1 f6g8';
    engine.send(`position startpos moves${cycle.repeat(2500)}`);
    moveOf(await engine.answer('go depth 2'));
  });

  test('survives nonsense', async () => {
    engine.send('xyzzy', 'go-go', 'info depth 3', 'setoption', 'setoption name', 'setoption name Hash value 99999999');
    engine.send(
      'setoption name Nonsense value 3',
      'position',
      'position fen',
      'position fen 8/8/8 w',
      '\u0000\u0007é…',
    );
    engine.send('position fen 8/8/8/8/8/8/8/8 w - - 0 1', 'register later', 'debug on', 'debug off', 'isready');
    const answer = await engine.until(/^readyok$/);
    expect(answer.slice(0, -1).every((line) => line.startsWith('info string '))).toBe(true);
    // The position before is still there
    moveOf(await engine.answer('go depth 2'));
    engine.send('position startpos moves e2e4 e2e4 d7d5', 'isready');
    expect((await engine.until(/^readyok$/))[0]).toMatch(/^info string error: illegal move e2e4/);
    moveOf(await engine.answer('go depth 1'), 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
  });

  test('castles in the notation it was asked for', async () => {
    const fen = 'b1rkr3/pppppppp/8/8/8/8/PPPPPPPP/B1RKR3 w ECec - 0 1';
    engine.send('setoption name UCI_Chess960 value true', `position fen ${fen}`);
    for (const castle of ['d1c1', 'd1e1']) {
      expect(moveOf(await engine.answer(`go depth 2 searchmoves ${castle}`), fen)).toBe(castle);
    }
    engine.send(`position fen ${fen} moves d1e1 d8c8`, 'd', 'setoption name UCI_Chess960 value false', 'isready');
    const answer = await engine.until(/^readyok$/);
    expect(answer).toContain('Fen: b1krr3/pppppppp/8/8/8/8/PPPPPPPP/B1R2RK1 w - - 2 2');
  });

  test('can change its hash between searches', async () => {
    for (const megabytes of [1, 32]) {
      engine.send(`setoption name Hash value ${megabytes}`, 'setoption name Clear Hash');
      moveOf(await engine.answer('go nodes 500'));
    }
  });
});

describe('the process', () => {
  test('says nothing before it is asked', async () => {
    const engine = new EngineProcess();
    await sleep(300);
    expect([engine.lines, engine.stderr]).toEqual([[], '']);
    engine.send('uci', 'quit');
    await engine.until(/^uciok$/);
    expect(await engine.exit).toBe(0);
  });

  test.concurrent.each([
    ['quit while idle', 'uci\nquit\n'],
    ['quit before anything', 'quit\n'],
    ['the end of input while idle', 'isready\n'],
    ['the end of input at once', ''],
    ['an unfinished last line', 'uci\nisready'],
    ['quit while searching', 'go infinite\nquit\n'],
    ['the end of input while searching', 'go infinite\n'],
    ['quit while pondering', 'go ponder wtime 1000 btime 1000\nquit\n'],
    ['quit after the end of an infinite search', `${MATED}\ngo infinite\nquit\n`],
  ])('exits with 0 at %s', async (_, input) => {
    const { code, stderr, stdout } = await runEngine([], input);
    expect([code, stderr]).toEqual([0, '']);
    if (input.includes('uci')) expect(stdout).toContain('uciok\n');
    if (input.includes('isready')) expect(stdout).toContain('readyok\n');
    if (input.includes('go')) expect(stdout.match(/^bestmove/gm)).toHaveLength(1);
  });

  test('exits soon at quit in the middle of a deep search', async () => {
    const engine = new EngineProcess();
    engine.send('go infinite');
    await engine.until(/^info depth 7 /);
    const asked = performance.now();
    engine.send('quit');
    expect(await engine.exit).toBe(0);
    expect(performance.now() - asked).toBeLessThan(1000);
  });

  test('exits quietly when nobody reads any more', async () => {
    const engine = new EngineProcess();
    engine.send('go infinite');
    await engine.until(/^info depth 2 /);
    engine.child.stdout.destroy();
    for (let i = 0; i < 20 && engine.child.exitCode === null; i++) {
      engine.send('isready');
      await sleep(20);
    }
    expect(await engine.exit).toBe(0);
    expect(engine.stderr).toBe('');
  });
});
