import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { makeMove } from '../../../engine/board/kernel.js';
import { setChess960 } from '../../../engine/board/position.js';
import { legalMoves, parseUciMove } from '../../../engine/board/rules.js';
import type { Opening } from '../../../engine/commands/random-opening.js';
import type { EngineSpec } from '../../../selfplay/engines/process.js';
import { TIMEOUTS, UciEngine } from '../../../selfplay/engines/uci-engine.js';
import { Adjudicator } from '../../../selfplay/games/adjudication.js';
import type { GameLimits } from '../../../selfplay/games/clock.js';
import { type PlayedGame, type Player, playGame } from '../../../selfplay/series/game.js';
import { DEFAULT_GAMES } from '../../../selfplay/series/game-settings.js';
import { fakeEngine } from '../../support/fake-engine.js';
import { isSlow, slowTest, someOf } from '../../support/slow.js';

const normal = { ...TIMEOUTS };
afterEach(() => {
  Object.assign(TIMEOUTS, normal);
  setChess960(false);
});

const NODES: GameLimits = { nodes: 5, margin: 0, stall: 2000 };
const FROM_START: Opening = { start: STARTPOS, moves: [], fen: STARTPOS };
const from = (fen: string): Opening => ({ start: fen, moves: [], fen });

/** Idle engines by command, for reuse: starting one takes longer than a game. */
const idle = new Map<string, UciEngine[]>();
afterAll(() => Promise.all([...idle.values()].flat().map((engine) => engine.quit())));

async function play(
  white: EngineSpec,
  black: EngineSpec,
  options: { opening?: Opening; limits?: GameLimits; maxMoves?: number; chess960?: boolean; rules?: object } = {},
): Promise<PlayedGame> {
  const specs = [white, black];
  const waiting = specs.map((spec) => idle.get(JSON.stringify(spec))?.pop());
  const engines = await Promise.all(specs.map((spec, i) => waiting[i] ?? UciEngine.start(spec)));
  const [first, second] = engines.map((engine): Player => ({ engine, limits: options.limits ?? NODES }));
  const { maxMoves = 20, chess960 = false } = options;
  const rules = { ...DEFAULT_GAMES, maxMoves, chess960, ...options.rules };
  const game = await playGame(first, second, options.opening ?? FROM_START, rules);
  for (const [i, engine] of engines.entries()) {
    const name = JSON.stringify(specs[i]);
    if (game.offender === i || options.limits?.ponder === true) await engine.quit();
    else idle.set(name, [...(idle.get(name) ?? []), engine]);
  }
  return game;
}

describe('a game', () => {
  test("a game without adjudication ends at the maximum length, with scores from White's point of view", async () => {
    const game = await play(fakeEngine('seed=1', 'score=20'), fakeEngine('seed=2', 'score=30'), { maxMoves: 5 });
    expect(game).toMatchObject({ result: 0.5, termination: 'adjudication', bookPlies: 0, nodes: [25, 25] });
    expect(game.reason).toBe('Draw by adjudication: maximal game length');
    expect(game.scores).toEqual([20, -30, 20, -30, 20, -30, 20, -30, 20, -30]);
    expect(game.depths).toEqual(new Array(10).fill(3));
    parseFen(STARTPOS);
    for (const move of game.moves) {
      expect(legalMoves()).toContain(move);
      makeMove(move);
    }
  });

  test('a game starts with its opening and is reproducible', async () => {
    parseFen(STARTPOS);
    const moves = ['e2e4', 'e7e5', 'g1f3'].map((text) => {
      const move = parseUciMove(text);
      makeMove(move);
      return move;
    });
    const opening = { start: STARTPOS, moves, fen: '' };
    const games = [1, 2].map(() => play(fakeEngine('seed=1'), fakeEngine('seed=2'), { opening }));
    const [one, two] = await Promise.all(games);
    expect(one.moves).toEqual(two.moves);
    expect(one.moves.slice(0, 3)).toEqual(moves);
    expect(one.bookPlies).toBe(3);
    expect(one.scores).toHaveLength(one.moves.length - 3);
  });

  const ends: [string, number, number, string][] = [
    ['rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3', 0, 0, 'Black mates'],
    ['k7/8/1QK5/8/8/8/8/8 b - - 0 1', 0, 0.5, 'Draw by stalemate'],
    ['7k/6Q1/8/8/8/8/8/K7 b - - 0 1', 1, 0.5, 'Draw by insufficient mating material'],
    ['7k/8/8/8/8/8/R7/K7 w - - 99 80', 1, 0.5, 'Draw by fifty moves rule'],
  ];
  test.each(ends)('a game from %s ends by the rules after %d moves', async (fen, moves, result, reason) => {
    const game = await play(fakeEngine(), fakeEngine(), { opening: from(fen) });
    expect(game).toMatchObject({ result, reason, termination: 'normal' });
    expect(game.moves).toHaveLength(moves);
  });

  test('repetition is detected across the whole game', async () => {
    const fen = 'k7/p1p5/P1P5/8/8/p1p5/P1P5/K7 w - - 0 1';
    const game = await play(fakeEngine(), fakeEngine('seed=2'), { opening: from(fen), maxMoves: 100 });
    expect(game).toMatchObject({ result: 0.5, reason: 'Draw by 3-fold repetition', termination: 'normal' });
  });

  test('a Chess960 position is detected, and castling is played as king takes rook', async () => {
    const opening = from('4k3/8/8/8/8/8/8/RK5R w HA - 0 1');
    const game = await play(fakeEngine(), fakeEngine('seed=2'), { opening, maxMoves: 30 });
    expect(game.chess960).toBe(true);
    expect(game.termination).not.toBe('illegal move');
  });
});

describe('a failing engine loses', () => {
  const faults: [string, string, string | RegExp][] = [
    ['illegal=3', 'illegal move', 'White makes an illegal move: e1e8'],
    ['nomove=2', 'illegal move', 'White sends bestmove without a move'],
    ['none=2', 'illegal move', 'White makes an illegal move: (none)'],
    ['upper=2', 'illegal move', /^White makes an illegal move: [A-H][1-8]/],
    ['crash=4', 'abandoned', 'White disconnects (ended with exit code 3; error output: Error: told to crash)'],
    ['hang=2', 'abandoned', "White's connection stalls"],
    ['deaf=2', 'abandoned', "White's connection stalls (no bestmove, even after stop)"],
  ];
  test.each(isSlow ? faults : someOf(faults))('a failing engine loses: %s', async (fault, termination, reason) => {
    TIMEOUTS.stop = 200;
    const game = await play(fakeEngine(fault), fakeEngine(), { limits: { ...NODES, stall: 300 } });
    expect(game).toMatchObject({ result: 0, termination, offender: 0 });
    expect(game.reason).toMatch(reason);
    expect(game.moves).toHaveLength(2 * (Number.parseInt(fault.split('=')[1], 10) - 1));
  });

  test('a failing engine loses as Black, with its side in the reason', async () => {
    const game = await play(fakeEngine(), fakeEngine('illegal=1'));
    expect(game).toMatchObject({ result: 1, offender: 1, reason: 'Black makes an illegal move: e1e8' });
  });

  slowTest('an engine loses on time only beyond the margin', async () => {
    const limits: GameLimits = { tc: { moves: 0, time: 300, increment: 0 }, margin: 0, stall: 1000 };
    const late = await play(fakeEngine('late=2:400'), fakeEngine(), { limits, maxMoves: 3 });
    expect(late).toMatchObject({ result: 0, termination: 'time forfeit', offender: 0 });
    expect(late.reason).toMatch(/^White loses on time \(\d+ms overrun\)$/);
    const forgiven = await play(fakeEngine('late=2:400'), fakeEngine(), {
      limits: { ...limits, margin: 5000 },
      maxMoves: 3,
    });
    expect(forgiven.termination).toBe('adjudication');
  });
});

describe('adjudication', () => {
  test('a draw is adjudicated after enough level scores from both sides and the given number of full moves', async () => {
    const rules = { draw: { moveNumber: 6, moveCount: 2, score: 10 } };
    const game = await play(fakeEngine('score=5'), fakeEngine('score=-10'), { rules, maxMoves: 100 });
    expect(game).toMatchObject({ result: 0.5, reason: 'Draw by adjudication', termination: 'adjudication' });
    expect(game.moves.length).toBeGreaterThanOrEqual(12);
    const other = await play(fakeEngine('score=5'), fakeEngine('score=-11'), { rules, maxMoves: 10 });
    expect(other.reason).toMatch(/length/);
  });

  test('a draw is adjudicated as in fastchess: after full moves, and a capture or pawn move begins a new count', () => {
    const plyOfDraw = (firstMove: number, zeroing = 0, loud = 0): number => {
      const draw = { moveNumber: 6, moveCount: 2, score: 10 };
      const adjudicator = new Adjudicator({ ...DEFAULT_GAMES, draw });
      for (let ply = 1; ply < 100; ply++) {
        const score = ply === loud ? 11 : -10;
        if (adjudicator.add((ply - 1) % 2, score, ply === zeroing, firstMove + (ply >> 1)) !== null) return ply;
      }
      return Number.NaN;
    };
    expect([plyOfDraw(1), plyOfDraw(20), plyOfDraw(20, 3), plyOfDraw(20, 0, 3)]).toEqual([12, 4, 6, 7]);
  });

  slowTest(
    "a loss is adjudicated on the loser's scores; if two-sided, only when the winner's scores agree",
    async () => {
      const resign = { moveCount: 3, score: 500, twoSided: false };
      const game = await play(fakeEngine('score=0'), fakeEngine('score=-500'), { rules: { resign } });
      expect(game).toMatchObject({ result: 1, reason: 'White wins by adjudication' });
      expect(game.moves).toHaveLength(6);
      const rules = { resign: { ...resign, twoSided: true } };
      const unsure = await play(fakeEngine('score=499'), fakeEngine('score=-500'), { rules, maxMoves: 6 });
      expect(unsure.reason).toMatch(/length/);
      const agreed = await play(fakeEngine('score=500'), fakeEngine('score=-500'), { rules });
      expect(agreed.moves).toHaveLength(6);
    },
  );
});

describe('a pondering engine', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'heft-ponder-')), 'log');
  afterEach(() => rmSync(file, { force: true }));
  const limits: GameLimits = { tc: { moves: 0, time: 60_000, increment: 0 }, margin: 0, stall: 1000 };
  const log = (): string[] => readFileSync(file, 'utf8').trim().split('\n');
  const count = (word: string): number => log().filter((line) => line.startsWith(word)).length;

  test('a pondering engine is sent ponderhit or stop, and plays the same game', async () => {
    const plain = await play(fakeEngine(), fakeEngine('seed=2'), { limits, maxMoves: 4 });
    const ponder = { ...limits, ponder: true };
    const right = fakeEngine('ponder=1', 'guess=2', `log=${file}`);
    const hits = await play(right, fakeEngine('seed=2'), { limits: ponder, maxMoves: 4 });
    expect(hits.moves).toEqual(plain.moves);
    expect([count('ponderhit'), count('go wtime'), count('go ponder wtime')]).toEqual([3, 1, 4]);
    // After the game, and before quit
    expect(count('stop')).toBe(2);
    rmSync(file);
    const wrong = fakeEngine('ponder=1', 'guess=3', `log=${file}`);
    const misses = await play(wrong, fakeEngine('seed=2'), { limits: ponder, maxMoves: 4 });
    expect(misses.moves).toEqual(plain.moves);
    expect([count('ponderhit'), count('go wtime'), count('go ponder wtime')]).toEqual([0, 4, 4]);
    expect(count('stop')).toBeGreaterThanOrEqual(3);
  });

  slowTest("a pondering engine is not charged for its opponent's time", async () => {
    const tight: GameLimits = { ...limits, tc: { moves: 0, time: 1500, increment: 0 }, ponder: true };
    const opponent = fakeEngine('seed=2', 'late=1:2000');
    const engines = await Promise.all([UciEngine.start(fakeEngine('ponder=1', 'guess=2')), UciEngine.start(opponent)]);
    const rules = { ...DEFAULT_GAMES, maxMoves: 3 };
    const players: [Player, Player] = [
      { engine: engines[0], limits: tight },
      { engine: engines[1], limits },
    ];
    const game = await playGame(...players, FROM_START, rules);
    await Promise.all(engines.map((engine) => engine.quit()));
    expect(game.reason).toBe('Draw by adjudication: maximal game length');
    expect(game.times[1]).toBeGreaterThanOrEqual(2000);
  });
});

test('a claimed mate is checked against its principal variation', async () => {
  const game = await play(fakeEngine('score=mate:2'), fakeEngine(), { maxMoves: 2 });
  expect(game.remarks).toEqual([{ side: 0, text: 'claims a mate with an illegal line' }]);
});
