import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatFen, STARTPOS } from '../../../engine/board/fen.js';
import { setChess960 } from '../../../engine/board/position.js';
import { control, currentWeights, STOP, setHashSize, setWeights } from '../../../engine/engine.js';
import { rawScore } from '../../../engine/eval/kernel.js';
import { TERMS, type Term } from '../../../engine/eval/terms.js';
import { evaluationKeys } from '../../../engine/eval/weights-in-use.js';
import { counters } from '../../../engine/search/plies.js';
import { DONE } from '../../../engine/search/root/flags.js';
import { table } from '../../../engine/search/tt/memory.js';
import { probe } from '../../../engine/search/tt/tt.js';
import { levelOf } from '../../../engine/strength/strength.js';
import { formatScore } from '../../../engine/uci/format.js';
import { MAX_ELO, MIN_ELO } from '../../../engine/uci/options.js';
import type { Port } from '../../../engine/uci/setup.js';
import { UciSession } from '../../../engine/uci/uci.js';

let output: string[];
let files: Record<string, string>;
let send: (...lines: string[]) => string[];
let spawn: Port['spawn'];
const weights = currentWeights();

beforeEach(() => {
  files = {};
  spawn = () => {
    throw new Error('needs no helper');
  };
  control.flags[STOP] = 0;
  const session = new UciSession({
    write: (line) => output.push(line),
    flush: () => {},
    readFile: (name) => {
      if (files[name] === undefined) throw new Error(`no file ${name}`);
      return files[name];
    },
    sleep: () => {
      throw new Error('would sleep for ever');
    },
    spawn: (...settings) => spawn(...settings),
    collect: () => {},
    memory: 4096,
    tunes: true,
  });
  /** Executes the lines and returns the answer to the last. */
  send = (...lines) => {
    for (const line of lines) {
      output = [];
      session.execute(line);
    }
    return output;
  };
});
afterEach(() => {
  setChess960(false);
  setWeights(weights.mg, weights.eg);
  setHashSize(16);
});

test.each(['engine/library/types.ts', 'engine/npm/README.md', 'README.md'])(
  '%s states the range of UCI_Elo',
  (file) => {
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    expect(text).toContain(`${MIN_ELO} to ${MAX_ELO}`);
  },
);

const fenAfter = (...lines: string[]): string => {
  send(...lines);
  return formatFen();
};

describe('position', () => {
  test.each([
    ['position startpos', STARTPOS],
    ['position startpos moves e2e4 e7e5', 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'],
    ['position fen 4k3/8/8/8/8/8/8/4K2R w K - 3 9 moves e1g1', '4k3/8/8/8/8/8/8/5RK1 b - - 4 9'],
    ['position fen 4k3/8/8/8/8/8/8/4K2R w K - moves e1h1', '4k3/8/8/8/8/8/8/5RK1 b - - 1 1'],
    ['position 4k3/8/8/8/8/8/8/4K2R w K -', '4k3/8/8/8/8/8/8/4K2R w K - 0 1'],
    ['position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1', '4k3/8/8/8/8/8/8/4K2R w K - 0 1'],
    ['  position \t startpos   moves   e2e4  ', 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'],
    ['position startpos moves', STARTPOS],
    ['position fen 8/P6k/8/8/8/8/8/4K3 w - - 0 1 moves a7a8N', 'N7/7k/8/8/8/8/8/4K3 b - - 0 1'],
  ])('%s sets up the position', (line, fen) => {
    expect(fenAfter(line)).toBe(fen);
  });

  test('position stops at an illegal move and reports it', () => {
    expect(send('position startpos moves e2e4 e2e4 e7e5')).toEqual([
      'info string error: illegal move e2e4; this move and all later moves are ignored',
    ]);
    expect(formatFen()).toBe('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
    expect(send('position startpos moves 0000')[0]).toMatch(/illegal move 0000/);
    expect(send('position startpos e2e4')[0]).toMatch(
      /unknown words after startpos: e2e4; the word moves must precede the moves/,
    );
    expect(send('position STARTPOS moves e2e4')).toEqual([]);
  });

  test('position quotes rejected input in one line of limited length', () => {
    const [answer, ...more] = send(`position fen a\rb\u0000c\u2028d ${'x'.repeat(100_000)}`);
    expect(answer).toMatch(/^info string error: [^\p{Cc}\p{Zl}]{1,400}$/u);
    expect(more).toEqual([]);
  });

  test.each([
    'position',
    'position fen',
    'position fen nonsense',
    'position fen 8/8/8/8/8/8/8/8 w - - 0 1',
    'position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1 moves e1e2',
    'position elsewhere',
  ])('position keeps the old position if the new one is invalid: %s', (line) => {
    send('position startpos moves d2d4');
    const [answer, ...more] = send(line);
    expect(answer).toMatch(/^info string error: \S/);
    expect(more).toEqual([]);
    expect(formatFen()).toBe('rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1');
  });

  test('position accepts games of any length', () => {
    const cycle = 'g1f3 g8f6 f3g1 f6g8 ';
    expect(fenAfter(`position startpos moves ${cycle.repeat(3000)}`)).toBe(STARTPOS.replace('0 1', '12000 6001'));
    expect(send('go depth 3').at(-1)).toMatch(/^bestmove [a-h]\d[a-h]\d/);
    expect(formatFen()).toBe(STARTPOS.replace('0 1', '12000 6001'));
  });
});

describe('go', () => {
  const INFO =
    /^info depth \d+ seldepth \d+ multipv \d+ score (cp -?\d+|mate -?\d+)( lowerbound| upperbound)? nodes \d+ nps \d+ hashfull \d+ time \d+ pv( [a-h][1-8][a-h][1-8][nbrq]?)+$/;

  test('go reports every depth and plays the best move of the last one', () => {
    const answer = send('position startpos', 'go depth 5');
    const infos = answer.slice(0, -1);
    for (const line of infos) expect(line).toMatch(INFO);
    expect(infos.length).toBeGreaterThanOrEqual(5);
    const [, best, reply] = / pv (\S+) (\S+)/.exec(infos.at(-1) ?? '') ?? [];
    expect(answer.at(-1)).toBe(`bestmove ${best} ponder ${reply}`);
  });

  test('go returns no ponder move if the best move ends the game', () => {
    const answer = send('position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1', 'go depth 4');
    expect(answer.at(-1)).toBe('bestmove a1a8');
    expect(answer.at(-2)).toMatch(/ score mate 1 .* pv a1a8$/);
  });

  test('go writes castling in the form selected by UCI_Chess960', () => {
    const fen = 'position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1';
    const castle = 'go depth 1 searchmoves e1h1';
    expect(send(fen, castle).at(-1)).toMatch(/^bestmove e1g1/);
    expect(send('setoption name UCI_Chess960 value true', fen, castle).at(-1)).toMatch(/^bestmove e1h1/);
    expect(output.at(-2)).toMatch(/ pv e1h1/);
  });

  test('go reports illegal searchmoves', () => {
    const answer = send('position startpos', 'go depth 1 searchmoves e2e5 a2a3 E7E5');
    expect([answer[0], answer.at(-1)]).toEqual([
      'info string error: illegal searchmoves ignored: e2e5 E7E5',
      'bestmove a2a3',
    ]);
  });

  test('go leaves the Move Overhead on the clock', () => {
    const { now } = control;
    control.now = () => counters.nodes / 100;
    const lines = send(
      ...['setoption name Move Overhead value 900', 'ucinewgame', 'position startpos'],
      'go wtime 1000 btime 1000 movestogo 1',
    );
    control.now = now;
    // At most 85 of the 100 ms that are left, and one poll; with the default overhead it takes more than 25,000 nodes
    expect(Number(/ nodes (\d+) /.exec(lines.at(-2) ?? '')?.[1])).toBeLessThan(8500 + 1024);
  });

  test('go prints several lines with MultiPV', () => {
    const answer = send('position startpos', 'setoption name MultiPV value 3', 'go depth 2');
    expect(answer.filter((line) => line.includes(' depth 2 ')).map((line) => / multipv (\d)/.exec(line)?.[1])).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  test('perft prints the moves and their counts as Stockfish does', () => {
    const answer = send('position startpos', 'go perft 3');
    expect(answer.slice(-3)).toEqual(['', 'Nodes searched: 8902', '']);
    const counts = answer.slice(0, -3);
    expect(counts).toHaveLength(20);
    for (const line of counts) expect(line).toMatch(/^[a-h][1-8][a-h][1-8]: \d+$/);
    expect(counts).toContain('e2e4: 600');
    expect(send('position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1', 'go perft 1')).toContain('e1g1: 1');
    expect(send('setoption name UCI_Chess960 value true', 'go perft 1')).toContain('e1h1: 1');
  });

  test('an infinite search that was stopped before it started returns a move', () => {
    control.flags[STOP] = 1;
    expect(send('position startpos', 'go infinite').at(-1)).toMatch(/^bestmove /);
    expect(send('go ponder wtime 10 btime 10').at(-1)).toMatch(/^bestmove /);
  });
});

describe('UCI_ShowWDL', () => {
  const wdlOf = (line: string): number[] => (/ wdl (\d+) (\d+) (\d+)/.exec(line) ?? []).slice(1).map(Number);

  test('UCI_ShowWDL adds the chances of the side to move after the score, only while it is on', () => {
    send('position fen 4k3/8/8/8/8/8/PPP5/R3K3 b - - 0 1');
    expect(send('go depth 3').some((line) => line.includes('wdl'))).toBe(false);
    send('setoption name UCI_ShowWDL value true');
    const infos = send('go depth 3').slice(0, -1);
    expect(infos.length).toBeGreaterThan(0);
    for (const line of infos) {
      expect(line).toMatch(/ score cp -?\d+( (lower|upper)bound)? wdl \d+ \d+ \d+ nodes /);
      const [win, draw, loss] = wdlOf(line) as [number, number, number];
      expect([win + draw + loss, win < loss]).toEqual([1000, true]);
    }
    send('setoption name UCI_ShowWDL value false');
    expect(send('go depth 3').some((line) => line.includes('wdl'))).toBe(false);
  });

  test.each([
    ['7k/8/5KQ1/8/8/8/8/8 w - - 0 1', [1000, 0, 0]],
    ['7k/6Q1/6K1/8/8/8/8/8 b - - 0 1', [0, 0, 1000]],
    ['7k/5Q2/6K1/8/8/8/8/8 b - - 0 1', [0, 1000, 0]],
  ])('UCI_ShowWDL reports a certain result for a mate and a finished game: %s', (fen, chances) => {
    const lines = send('setoption name UCI_ShowWDL value true', `position fen ${fen}`, 'go depth 4');
    expect(wdlOf(lines.at(-2) as string)).toEqual(chances);
  });
});

describe('UCI_LimitStrength', () => {
  const nodesOf = (lines: string[]): number => Number(/ nodes (\d+) /.exec(lines.at(-2) as string)?.[1]);
  const go = (): number => nodesOf(send('ucinewgame', 'position startpos', 'go depth 9'));

  test('UCI_Elo has an effect only while UCI_LimitStrength is on', () => {
    const full = go();
    expect(full).toBeGreaterThan(levelOf(MIN_ELO + 300).nodes);
    expect(send(`setoption name UCI_Elo value ${MIN_ELO}`)).toEqual([]);
    expect(go()).toBe(full);
    send('setoption name UCI_LimitStrength value true');
    for (const elo of [MIN_ELO, MIN_ELO + 300]) {
      send(`setoption name UCI_Elo value ${elo}`);
      expect(go()).toBeLessThanOrEqual(levelOf(elo).nodes);
    }
    send('setoption name UCI_LimitStrength value false');
    expect(go()).toBe(full);
  });

  test('with UCI_LimitStrength and MultiPV, only moves in searchmoves are played', () => {
    send(`setoption name UCI_Elo value ${MIN_ELO}`, 'setoption name UCI_LimitStrength value true');
    const lines = send('setoption name MultiPV value 3', 'position startpos', 'go depth 2 searchmoves a2a3 h2h4');
    expect(lines.at(-1)).toMatch(/^bestmove (a2a3|h2h4)/);
    expect(lines.some((line) => line.includes(' multipv 3 '))).toBe(false);
  });
});

describe('a score', () => {
  test.each([
    [0, 'cp 0'],
    [-0, 'cp 0'],
    [-150, 'cp -150'],
    [31_999, 'mate 1'],
    [31_998, 'mate 1'],
    [31_997, 'mate 2'],
    [-32_000, 'mate 0'],
    [-31_998, 'mate -1'],
    [-31_996, 'mate -2'],
  ])('a score of %i is %s', (score, text) => {
    expect(formatScore(score)).toBe(text);
  });
});

describe('setoption', () => {
  test('setoption prints only errors', () => {
    expect(send('setoption name Hash value 4')).toEqual([]);
    expect(send('setoption name Hush value 4')).toEqual(['info string no such option: Hush; did you mean Hash?']);
    expect(send('setoption name Hash value many')[0]).toMatch(/^info string Hash must be a whole number from/);
    expect(send('setoption name Clear Hash')).toEqual([]);
    expect(send('setoption name Ponder value true')).toEqual([]);
  });

  test('Hash sets the table size, which bench preserves, and Clear Hash empties the table', () => {
    send('setoption name Hash value 4');
    expect(table.ints.byteLength).toBe(4 * 2 ** 20);
    send('bench 1');
    expect(table.ints.byteLength).toBe(4 * 2 ** 20);
    send('position startpos', 'go depth 5');
    expect(probe(0)).toBe(true);
    send('setoption name Clear Hash');
    expect(probe(0)).toBe(false);
  });

  test('EvalFile loads a valid weights file, and keeps the old weights otherwise', () => {
    const terms = { material: Array(5).fill([7, 8]), psqt: Array(384).fill([1, 2]), tempo: [[3, 4]] };
    files['good one.json'] = JSON.stringify({ terms });
    files['cut.json'] = files['good one.json'].slice(0, 100);
    files['short.json'] = JSON.stringify({ terms: { ...terms, tempo: [] } });
    for (const [file, reason] of [
      ['cut.json', 'JSON'],
      ['short.json', 'term "tempo"'],
      ['missing.json', 'no file missing.json'],
    ]) {
      const [answer, ...more] = send(`setoption name EvalFile value ${file}`);
      expect(answer).toMatch(new RegExp(`^info string error: EvalFile ${file}: .*${reason}`));
      expect(more).toEqual([]);
      expect(currentWeights()).toEqual(weights);
    }
    expect(send('setoption name EvalFile value good one.json')).toEqual([
      'info string weights loaded from good one.json',
    ]);
    expect(currentWeights().mg[0]).toBe(7);
    expect(send('setoption name EvalFile value <empty>')).toEqual([]);
  });
});

describe('other lines', () => {
  test('uci and isready are answered', () => {
    expect(send('uci').at(-1)).toBe('uciok');
    expect(send('isready')).toEqual(['readyok']);
    expect(send('\tIsReady \r')).toEqual(['readyok']);
  });

  test.each(['', '   ', 'register later', 'debug on', 'stop', 'ponderhit', 'ucinewgame'])(
    '"%s" gives no output',
    (line) => {
      expect(send(line)).toEqual([]);
    },
  );

  test('d prints the board, and eval the evaluation', () => {
    const board = send('position startpos moves e2e4', 'd');
    expect(board.filter((line) => line.includes('|'))).toHaveLength(8);
    expect(board.at(-3)).toBe('Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
    expect(send('eval').at(-1)).toMatch(/^Evaluation: -?\d+/);
  });

  test('eval prints the score of each row with all other weights at zero, and preserves the evaluation cache', () => {
    const cached = (): number => evaluationKeys.filter((key) => key !== 0n).length;
    send('position fen r1b2rk1/pp3ppp/2n1p3/q7/3N2Q1/2P5/P4PPP/R1B1R1K1 w - - 0 1', 'go depth 4');
    const before = cached();
    const table = send('eval').map((line) => line.split(/\s+/));
    expect(before).toBeGreaterThan(0);
    expect(cached()).toBe(before);
    const isKept: Record<string, (term: Term) => boolean> = {
      kingAttack: ({ act }) => act === 'danger',
      psqt: ({ name }) => name === 'psqt',
    };
    for (const row in isKept) {
      const cells = TERMS.filter((term) => isKept[row]?.(term)).flatMap(({ offset, size }) =>
        Array.from({ length: size }, (_, i) => offset + i),
      );
      const kept = (values: number[]): number[] => values.map((value, i) => (cells.includes(i) ? value : 0));
      setWeights(kept(weights.mg), kept(weights.eg));
      const { mg, eg } = rawScore();
      expect(table.find(([name]) => name === row)?.slice(1, 3)).toEqual([`${mg}`, `${eg}`]);
      expect(mg).not.toBe(0);
    }
  });

  test('why explains only the last search of the current position', () => {
    const unknown = expect.stringMatching(/^info string error: why: /);
    expect(send('position startpos', 'why')).toEqual([unknown]);
    const searched = send('go depth 4').filter((line) => line.includes(' score cp '));
    const [, score] = /score cp (-?\d+)/.exec(searched.at(-1) ?? '') ?? [];
    expect(send('why').at(-1)).toMatch(new RegExp(`^Score +${score}$`));
    expect(send('why json cp 20 pv e2e4 e7e5')).toEqual([expect.stringMatching(/^why \{"score":\{"cp":20\}/)]);
    expect(send('why json cp 20 pv e2e5')).toEqual([
      'info string error: why: e2e5 is not legal at that point in the line',
    ]);
    expect(send(`why json cp 0 pv${' g1f3 g8f6 f3g1 f6g8'.repeat(251)}`)).toEqual([
      'info string error: why: the line has more than 1000 moves',
    ]);
    // A rejected position leaves the searched one in force
    expect(send('position nonsense', 'why').at(-1)).toMatch(new RegExp(`^Score +${score}$`));
    expect(send('position startpos moves e2e4', 'why')).toEqual([unknown]);
    // Other weights would not explain its score; a rejected file leaves the weights in force
    files['other.json'] = JSON.stringify({
      terms: { material: Array(5).fill([7, 8]), psqt: Array(384).fill([0, 0]), tempo: [[3, 4]] },
    });
    send('go depth 4', 'setoption name EvalFile value missing.json');
    expect(send('why').at(-1)).toMatch(/^Score +-?\d+$/);
    send('setoption name EvalFile value other.json');
    expect(send('why')).toEqual([unknown]);
    send('go depth 4', 'setoption name EvalFile value');
    expect(send('why')).toEqual([unknown]);
    const mate = send('position startpos moves f2f3 e7e5 g2g4 d8h4', 'go depth 1', 'why');
    expect(mate.slice(-2)).toEqual(['No legal move: checkmate', 'There is no move to explain.']);
  });

  test('bench prints its node count, and rejects an invalid depth', () => {
    const last = send('bench 2').at(-1) ?? '';
    expect(last).toMatch(/^\d+ nodes \d+ nps$/);
    expect(send('bench 2').at(-1)?.split(' ')[0]).toBe(last.split(' ')[0]);
    expect(send('bench deep')).toEqual(["info string error: bench takes a whole number, not 'deep'"]);
  });

  // A browser starts threads only after the command has finished, so a command that waited for them would hang
  test('bench starts a new game before it restarts the helpers', () => {
    let posted: string[] = [];
    spawn = ({ flags, thread }) => {
      posted = [];
      return {
        post: ({ kind }) => {
          posted.push(kind);
          Atomics.add(new Int32Array(flags), DONE + thread, 1);
        },
        terminate: () => {},
      };
    };
    send('setoption name Threads value 2', 'ucinewgame', 'bench 1');
    expect(posted.filter((kind) => kind === 'newGame')).toHaveLength(1);
    send('setoption name Threads value 1');
  });
});
