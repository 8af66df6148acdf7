import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WHITE } from '../../../engine/board/types.js';
import { clearHistories, control, type Limits, PONDER_HIT, STOP, search } from '../../../engine/engine.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { counters } from '../../../engine/search/plies.js';
import { expectClock, forgetLag, learnLag } from '../../../engine/search/root/lag.js';
import { timeBudget, timeFactor } from '../../../engine/search/root/limits.js';
import { clearTable } from '../../../engine/search/tt/memory.js';
import { ENDGAME, KIWIPETE, MIDDLEGAME, type Run, searchFrom, searchHere } from './harness.js';

/** The search checks the clock at least once per this number of nodes. */
const POLL = 1024;
const OVERHEAD = 10;

describe('a node limit', () => {
  test('a node limit is met exactly', () => {
    for (const nodes of [1, 2, 3, 31, 100, 1023, 1024, 1025, 4999, 9001]) {
      for (const fen of [KIWIPETE, ENDGAME]) {
        const run = searchFrom(fen, { nodes });
        expect([run.nodes, run.bestMove !== 0], `${nodes} nodes in ${fen}`).toEqual([nodes, true]);
        expect(run.infos.length, 'there is always a line of information').toBeGreaterThan(0);
      }
    }
  });

  test('a node limit is met exactly with MultiPV and a depth limit that is not reached', () => {
    expect(searchFrom(KIWIPETE, { nodes: 7777, depth: 60 }, { multiPv: 4 }).nodes).toBe(7777);
  });

  test('a node limit has no effect if the depth limit is reached first', () => {
    const { nodes } = searchFrom(MIDDLEGAME, { depth: 5 });
    expect(searchFrom(MIDDLEGAME, { depth: 5, nodes: nodes + 1 })).toMatchObject({ nodes, depth: 5 });
    expect(searchFrom(MIDDLEGAME, { depth: 5, nodes: nodes - 1 })).toMatchObject({ nodes: nodes - 1, depth: 4 });
  });
});

describe('a soft node limit', () => {
  test('a soft node limit completes the current iteration and starts no other', () => {
    for (const softNodes of [1, 500, 5000]) {
      const run = searchFrom(MIDDLEGAME, { softNodes });
      expect(run.nodes).toBeGreaterThanOrEqual(softNodes);
      const lastButOne = run.infos.findLast(({ depth, bound }) => depth === run.depth - 1 && bound === 'exact');
      if (lastButOne !== undefined) expect(lastButOne.nodes).toBeLessThan(softNodes);
      const { nodes, best, score } = searchFrom(MIDDLEGAME, { depth: run.depth });
      expect({ nodes: run.nodes, best: run.best, score: run.score }).toEqual({ nodes, best, score });
    }
  });

  test('a hard node limit overrides the soft one', () => {
    expect(searchFrom(MIDDLEGAME, { softNodes: 20_000, nodes: 6000 }).nodes).toBe(6000);
  });
});

describe('a depth limit', () => {
  test('a depth limit sets the last depth and is at least 1', () => {
    const run = searchFrom(MIDDLEGAME, { depth: 6 });
    expect([run.depth, run.infos.at(-1)?.depth]).toEqual([6, 6]);
    expect(searchFrom(MIDDLEGAME, { depth: 1 })).toMatchObject({ depth: 1 });
    expect(searchFrom(MIDDLEGAME, { depth: 0 }).depth).toBe(1);
  });

  test('a search with a huge depth limit ends when nothing is left to search', () => {
    expect(searchFrom('7k/8/8/8/8/8/R7/K7 w - - 99 80', { depth: 100_000 }).score === 0).toBe(true);
  });
});

describe('with a clock of one millisecond per 100 nodes', () => {
  const realNow = control.now;
  beforeEach(() => {
    control.now = () => counters.nodes / 100;
  });
  afterEach(() => {
    control.now = realNow;
  });

  const msOf = (run: Run): number => run.nodes / 100;
  const slack = POLL / 100 + 1;
  /** The lowest time factor that the statistics of a search can produce. */
  const least = timeFactor({ stability: 8, scoreDrop: -1000, nodeShare: 1 });

  test.each([30, 150, 300])('a move time of %i ms is used and not exceeded', (movetime) => {
    const run = searchFrom(MIDDLEGAME, { movetime });
    expect(msOf(run)).toBeGreaterThanOrEqual(movetime - OVERHEAD);
    expect(msOf(run)).toBeLessThanOrEqual(movetime - OVERHEAD + slack);
  });

  test.each([0, 1, 5])('a move time of %i ms still gives a move from a completed depth', (movetime) => {
    const run = searchFrom(MIDDLEGAME, { movetime });
    expect(run.bestMove).not.toBe(0);
    expect(run.depth).toBeGreaterThanOrEqual(1);
    expect(msOf(run)).toBeLessThan(slack);
  });

  test.each<Limits>([
    { wtime: 3000, btime: 100 },
    { wtime: 1000, btime: 1000, winc: 100, binc: 100 },
    { wtime: 2000, btime: 60_000, movestogo: 5 },
    { wtime: 800, btime: 60_000, movestogo: 1 },
    { wtime: 50, btime: 60_000, winc: 10 },
    { wtime: 0, btime: 0 },
  ])('the clock %o is used but not exceeded', (limits) => {
    const run = searchFrom(MIDDLEGAME, limits, { moveOverhead: OVERHEAD });
    const { soft, hard } = timeBudget(limits, true, OVERHEAD);
    expect(run.bestMove).not.toBe(0);
    expect(msOf(run)).toBeLessThanOrEqual(hard + slack);
    expect(msOf(run)).toBeGreaterThanOrEqual(least * soft);
  });

  test('a single legal move is played at once with a clock, but not with a depth limit', () => {
    const forced = '7k/8/8/8/8/8/r7/2K5 w - - 0 1';
    const oneMove = 'k7/8/8/8/8/8/1r6/K7 w - - 0 1';
    expect(searchFrom(oneMove, { wtime: 60_000, btime: 60_000 }).depth).toBe(1);
    expect(searchFrom(oneMove, { depth: 4 }).depth).toBe(4);
    expect(searchFrom(forced, { wtime: 6000, btime: 6000 }).depth).toBeGreaterThan(1);
  });

  test('the time budget starts at ponderhit', () => {
    const limits: Limits = { ponder: true, wtime: 1000, btime: 1000 };
    const { hard, soft } = timeBudget(limits, true, OVERHEAD);
    let hitAt = Number.NaN;
    searchFrom(MIDDLEGAME, { depth: 1 });
    const run = searchHere(limits, { moveOverhead: OVERHEAD }, ({ nodes }) => {
      // Much later than the clock would allow without pondering
      if (Number.isNaN(hitAt) && nodes > 25_000) {
        hitAt = nodes / 100;
        control.flags[PONDER_HIT] = 1;
      }
    });
    expect(hitAt).toBeGreaterThan(hard);
    expect(msOf(run) - hitAt).toBeLessThanOrEqual(hard + slack);
    expect(msOf(run) - hitAt).toBeGreaterThanOrEqual(least * soft);
    control.flags[PONDER_HIT] = 0;
  });

  test('the engine reserves more time after a measured lag, until the next game', () => {
    const limits: Limits = { wtime: 1000, btime: 1000, winc: 10, binc: 10 };
    const usual = searchFrom(MIDDLEGAME, limits);
    const lagging = { ...limits, wtime: Math.floor(1000 + 10 - msOf(usual) - 240) };
    clearTable();
    clearHistories();
    const busy = search(lagging);
    expect(busy.nodes).toBeLessThan(searchFrom(MIDDLEGAME, lagging).nodes);
  });

  test('a stopped ponder search does not affect the lag estimate', () => {
    const limits: Limits = { wtime: 20_000, btime: 20_000, winc: 1000, binc: 1000 };
    forgetLag();
    expectClock(WHITE, limits.wtime!);
    control.flags[STOP] = 1;
    search({ ...limits, ponder: true });
    control.flags[STOP] = 0;
    expect(learnLag(WHITE, limits.wtime!)).toBe(0);
    // An earlier estimate would expect the increment
    expect(learnLag(WHITE, limits.wtime! - 40)).toBe(40);
    forgetLag();
  });

  test('repeated lags are recognised although each ponder move is missed', () => {
    const lagOfMove = (): number => {
      expectClock(WHITE, 60_000);
      // A GUI computes the clock for pondering, and the lag appears only in the clock of the server
      control.flags[STOP] = 1;
      search({ ponder: true, wtime: 60_000, btime: 60_000 });
      control.flags[STOP] = 0;
      return learnLag(WHITE, 59_600);
    };
    forgetLag();
    expect([lagOfMove(), lagOfMove(), lagOfMove()]).toEqual([0, 0, 400]);
    forgetLag();
  });

  test('pondering continues until stop', () => {
    const run = searchHere({ ponder: true, wtime: 10, btime: 10 }, {}, ({ nodes }) => {
      if (nodes > 15_000) control.flags[STOP] = 1;
    });
    expect(run.nodes).toBeGreaterThan(15_000);
    control.flags[STOP] = 0;
  });
});

test('an external stop ends the search within one poll and returns the best move so far', () => {
  let nodesAtStop = 0;
  const run = searchHere({ infinite: true }, {}, ({ depth, nodes }) => {
    if (depth < 5 || nodesAtStop > 0) return;
    nodesAtStop = nodes;
    control.flags[STOP] = 1;
  });
  control.flags[STOP] = 0;
  expect(run.nodes - nodesAtStop).toBeLessThanOrEqual(POLL);
  expect([run.depth, run.bestMove !== 0]).toEqual([5, true]);
});

test('the lag estimate is the longest recent lag, decays with each move, and ignores clock changes and sleep', () => {
  forgetLag();
  expect(learnLag(WHITE, 1000)).toBe(0);
  expectClock(WHITE, 1000);
  expect(learnLag(WHITE, 900)).toBe(100);
  expectClock(WHITE, 900);
  expect(learnLag(WHITE, 890)).toBeCloseTo(90);
  expectClock(WHITE, 890);
  expect(learnLag(WHITE, 100)).toBeCloseTo(81);
  expectClock(WHITE, 100);
  expect(learnLag(WHITE, 1000)).toBeCloseTo(72.9);
  forgetLag();
  expect(learnLag(WHITE, 0)).toBe(0);
});

test('lags above 250 ms count only from the third in a row', () => {
  const after = (lag: number): number => {
    expectClock(WHITE, 60_000);
    return learnLag(WHITE, 60_000 - lag);
  };
  forgetLag();
  expect([after(400), after(450), after(380), after(500)]).toEqual([0, 0, 380, 380]);
  // A single pause among short lags is ignored
  forgetLag();
  expect([after(20), after(900), after(20)].map(Math.round)).toEqual([20, 18, 20]);
  // Setting the clock resets the count
  forgetLag();
  expect([after(400), after(20_000), after(400), after(-100), after(400)]).toEqual([0, 0, 0, 0, 0]);
  expect([after(400), after(400)]).toEqual([0, 400]);
});

describe('the time budget', () => {
  test('the soft limit shrinks with the stability and node share of the best move, and grows when the score falls', () => {
    const usual = { stability: 2, scoreDrop: 0, nodeShare: 0.5 };
    expect(timeFactor({ ...usual, stability: 6 })).toBeLessThan(timeFactor(usual));
    expect(timeFactor({ ...usual, nodeShare: 0.9 })).toBeLessThan(timeFactor(usual));
    expect(timeFactor({ ...usual, scoreDrop: 40 })).toBeGreaterThan(timeFactor(usual));
  });

  test('the time budget never exceeds the clock, and grows with it', () => {
    const random = createRandom(3);
    const maybe = (limit: number): number | undefined =>
      randomBelow(random, 2) === 0 ? undefined : randomBelow(random, limit);
    for (let i = 0; i < 1000; i++) {
      const wtime = randomBelow(random, 2 ** (1 + randomBelow(random, 22)));
      const overhead = randomBelow(random, 100);
      const limits: Limits = { wtime, btime: 1 };
      const winc = maybe(5000);
      const movestogo = maybe(50);
      if (winc !== undefined) limits.winc = winc;
      if (movestogo !== undefined) limits.movestogo = movestogo;
      const { soft, hard } = timeBudget(limits, true, overhead);
      const message = JSON.stringify({ limits, overhead, soft, hard });
      expect(soft > 0 && soft <= hard, message).toBe(true);
      expect(hard <= Math.max(1, wtime - overhead), message).toBe(true);
      expect(timeBudget({ ...limits, wtime: wtime + 1000 }, true, overhead).hard >= hard, message).toBe(true);
    }
  });

  test('the time budget reserves twice the lag, up to half of the clock, unless the increment covers it', () => {
    const limits: Limits = { wtime: 1000, btime: 1000 };
    const fast: Limits = { ...limits, winc: 10, binc: 10 };
    expect(timeBudget(limits, true, 30, 10)).toEqual(timeBudget(limits, true, 30));
    expect(timeBudget(limits, true, 30, 50)).toEqual(timeBudget(limits, true, 100));
    expect(timeBudget(limits, true, 30, 5000)).toEqual(timeBudget(limits, true, 500));
    expect(timeBudget(fast, true, 30, 10)).toEqual(timeBudget(limits, true, 30));
    expect(timeBudget({ movetime: 500 }, true, 30, 5000).hard).toBe(490);
  });

  test('the time budget saves most of the increment if the clock is near the overhead', () => {
    const softOf = (wtime: number, winc: number): number => timeBudget({ wtime, winc }, true, 30).soft;
    const spent = (wtime: number): number => softOf(wtime, 10) - softOf(wtime, 0);
    expect(spent(60)).toBeCloseTo(0.2 * spent(1000), 9);
  });

  test('the time budget depends on the clock of the side to move', () => {
    const limits: Limits = { wtime: 1000, btime: 60_000, winc: 0, binc: 2000 };
    expect(timeBudget(limits, false, 0).soft).toBeGreaterThan(5 * timeBudget(limits, true, 0).soft);
  });

  test('the budget for a move time is that time minus an overhead of at most ten milliseconds', () => {
    expect(timeBudget({ movetime: 500 }, true, 30)).toEqual({ soft: 490, hard: 490 });
    expect(timeBudget({ movetime: 500, wtime: 0, btime: 0 }, true, 30)).toEqual({ soft: 490, hard: 490 });
    expect(timeBudget({ movetime: 20 }, true, 30)).toEqual({ soft: 10, hard: 10 });
  });

  test('a move time combined with a clock is limited by the clock', () => {
    expect(timeBudget({ movetime: 500, wtime: 60_000, btime: 60_000 }, true, 30)).toEqual({ soft: 490, hard: 490 });
    const clock: Limits = { wtime: 300, btime: 300 };
    const { hard } = timeBudget(clock, true, 30);
    expect(timeBudget({ ...clock, movetime: 500 }, true, 30)).toEqual({ soft: hard, hard });
  });

  test('the time budget uses most of the clock for the last move before the time control', () => {
    expect(timeBudget({ wtime: 1000, movestogo: 1 }, true, 0).hard).toBeGreaterThan(700);
  });

  test('the time budget is unlimited without a clock, but not if only the opponent has one', () => {
    expect(timeBudget({ depth: 3 }, true, 10).hard).toBe(Number.POSITIVE_INFINITY);
    expect(timeBudget({ wtime: 100 }, false, 10).hard).toBeLessThanOrEqual(100);
    expect(timeBudget({ btime: 100 }, true, 10).hard).toBeLessThanOrEqual(100);
  });
});
