import { describe, expect, test } from 'vitest';
import { formatFen, parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { makeMove, repetitionCount } from '../../../engine/board/kernel.js';
import { legalMoves, parseUciMove } from '../../../engine/board/rules.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { type GameRecord, openingHash, replay, startFromPosition, UNSCORED } from '../../../selfplay/records/record.js';
import { type FilterSettings, noneSkipped, visitSample } from '../../../tuner/trace/sample.js';

function gameOf(moves: string, fen = STARTPOS, scores: number[] = []): GameRecord {
  parseFen(fen);
  const start = startFromPosition();
  const codes = moves.split(' ').map((text) => {
    const move = parseUciMove(text);
    makeMove(move);
    return move;
  });
  return {
    start,
    result: 2,
    moves: Uint16Array.from(codes),
    scores: Int16Array.from(codes, (_, ply) => scores[ply] ?? 0),
  };
}

const FILTER: FilterSettings = { skipPlies: 0, perGame: 1000, resolve: 'none', seed: 1 };
const choose = (game: GameRecord, changes: Partial<FilterSettings> = {}, index = 0) => {
  const skipped = noneSkipped();
  const plies: number[] = [];
  visitSample(game, index, { ...FILTER, ...changes }, skipped, (_, ply) => plies.push(ply));
  return { plies, skipped };
};

describe('visitSample', () => {
  // 3. Bb5 a6 4. Bxc6 dxc6 5. Nxe5 Qd4 6. Nf3 Qxe4+ 7. Qe2
  const spanish = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 f3e5 d8d4 e5f3 d4e4 d1e2';

  test('visitSample skips the rest of a game once its winner stays ahead', () => {
    const scores = [0, 300, 400, -20, 250, 350, UNSCORED, 500, 600, 700, 800, 900, 950];
    const { plies, skipped } = choose(gameOf(spanish, STARTPOS, scores), { skipDecided: 300 });
    expect(plies).toEqual([0, 1, 2, 3, 4]);
    expect(skipped).toEqual({ ...noneSkipped(), decided: 8 });
    expect(choose({ ...gameOf(spanish, STARTPOS, scores), result: 1 }, { skipDecided: 300 }).skipped.decided).toBe(0);
    expect(choose({ ...gameOf(spanish, STARTPOS, scores), result: 0 }, { skipDecided: 300 }).skipped.decided).toBe(0);
  });

  test('visitSample does not treat positions without a score as decided', () => {
    const unscored = Array<number>(13).fill(UNSCORED);
    expect(choose(gameOf(spanish, STARTPOS, unscored), { skipDecided: 300 }).skipped.decided).toBe(0);
    const late = unscored.with(2, 100).with(9, 400);
    expect(choose(gameOf(spanish, STARTPOS, late), { skipDecided: 300 }).skipped.decided).toBe(4);
  });

  test('visitSample selects only quiet positions and counts the others by reason', () => {
    const { plies, skipped } = choose(gameOf(spanish));
    // Noisy: Bxc6 (6), dxc6 (7), Nxe5 (8), Qxe4+ (11); after Qxe4+ White is in check (12).
    expect(plies).toEqual([0, 1, 2, 3, 4, 5, 9, 10]);
    expect(skipped).toEqual({ ...noneSkipped(), noisy: 4, inCheck: 1 });
  });

  test('visitSample keeps noisy positions if they will be resolved', () => {
    expect(choose(gameOf(spanish), { resolve: 'qsearch' }).plies).toHaveLength(12);
  });

  test('visitSample treats castling as quiet, and promotion and en passant as noisy', () => {
    expect(choose(gameOf('e1g1', '4k3/8/8/8/8/8/8/4K2R w K - 0 1')).plies).toEqual([0]);
    expect(choose(gameOf('a7a8q', '8/P3k3/8/8/8/8/8/4K3 w - - 0 1')).plies).toEqual([]);
    expect(choose(gameOf('e5d6', '4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1')).plies).toEqual([]);
  });

  test('visitSample skips opening plies, mate scores and scores beyond the limit', () => {
    const scores = [0, 10, -400, 32000, -31001, 31000];
    const { plies, skipped } = choose(gameOf(spanish, STARTPOS, scores), { skipPlies: 1, maxScore: 399 });
    expect(plies).toEqual([1, 9, 10]);
    expect(skipped).toMatchObject({ opening: 1, score: 2, mate: 2 });
  });

  test('visitSample selects the same positions only for the same seed and game', () => {
    const game = randomGame(200);
    const all = choose(game).plies;
    const some = choose(game, { perGame: 12 });
    expect(some.plies).toHaveLength(12);
    expect(some.skipped.sampling).toBe(all.length - 12);
    expect(some.plies.every((ply, i) => all.includes(ply) && (i === 0 || ply > some.plies[i - 1]))).toBe(true);
    expect(choose(game, { perGame: 12 }).plies).toEqual(some.plies);
    expect(choose(game, { perGame: 12, seed: 2 }).plies).not.toEqual(some.plies);
    expect(choose(game, { perGame: 12 }, 1).plies).not.toEqual(some.plies);
  });

  test('visitSample draws every candidate about equally often', () => {
    const game = randomGame(40);
    const all = choose(game).plies;
    const drawn = new Map(all.map((ply) => [ply, 0]));
    for (let index = 0; index < 600; index++) {
      for (const ply of choose(game, { perGame: 3 }, index).plies) drawn.set(ply, drawn.get(ply)! + 1);
    }
    const expected = (600 * 3) / all.length;
    for (const count of drawn.values()) expect(Math.abs(count - expected)).toBeLessThan(5 * Math.sqrt(expected));
  });

  test('visitSample restores each position with its repetition history', () => {
    const shuffle = 'g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 e2e4 e7e5 f3g1 f6g8 g1f3 g8f6';
    for (const game of [gameOf(shuffle), randomGame(300)]) {
      const present = (): string => `${formatFen()}, ${repetitionCount()} times before`;
      const played: string[] = [];
      replay(game, () => played.push(present()));
      const visited: string[] = [];
      visitSample(game, 0, { ...FILTER, perGame: 40 }, noneSkipped(), (score, ply) => {
        expect(score).toBe(game.scores[ply]);
        expect(present()).toBe(played[ply]);
        visited.push(played[ply]);
      });
      expect(visited.length).toBeGreaterThan(10);
    }
  });

  test('visitSample throws an error with the ply of an illegal move, counted from one', () => {
    const game = gameOf(spanish);
    game.moves[4] = game.moves[0];
    expect(() => choose(game)).toThrow(/illegal move .* at ply 5/);
  });

  test('visitSample keeps positions without a score', () => {
    const scores = [UNSCORED, 31001];
    expect(choose(gameOf('e2e4 e7e5', STARTPOS, scores), { maxScore: 100 }).plies).toEqual([0]);
  });

  test('visitSample throws for an invalid start position', () => {
    const game = gameOf(spanish);
    game.start.board[4] = 6;
    expect(() => choose(game)).toThrow(/king/);
  });
});

describe('openingHash', () => {
  test('openingHash depends on the start position, and on the first plies only in games that begin at move one', () => {
    const common = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6';
    expect(openingHash(gameOf(`${common} e1g1`))).toBe(openingHash(gameOf(`${common} d2d3`)));
    expect(openingHash(gameOf('e2e4 e7e5'))).not.toBe(openingHash(gameOf('e2e4 e7e6')));
    const later = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
    expect(openingHash(gameOf('g1f3 b8c6', later))).toBe(openingHash(gameOf('f1c4 f8c5', later)));
    expect(openingHash(gameOf('g1f3', later))).not.toBe(openingHash(gameOf('g1f3', later.replace('KQkq', 'KQ'))));
  });
});

function randomGame(plies: number): GameRecord {
  const random = createRandom(5);
  parseFen(STARTPOS);
  const start = startFromPosition();
  const moves: number[] = [];
  while (moves.length < plies) {
    const legal = legalMoves();
    const move = legal[randomBelow(random, legal.length)];
    moves.push(move);
    makeMove(move);
  }
  return {
    start,
    result: 1,
    moves: Uint16Array.from(moves),
    scores: new Int16Array(plies),
  };
}
