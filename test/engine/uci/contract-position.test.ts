// The UCI contract row by row: positions, options, info lines and scores.

import { describe, expect, test } from 'vitest';
import { STARTPOS } from '../../../engine/board/fen.js';
import { isSlow } from '../../support/slow.js';
import { MATE_IN_TWO, moveOf, numberOf, pause, pvOf, scored, shareEngine } from './session.js';

const engine = shareEngine();
const answer = (...lines: string[]): Promise<string[]> => engine.current.answer(...lines);

/** Sends lines and returns the output until they are executed. */
async function say(...lines: string[]): Promise<string[]> {
  engine.current.send(...lines, 'isready');
  return (await engine.current.until(/^readyok$/)).slice(0, -1);
}
const fenOf = async (...lines: string[]): Promise<string> =>
  (await say(...lines, 'd')).find((line) => line.startsWith('Fen: '))?.slice(5) ?? '';

describe('position', () => {
  test('row 30: a FEN of four fields gets the clocks 0 1', async () => {
    expect(await fenOf('position fen 4k3/8/8/8/8/8/8/4K2R w K -')).toBe('4k3/8/8/8/8/8/8/4K2R w K - 0 1');
  });

  test.each(['KQkq', 'HAha', 'HQha'])('row 31: castling rights are read as %s', async (rights) => {
    expect(await fenOf(`position fen ${STARTPOS.replace('KQkq', rights)}`)).toBe(STARTPOS);
  });

  test('row 32: an illegal move and the moves after it are ignored', async () => {
    const [complaint] = await say('position startpos moves e2e4 e2e4 d7d5');
    expect(complaint).toMatch(/^info string error: illegal move e2e4/);
    moveOf(await answer('go depth 1'), 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
  });

  test.each([
    '',
    'fen',
    'fen 8/8/8 w',
    'fen 8/8/8/8/8/8/8/8 w - - 0 1',
    'fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1',
    'fen 4k3/4R3/8/8/8/8/8/4K3 w - -',
  ])('row 33: an invalid position leaves the position unchanged: %s', async (text) => {
    const lines = await say('position startpos moves d2d4', `position ${text}`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^info string error: /);
    expect(await fenOf()).toBe('rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1');
  });

  test('row 34: UCI_Chess960 selects the output form of castling; both forms are accepted', async () => {
    const fen = '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1';
    expect(moveOf(await answer(`position fen ${fen}`, 'go depth 2 searchmoves e1h1'), fen)).toBe('e1g1');
    const chess960 = 'b1rkr3/pppppppp/8/8/8/8/PPPPPPPP/B1RKR3 w ECec - 0 1';
    await say('setoption name UCI_Chess960 value true', `position fen ${chess960}`);
    for (const castle of ['d1c1', 'd1e1']) {
      expect(moveOf(await answer(`go depth 2 searchmoves ${castle}`), chess960)).toBe(castle);
    }
    const after = await fenOf(`position fen ${chess960} moves d1e1 d8c8`);
    expect(after).toBe('b1krr3/pppppppp/8/8/8/8/PPPPPPPP/B1R2RK1 w - - 2 2');
    await say('setoption name UCI_Chess960 value false');
  });

  test('row 35: promotions end in a lower-case letter', async () => {
    const fen = '8/P6k/8/8/8/8/8/4K3 w - - 0 1';
    expect(moveOf(await answer(`position fen ${fen}`, 'go depth 1'), fen)).toBe('a7a8q');
  });

  test('row 36: repetitions include the positions before the root', async () => {
    await say('position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1');
    expect(scored(await answer('go depth 2 searchmoves f6g8')).at(-1)).toMatch(/ score cp 0 .* pv f6g8$/);
  });

  test('row 37: after fifty moves the score is a draw, except for mate', async () => {
    const drawn = await answer('position fen 7k/8/8/8/8/8/8/KQ6 w - - 99 80', 'go depth 4');
    expect(scored(drawn).at(-1)).toMatch(/ score cp 0 .* pv \w+$/);
    const mate = await answer('position fen 7k/8/6K1/8/8/8/8/3Q4 w - - 99 80', 'go depth 4');
    expect(scored(mate).at(-1)).toMatch(/ score mate 1 /);
  });
});

describe('options', () => {
  test('row 19: Ponder is declared', async () => {
    expect(await say('uci')).toContain('option name Ponder type check default false');
  });

  test.each([
    ['row 51: names in any case', 'setoption name hASH value 4', []],
    [
      'row 52: unknown options',
      'setoption name Hush value 4',
      [/^info string no such option: Hush; did you mean Hash\?$/],
    ],
    [
      'row 53: numbers too large',
      'setoption name Hash value 99999999',
      [/^info string Hash must be a whole number from 1 to/],
    ],
    ['row 53: numbers too small', 'setoption name Hash value 0', [/^info string Hash must be a whole number/]],
    ['row 53: text instead of a number', 'setoption name Hash value NaN', [/^info string Hash must be a whole number/]],
    ['row 54: names of two words', 'setoption name Move Overhead value 40', []],
    ['row 54: values of two words', 'setoption name EvalFile value no such file', [/EvalFile no such file: /]],
    ['row 54: the empty string', 'setoption name EvalFile value <empty>', []],
    ['row 55: buttons', 'setoption name Clear Hash', []],
    ['row 55: buttons with a value', 'setoption name Clear Hash value true', []],
    ['row 24: an incomplete line', 'setoption name', [/^info string setoption needs a name$/]],
  ])('%s: setoption prints only its error', async (_, line, expected) => {
    const lines = await say(line);
    expect(lines).toHaveLength(expected.length);
    for (const [i, pattern] of expected.entries()) expect(lines[i]).toMatch(pattern);
    moveOf(await answer('go nodes 200'));
    await say('setoption name Hash value 16', 'setoption name Move Overhead value 30');
  });

  test('row 56: the hash size can change between searches', async () => {
    for (const megabytes of [1, 256, 1, 16]) {
      moveOf(await answer(`setoption name Hash value ${megabytes}`, 'setoption name Clear Hash', 'go nodes 500'));
    }
  });

  test('row 57: MultiPV prints at most one line per move, sorted by score, and plays the first', async () => {
    const fen = '7k/8/8/8/8/8/r7/6K1 w - - 0 1';
    await say('setoption name MultiPV value 500', 'setoption name MultiPV value 5');
    for (const [position, count] of [
      [fen, 2],
      [STARTPOS, 5],
    ] as const) {
      const lines = await answer(`position fen ${position}`, 'go depth 4');
      const last = scored(lines).slice(-count);
      expect(last.map((line) => numberOf(line, 'multipv'))).toEqual(Array.from({ length: count }, (_, k) => k + 1));
      expect(new Set(last.map((line) => pvOf(line)[0])).size).toBe(count);
      const scores = last.map((line) => numberOf(line, 'cp'));
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(moveOf(lines, position)).toBe(pvOf(last[0])[0]);
    }
    const stopped = await answer('position startpos', 'go nodes 3000');
    expect(
      scored(stopped)
        .slice(-5)
        .map((line) => numberOf(line, 'multipv')),
    ).toEqual([1, 2, 3, 4, 5]);
    await say('setoption name MultiPV value 1');
  });

  test('ucinewgame and bench keep options and position', async () => {
    await say('setoption name MultiPV value 2', 'ucinewgame', 'position startpos moves e2e4');
    engine.current.send('bench 1');
    await engine.current.until(/ nps$/);
    engine.current.send('d');
    expect((await engine.current.until(/^Checkers/)).at(-3)).toMatch(/ b KQkq - 0 1$/);
    expect(scored(await answer('go depth 2')).at(-1)).toMatch(/ multipv 2 /);
    await say('setoption name MultiPV value 1');
  });
});

describe('information', () => {
  test.each([
    // Black is mated after a rook sacrifice because it must move, which pruning finds late
    [MATE_IN_TWO, 'mate 2', 1_500_000],
    ['7k/8/5K2/8/8/8/8/6Q1 w - - 0 1', 'mate 1', 400_000],
    ['7k/8/5K2/8/8/8/8/6Q1 b - - 0 1', 'mate -1', 400_000],
    ['rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2', 'cp', 400_000],
  ])('rows 58 and 59: variations are legal, and mates have the announced length: %s', async (fen, score, nodes) => {
    const lines = await answer(`position fen ${fen}`, `go nodes ${nodes}`);
    moveOf(lines, fen);
    expect(scored(lines).at(-1)).toContain(` score ${score}`);
  });

  test('row 59: the losing side has negative scores', async () => {
    const scores = [];
    for (const side of ['w', 'b'])
      scores.push(scored(await answer(`position fen 4k3/8/8/8/8/8/3Q4/4K3 ${side} - - 0 1`, 'go depth 6')).at(-1));
    expect(scores[0]).toMatch(/ score (cp \d|mate \d)/);
    expect(scores[1]).toMatch(/ score (cp -\d|mate -\d)/);
  });

  test.runIf(isSlow)('row 60: bounds and root moves are printed only after three seconds', async () => {
    engine.current.send('go infinite');
    await pause(8000);
    engine.current.send('stop');
    const lines = await engine.current.until(/^bestmove/);
    moveOf(lines);
    const isEarly = (line: string): boolean => numberOf(line, 'time') < 3000;
    expect(lines.some((line) => / currmove /.test(line))).toBe(true);
    expect(lines.slice(0, lines.findLastIndex(isEarly)).filter((line) => / currmove |bound /.test(line))).toEqual([]);
  });

  test('row 61: UCI_Elo is declared only together with UCI_LimitStrength', async () => {
    const options = await say('uci');
    const has = (name: string): boolean => options.some((line) => line.startsWith(`option name ${name} `));
    expect(has('UCI_Elo')).toBe(has('UCI_LimitStrength'));
    for (const line of options.filter((option) => option.includes('UCI_Elo')))
      expect(line).toMatch(/ min \d+ max \d+$/);
  });

  test('d, eval and flip print the position, print its evaluation, and exchange the colours', async () => {
    expect(await say('position startpos moves e2e4', 'flip')).toEqual([]);
    expect(await fenOf()).toBe('rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
    const table = await say('eval');
    const total = Number(/^Evaluation: (-?\d+)/.exec(table.at(-1) as string)?.[1]);
    expect(table.find((line) => line.startsWith('Total'))).toMatch(new RegExp(` ${total}$`));
    for (const name of ['material', 'psqt', 'tempo']) expect(table.some((line) => line.startsWith(name))).toBe(true);
    const back = await say('flip', 'eval');
    expect(back.at(-1)).toMatch(new RegExp(`^Evaluation: ${0 - total} `));
    const board = await say('position fen 4k3/8/5N2/8/8/8/4R3/4K3 b - -', 'd');
    expect(board.at(-1)).toBe('Checkers: e2 f6');
    expect(board.at(-2)).toMatch(/^Key: [0-9A-F]{16}$/);
  });
});
