import { beforeEach, describe, expect, test } from 'vitest';
import { PONDER_HIT, STOP, WAKE } from '../../../engine/search/root/flags.js';
import { createInput, type Input } from '../../../engine/uci/input.js';

let flags: Int32Array;
let sent: string[];
let written: string[];
let exits: number;
let input: Input;

beforeEach(() => {
  flags = new Int32Array(new SharedArrayBuffer(12));
  sent = [];
  written = [];
  exits = 0;
  input = createInput({
    flags,
    toWorker: (line) => sent.push(line),
    identity: ['id name Heft', 'uciok'],
    write: (line) => written.push(line),
    exit: () => exits++,
  });
});

const gui = (...lines: string[]): void => lines.forEach((line) => void input.fromGui(line));
/** The worker answers with these lines and reports the end of one line of input. */
const worker = (...lines: string[]): void => {
  for (const line of lines) input.fromWorker(line);
  input.finished();
};
const raised = (): [number, number] => [flags[STOP], flags[PONDER_HIT]];

describe('an idle input thread', () => {
  test('an idle input thread forwards lines in order and writes the answers', () => {
    gui('isready', 'uci', 'position startpos', 'd');
    expect(sent).toEqual(['isready', 'uci', 'position startpos', 'd']);
    worker('readyok', 'uciok');
    expect(written).toEqual(['readyok', 'uciok']);
  });

  test('an idle input thread answers uci itself if the worker has no pending line', () => {
    gui('uci', 'isready');
    expect(written).toEqual(['id name Heft', 'uciok']);
    expect(sent).toEqual(['isready']);
  });

  test('an idle input thread ignores stop and ponderhit', () => {
    gui('stop', 'ponderhit', '  STOP ');
    expect([sent, written, raised()]).toEqual([[], [], [0, 0]]);
  });

  test('quit ends an idle input thread after all earlier answers', () => {
    gui('d', 'quit', 'isready', 'go infinite');
    expect([sent, exits]).toEqual([['d'], 0]);
    input.fromWorker('id name');
    expect(exits).toBe(0);
    worker('uciok');
    expect([exits, written]).toEqual([1, ['id name', 'uciok']]);
  });

  test("lines between bestmove and the worker's end report are forwarded", () => {
    gui('go depth 1');
    input.fromWorker('bestmove e2e4');
    gui('debug on', 'isready');
    expect([sent, written]).toEqual([['go depth 1', 'debug on', 'isready'], ['bestmove e2e4']]);
  });

  test('isready is answered as soon as the preceding search starts', () => {
    gui('go infinite', 'stop');
    input.fromWorker('bestmove e2e4');
    gui('position startpos', 'go infinite', 'isready');
    expect(written).toEqual(['bestmove e2e4']);
    input.finished();
    expect([sent.length, written]).toEqual([3, ['bestmove e2e4', 'readyok']]);
  });

  test('an idle input thread exits immediately on quit if no answer is pending', () => {
    gui('isready');
    worker('readyok');
    gui('quit');
    expect([exits, written]).toEqual([1, ['readyok']]);
  });

  test('unknown words before a command are skipped', () => {
    gui('joho quit');
    expect(exits).toBe(1);
  });
});

describe('an input thread during a search', () => {
  beforeEach(() => gui('go depth 20'));

  test('during a search, isready is answered at once', () => {
    gui(' isready ');
    expect([sent, written]).toEqual([['go depth 20'], ['readyok']]);
  });

  test('during a search, stop and ponderhit set their flags and wake the search', () => {
    const wake = flags[WAKE];
    gui('stop');
    expect(raised()).toEqual([1, 0]);
    expect(flags[WAKE]).not.toBe(wake);
    gui('ponderhit');
    expect(raised()).toEqual([1, 1]);
  });

  test('during a search, other lines wait for its end', () => {
    gui('setoption name Hash value 1', 'position startpos', 'd');
    expect([sent.length, raised()]).toEqual([1, [0, 0]]);
    worker('info depth 1', 'bestmove e2e4');
    expect(sent.slice(1)).toEqual(['setoption name Hash value 1', 'position startpos', 'd']);
  });

  test('during a search, a second search waits for the first and starts with cleared flags', () => {
    gui('stop', 'go depth 3', 'go depth 4');
    expect(sent).toEqual(['go depth 20']);
    worker('bestmove e2e4');
    expect(sent).toEqual(['go depth 20', 'go depth 3']);
    expect(raised()).toEqual([0, 0]);
    worker('bestmove d2d4');
    expect(sent).toEqual(['go depth 20', 'go depth 3', 'go depth 4']);
    worker('bestmove c2c4');
    gui('stop');
    expect(raised()).toEqual([0, 0]);
  });

  test('during a search, quit stops it and exits after bestmove', () => {
    gui('quit');
    expect([raised(), exits]).toEqual([[1, 0], 0]);
    worker('bestmove e2e4');
    expect([exits, written]).toEqual([1, ['bestmove e2e4']]);
  });

  test('during a search, lines before quit are still executed', () => {
    gui('position startpos', 'go nodes 100', 'quit');
    worker('bestmove e2e4');
    expect(sent.slice(1)).toEqual(['position startpos', 'go nodes 100']);
    // And that search is stopped too
    expect([raised(), exits]).toEqual([[1, 0], 0]);
    worker();
    worker('bestmove d2d4');
    expect(exits).toBe(1);
  });
});

describe('an unlimited search', () => {
  test.each(['go infinite', 'go', 'go ponder wtime 1000 btime 1000', '  go   INFINITE '])(
    '%s is stopped by a new position',
    (line) => {
      gui(line, 'position startpos');
      expect(raised()).toEqual([1, 0]);
    },
  );

  test('an unlimited search is not stopped by setoption', () => {
    gui('go infinite', 'setoption name Hash value 1', 'isready', 'debug on');
    expect(raised()).toEqual([0, 0]);
  });

  test('a ponder search with a clock is limited after ponderhit', () => {
    gui('go ponder wtime 1000 btime 1000', 'ponderhit', 'position startpos');
    expect(raised()).toEqual([0, 1]);
  });

  test.each(['go infinite depth 3', 'go depth three', 'go winc 100', 'go searchmoves e2e4', 'go ponder'])(
    '%s remains an unlimited search after ponderhit',
    (line) => {
      gui(line, 'ponderhit', 'go depth 1');
      expect(raised()).toEqual([1, 1]);
    },
  );
});

describe('a search that waits for an earlier one to end', () => {
  test('a waiting search is stopped by a stop that arrived before it began', () => {
    gui('go infinite', 'position startpos', 'go infinite', 'stop');
    worker('bestmove e2e4');
    expect([sent.length, raised()]).toEqual([3, [1, 0]]);
    worker();
    worker('bestmove d2d4');
    gui('go infinite');
    expect([sent.length, raised()]).toEqual([4, [0, 0]]);
  });

  test('a waiting search is stopped by a later go', () => {
    gui('go infinite', 'go infinite', 'position startpos', 'go depth 3');
    worker('bestmove e2e4');
    expect([sent.length, raised()]).toEqual([2, [1, 0]]);
    worker('bestmove d2d4');
    expect([sent.length, raised()]).toEqual([4, [0, 0]]);
  });

  test('a waiting search keeps a ponderhit that arrived before it began', () => {
    gui('go depth 5', 'go ponder wtime 1000 btime 1000', 'ponderhit', 'isready');
    expect(raised()).toEqual([0, 0]);
    worker('bestmove e2e4');
    expect([sent.length, raised()]).toEqual([2, [0, 1]]);
  });
});

test.each(['go perft 9', 'bench 20'])('%s can be stopped like a search, and later lines wait for its end', (line) => {
  gui(line, 'isready', 'position startpos', 'd');
  expect([sent, written, raised()]).toEqual([[line], ['readyok'], [0, 0]]);
  gui('stop');
  expect(raised()).toEqual([1, 0]);
  worker('info string stopped');
  expect(sent).toEqual([line, 'position startpos', 'd']);
  gui('quit');
  worker();
  expect(exits).toBe(0);
  worker('Fen: …');
  expect(exits).toBe(1);
});
