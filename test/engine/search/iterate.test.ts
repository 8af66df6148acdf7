import { describe, expect, test } from 'vitest';
import { formatFen, parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { moveToUci, NO_MOVE } from '../../../engine/board/move.js';
import { wholePosition } from '../../../engine/board/position.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { POSITIONS } from '../../../engine/commands/bench.js';
import { control, newGame, search, setHashSize } from '../../../engine/engine.js';
import { counters } from '../../../engine/search/plies.js';
import { MATE_BOUND } from '../../../engine/search/score.js';
import { hit } from '../../../engine/search/tt/memory.js';
import { probe } from '../../../engine/search/tt/tt.js';
import { ENDGAME, endOfLine, KIWIPETE, MIDDLEGAME, movesOf, type Run, searchFrom } from './harness.js';

const FENS = [STARTPOS, KIWIPETE, MIDDLEGAME, ENDGAME];
/** Result and lines of a search, without times. */
const deterministic = ({ infos, ...result }: Run): unknown => ({
  result,
  infos: infos.map(({ time: _, ...info }) => info),
});

describe('reproducible searches', () => {
  test('a search after newGame gives the same result regardless of earlier searches', () => {
    for (const fen of FENS) {
      const first = searchFrom(fen, { nodes: 8000 });
      searchFrom(KIWIPETE, { nodes: 3000 });
      const second = searchFrom(fen, { nodes: 8000 });
      expect(deterministic(second)).toEqual(deterministic(first));
    }
  });

  test('a search gives the same result after an interrupted search', () => {
    const first = deterministic(searchFrom(MIDDLEGAME, { nodes: 10_000 }));
    for (const nodes of [1, 777, 12_345]) {
      searchFrom(KIWIPETE, { nodes });
      expect(deterministic(searchFrom(MIDDLEGAME, { nodes: 10_000 })), `after ${nodes} nodes`).toEqual(first);
    }
  });

  test('without newGame, a repeated search takes fewer nodes', () => {
    let [first, again] = [0, 0];
    // In a few positions the second search takes more nodes
    for (const fen of POSITIONS) {
      first += searchFrom(fen, { depth: 8 }).nodes;
      again += search({ depth: 8 }).nodes;
    }
    expect(again).toBeLessThan(0.8 * first);
  });
});

test('a search of some moves leaves no score of the position for later searches', () => {
  newGame();
  parseFen(KIWIPETE);
  const [first, ...others] = legalMoves();
  search({ depth: 8, searchMoves: [first] });
  expect(probe(0)).toBe(false);
  search({ depth: 8, searchMoves: [...others, first] });
  expect(probe(0), 'all moves').toBe(true);
});

test.each([
  ['r1b4k/ppp2Bb1/6Pp/3pP3/1qnP1p1Q/8/PPP3P1/1K1R3R w - - 0 1', 9],
  ['3rr1k1/ppp2ppp/8/5Q2/4n3/1B5R/PPP1qPP1/5RK1 b - - 0 1', 5],
  ['r5k1/pp1RR1pp/1b6/6r1/2p5/B6P/P4qPK/3Q4 w - - 0 1', 7],
  ['r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1', 23],
  ['k5r1/p4b2/2P5/5p2/3P1P2/4QBrq/P5P1/4R1K1 w - - 0 1', 261],
])('an interrupted search of %s reports no false mate within %d nodes', (fen, nodes) => {
  expect(searchFrom(fen, { depth: 5 }).score).toBeGreaterThan(-MATE_BOUND);
  for (let n = 1; n <= nodes; n++)
    expect(searchFrom(fen, { nodes: n }).score, `${n} nodes`).toBeGreaterThan(-MATE_BOUND);
});

test('the position is the same after a search, complete or interrupted', () => {
  for (const fen of FENS) {
    parseFen(fen);
    const before = wholePosition.slice();
    for (const nodes of [1, 50, 3333, 10_000]) {
      newGame();
      search({ nodes });
      expect([formatFen(), wholePosition]).toEqual([fen, before]);
    }
  }
});

test.each(FENS)('the info lines are consistent in %s', (fen) => {
  const { infos, bestMove, ponderMove, score, depth, nodes } = searchFrom(fen, { nodes: 15_000 });
  for (const [i, info] of infos.entries()) {
    const before = infos[i - 1];
    expect(info.multipv).toBe(1);
    expect(info.seldepth).toBeGreaterThanOrEqual(Math.min(info.depth, info.pv.length));
    expect(info.hashfull >= 0 && info.hashfull <= 1000).toBe(true);
    expect(info.pv.length).toBeGreaterThan(0);
    endOfLine(info.pv);
    for (let n = 1; n < info.pv.length; n++) expect(endOfLine(info.pv.slice(0, n)).end).toBeNull();
    if (before === undefined) expect(info.depth).toBe(1);
    else {
      expect(info.depth === before.depth || info.depth === before.depth + 1).toBe(true);
      expect(info.nodes).toBeGreaterThanOrEqual(before.nodes);
      expect(info.time).toBeGreaterThanOrEqual(before.time);
    }
  }
  const last = infos.findLast(({ bound }) => bound === 'exact');
  expect(last?.pv.slice(0, 2)).toEqual(ponderMove === NO_MOVE ? [bestMove] : [bestMove, ponderMove]);
  expect(last?.score).toBe(score);
  expect(nodes).toBe(15_000);
  expect(depth).toBeGreaterThan(3);
});

describe('searchMoves', () => {
  test('searchMoves restricts the search to the given moves', () => {
    parseFen(KIWIPETE);
    const searchMoves = movesOf('a2a3', 'h1g1');
    const { bestMove, infos } = searchFrom(KIWIPETE, { depth: 6, searchMoves });
    expect(searchMoves).toContain(bestMove);
    for (const { pv } of infos) expect(searchMoves).toContain(pv[0]);
  });

  test('a blunder is played, with the correct score, if searchMoves contains no other move', () => {
    const fen = '4k3/7p/3p4/8/3Q4/8/8/4K3 w - - 0 1';
    parseFen(fen);
    const [blunder, capture] = [movesOf('d4c5'), movesOf('d4d6')].map((searchMoves) =>
      searchFrom(fen, { depth: 5, searchMoves }),
    );
    expect([blunder.best, capture.best]).toEqual(['d4c5', 'd4d6']);
    expect(blunder.score).toBeLessThan(-50);
    expect(capture.score).toBeGreaterThan(500);
  });

  test('an empty searchMoves list permits all moves', () => {
    expect(deterministic(searchFrom(MIDDLEGAME, { depth: 5, searchMoves: [] }))).toEqual(
      deterministic(searchFrom(MIDDLEGAME, { depth: 5 })),
    );
  });
});

describe('several lines', () => {
  test.each(FENS)('several lines are distinct, sorted and complete at every depth in %s', (fen) => {
    const { infos, bestMove, score } = searchFrom(fen, { depth: 7 }, { multiPv: 5 });
    for (let depth = 1; depth <= 7; depth++) {
      const lines = infos.filter((info) => info.depth === depth && info.bound === 'exact');
      expect(lines.map(({ multipv }) => multipv)).toEqual([1, 2, 3, 4, 5]);
      expect(new Set(lines.map(({ pv }) => pv[0])).size).toBe(5);
      expect(lines.map((line) => line.score)).toEqual(lines.map((line) => line.score).toSorted((a, b) => b - a));
      for (const { pv } of lines) endOfLine(pv);
    }
    const best = infos.findLast(({ multipv }) => multipv === 1);
    expect([best?.pv[0], best?.score]).toEqual([bestMove, score]);
  });

  test('the table keeps the best line of MultiPV, not the last', () => {
    const { bestMove, score } = searchFrom(KIWIPETE, { depth: 7 }, { multiPv: 5 });
    probe(0);
    expect([hit.move, hit.depth]).toEqual([bestMove, 7]);
    expect(hit.score).toBe(score);
  });

  test('there are no more lines than legal moves or searchMoves', () => {
    const fen = '7k/8/8/8/8/8/r7/2K5 w - - 0 1';
    parseFen(fen);
    const moves = legalMoves().length;
    const { infos } = searchFrom(fen, { depth: 3 }, { multiPv: 50 });
    expect(Math.max(...infos.map(({ multipv }) => multipv))).toBe(moves);
    parseFen(KIWIPETE);
    const chosen = searchFrom(KIWIPETE, { depth: 3, searchMoves: movesOf('e1g1', 'e1c1') }, { multiPv: 50 });
    expect(Math.max(...chosen.infos.map(({ multipv }) => multipv))).toBe(2);
  });

  test('several lines contain both mates before a move that does not mate', () => {
    const fen = '6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1';
    const { infos } = searchFrom(fen, { depth: 5 }, { multiPv: 3 });
    const last = infos.slice(-3);
    expect(
      last
        .slice(0, 2)
        .map(({ pv }) => moveToUci(pv[0]))
        .sort(),
    ).toEqual(['a1a8', 'b1b8']);
    expect(last.map(({ score }) => score >= 31_999)).toEqual([true, true, false]);
  });
});

test('the size of the hash table can change between searches', () => {
  for (const megabytes of [1, 33, 3]) {
    setHashSize(megabytes);
    expect(searchFrom(MIDDLEGAME, { nodes: 3000 }).nodes).toBe(3000);
  }
  setHashSize(16);
});

// Bounds are reported after three seconds, which a fake clock skips
test('the PV of a reported bound is legal', () => {
  const { now } = control;
  let time = 0;
  control.now = () => (time += 10_000);
  const { infos } = searchFrom('8/3p4/p1bk3p/Pp6/1Kp1PpPp/2P2P1P/2P5/5B2 b - - 0 1', { depth: 11 });
  control.now = now;
  const bounds = infos.filter(({ bound }) => bound !== 'exact');
  expect(bounds).not.toEqual([]);
  for (const { pv } of bounds) endOfLine(pv);
});

test('a first depth that would take hours is interrupted and still returns a move', () => {
  const queens = 'qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1';
  const { now } = control;
  control.now = () => counters.nodes;
  const { best, nodes, infos } = searchFrom(queens, { movetime: 1 });
  control.now = now;
  expect(legalMoves().map((move) => moveToUci(move))).toContain(best);
  expect(nodes).toBeLessThan(11_000);
  expect(infos.at(-1)?.pv.map((move) => moveToUci(move))[0]).toBe(best);
});

// One side is mated at once after some moves but not after others, which an interrupted first depth has not searched
test.each([
  '2r1kb2/NQ2ppnr/p1p3p1/6Pp/3pP3/2PP1B2/nP1K1P1P/1RB3NR b - - 2 22',
  '1n1k4/1pq4p/4p1n1/3p4/P3r2p/b1R2K1N/2P2PBR/8 w - - 3 35',
  '1Qn3rb/5pk1/1p5p/1P1bP1n1/r1PKP2q/8/1PP3P1/1NB3N1 w - - 6 40',
  'r4k2/4np2/n1p1p1p1/1b1pq1r1/1P1b4/B2P1PRP/P1Q1P2K/6RB w - - 7 31',
])('an interrupted first depth reports no false mate: %s', (fen) => {
  expect(searchFrom(fen, { depth: 4 }).score).toBeGreaterThan(-MATE_BOUND);
  for (let nodes = 1; nodes <= 40; nodes++) {
    newGame();
    const { score, infos } = searchFrom(fen, { nodes });
    expect(Math.min(score, ...infos.map((info) => info.score)), `${nodes} nodes`).toBeGreaterThan(-MATE_BOUND);
  }
});
