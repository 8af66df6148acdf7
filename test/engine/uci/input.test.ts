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
/** The worker answers with the lines and has carried out one line of input. */
const worker = (...lines: string[]): void => {
  for (const line of lines) input.fromWorker(line);
  input.finished();
};
const raised = (): [number, number] => [flags[STOP], flags[PONDER_HIT]];

describe('an idle input', () => {
  test('an idle input passes lines on in order and answers back', () => {
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

  test('an idle input ignores stop and ponderhit', () => {
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

  test("lines between an answer and the worker's report are passed on", () => {
    gui('go depth 1');
    input.fromWorker('bestmove e2e4');
    gui('debug on', 'isready');
    expect([sent, written]).toEqual([['go depth 1', 'debug on', 'isready'], ['bestmove e2e4']]);
  });

  test('an idle input answers isready as soon as the search before it begins', () => {
    gui('go infinite', 'stop');
    input.fromWorker('bestmove e2e4');
    gui('position startpos', 'go infinite', 'isready');
    expect(written).toEqual(['bestmove e2e4']);
    input.finished();
    expect([sent.length, written]).toEqual([3, ['bestmove e2e4', 'readyok']]);
  });

  test('an idle input leaves at once when nothing is owed', () => {
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

describe('an input with a search running', () => {
  beforeEach(() => gui('go depth 20'));

  test('an input with a search running answers isready at once', () => {
    gui(' isready ');
    expect([sent, written]).toEqual([['go depth 20'], ['readyok']]);
  });

  test('an input with a search running raises the flags and wakes the search', () => {
    const wake = flags[WAKE];
    gui('stop');
    expect(raised()).toEqual([1, 0]);
    expect(flags[WAKE]).not.toBe(wake);
    gui('ponderhit');
    expect(raised()).toEqual([1, 1]);
  });

  test('an input with a search running lets other lines wait for the end', () => {
    gui('setoption name Hash value 1', 'position startpos', 'd');
    expect([sent.length, raised()]).toEqual([1, [0, 0]]);
    worker('info depth 1', 'bestmove e2e4');
    expect(sent.slice(1)).toEqual(['setoption name Hash value 1', 'position startpos', 'd']);
  });

  test('an input with a search running starts a second search only after the first, with flags taken back', () => {
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

  test('an input with a search running stops it and leaves at quit', () => {
    gui('quit');
    expect([raised(), exits]).toEqual([[1, 0], 0]);
    worker('bestmove e2e4');
    expect([exits, written]).toEqual([1, ['bestmove e2e4']]);
  });

  test('during a search, lines before quit are still executed', () => {
    gui('position startpos', 'go nodes 100', 'quit');
    worker('bestmove e2e4');
    expect(sent.slice(1)).toEqual(['position startpos', 'go nodes 100']);
    // And stops that search too
    expect([raised(), exits]).toEqual([[1, 0], 0]);
    worker();
    worker('bestmove d2d4');
    expect(exits).toBe(1);
  });
});

describe('a search without an end of its own', () => {
  test.each(['go infinite', 'go', 'go ponder wtime 1000 btime 1000', '  go   INFINITE '])(
    '%s is stopped by a new position',
    (line) => {
      gui(line, 'position startpos');
      expect(raised()).toEqual([1, 0]);
    },
  );

  test('a search without an end of its own is not stopped by an option', () => {
    gui('go infinite', 'setoption name Hash value 1', 'isready', 'debug on');
    expect(raised()).toEqual([0, 0]);
  });

  test('a search without an end of its own has an end after ponderhit', () => {
    gui('go ponder wtime 1000 btime 1000', 'ponderhit', 'position startpos');
    expect(raised()).toEqual([0, 1]);
  });

  test.each(['go infinite depth 3', 'go depth three', 'go winc 100', 'go searchmoves e2e4', 'go ponder'])(
    '%s is a search without an end of its own too, ponderhit or not',
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

test.each(['go perft 9', 'bench 20'])('%s stops like a search, and later lines wait for its end', (line) => {
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
