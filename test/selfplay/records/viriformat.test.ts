import { describe, expect, test } from 'vitest';
import { formatFen, parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { makeMove } from '../../../engine/board/kernel.js';
import { parseUciMove } from '../../../engine/board/rules.js';
import { type GameRecord, replay, startFromPosition } from '../../../selfplay/records/record.js';
import { decodeGame, encodeGame, lastWholeGame, sizeOf } from '../../../selfplay/records/viriformat.js';
import { concat, makeMoveCode, randomGame } from '../../support/random-games.js';

// The worked example of the format's own README (github.com/cosmobobak/viriformat)
const EXAMPLE = `
  ffff00000000ffff 1642256100000000 888888889ecaade9 40 00 0100 0000 02 00
  0c070a00 34091400 c309e2ff 3c0dff7f 2709ff7f 00000000`.replace(/\s/g, '');

function play(fen: string, moves: string, scores: number[], result: 0 | 1 | 2): GameRecord {
  parseFen(fen);
  const start = startFromPosition();
  const played = moves.split(' ').map((text) => {
    const move = parseUciMove(text);
    makeMove(move);
    return move;
  });
  return { start, result, moves: Uint16Array.from(played), scores: Int16Array.from(scores) };
}

const example = (): GameRecord => play(STARTPOS, 'e2e4 e7e5 d1h5 e8e7 h5e5', [10, 20, -30, 32767, 32767], 2);

function readGames(bytes: Uint8Array): GameRecord[] {
  const games: GameRecord[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { game, next } = decodeGame(bytes, at);
    games.push(game);
    at = next;
  }
  return games;
}

describe('the worked example', () => {
  test('the worked example is encoded byte for byte', () => {
    expect(Buffer.from(encodeGame(example())).toString('hex')).toBe(EXAMPLE);
  });

  test('the worked example is decoded', () => {
    const { game, next } = decodeGame(Buffer.from(EXAMPLE, 'hex'), 0);
    expect(game).toEqual(example());
    expect(next).toBe(56);
  });

  test('a record can start at any byte of a buffer', () => {
    const shifted = concat([new Uint8Array(7), Buffer.from(EXAMPLE, 'hex')]).subarray(3);
    expect(decodeGame(shifted, 4).game).toEqual(example());
  });
});

describe('start positions', () => {
  test.each([
    STARTPOS,
    'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 7 31',
    'rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3',
    'brk1rnqb/pppppppp/1n6/8/8/1N6/PPPPPPPP/BRK1RNQB w EBeb - 2 2',
    '1r1kr3/8/8/8/8/8/8/1R1KR2R w Eb - 0 1',
    '8/8/8/4k3/8/8/4K3/8 b - - 99 300',
  ])('the start position %s is encoded and decoded', (fen) => {
    parseFen(fen);
    const expected = formatFen();
    const start = startFromPosition();
    const { game } = decodeGame(encodeGame({ ...example(), start }), 0);
    replay({ ...game, moves: new Uint16Array(0) }, () => {});
    expect(formatFen()).toBe(expected);
  });

  test('a fullmove number of 0 is read as 1', () => {
    const { start, ...rest } = example();
    const { game } = decodeGame(encodeGame({ ...rest, start: { ...start, fullmove: 0 } }), 0);
    expect(game).toEqual(example());
  });

  test('castling rooks have their own piece code', () => {
    parseFen('1r1kr3/8/8/8/8/8/8/1R1KR2R w Eb - 0 1');
    const start = startFromPosition();
    const bytes = encodeGame({ ...example(), start });
    // b1 rook, d1 king, e1 castling rook, h1 rook; b8 castling rook, d8 king, e8 rook
    expect(Buffer.from(bytes.subarray(8, 12)).toString('hex')).toBe('5336de0b');
  });
});

test('random games, standard and Chess960, are encoded and decoded with all moves legal', () => {
  const starts = [STARTPOS, 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1'];
  const games = Array.from({ length: 60 }, (_, seed) => randomGame(seed, 5 * seed, starts[seed & 1]));
  const bytes = concat(games.map(encodeGame));
  const read = readGames(bytes);
  expect(read).toEqual(games);
  for (const [index, game] of read.entries()) replay(game, () => {}, index);
  const positions = games.reduce((sum, { moves }) => sum + moves.length, 0);
  expect(bytes.length).toBe(sizeOf(60, positions));
  expect(lastWholeGame(bytes)).toMatchObject({ games: 60, positions, length: bytes.length, fault: null });
  expect(lastWholeGame(bytes).results).toEqual({ losses: 20, draws: 20, wins: 20 });
});

test('a file truncated at any byte keeps the games before the cut', () => {
  const games = [example(), randomGame(1, 30), randomGame(2, 0), randomGame(3, 25), example()];
  const bytes = concat(games.map(encodeGame));
  const ends = games.map((_, i) => concat(games.slice(0, i + 1).map(encodeGame)).length);
  for (let length = 0; length <= bytes.length; length++) {
    const whole = lastWholeGame(bytes.subarray(0, length));
    const expected = ends.filter((end) => end <= length).length;
    expect(whole.games, `cut at ${length}`).toBe(expected);
    expect(whole.length, `cut at ${length}`).toBe(ends[expected - 1] ?? 0);
    expect(whole.fault === null, `cut at ${length}`).toBe(whole.length === length);
  }
});

describe('corrupt games', () => {
  const damage = (at: number, value: number): Uint8Array => {
    const bytes = Uint8Array.from(Buffer.from(EXAMPLE, 'hex'));
    bytes[at] = value;
    return bytes;
  };
  test.each([
    ['too many occupied squares', damage(2, 1), 'more than 32 pieces'],
    ['a piece without a square', damage(0, 0xfe), 'more pieces than occupied squares'],
    ['an unknown piece', damage(16, 0x87), '7 is not a piece'],
    ['two white queens and no king', damage(10, 0x24), '0 white'],
    ['an en-passant square off the board', damage(24, 0x41), 'not an en-passant square'],
    ['a result of 3', damage(30, 3), 'result 3'],
    ['a truncated game', Buffer.from(EXAMPLE, 'hex').subarray(0, 53), 'truncated'],
    ['zeros', new Uint8Array(4096), '0 white and 0 black kings'],
  ])('a corrupt game is rejected: %s', (_, bytes, message) => {
    expect(() => decodeGame(bytes, 0)).toThrow(message);
    const both = concat([Buffer.from(EXAMPLE, 'hex'), bytes]);
    expect(lastWholeGame(both)).toMatchObject({ games: 1, positions: 5, length: 56 });
    expect(lastWholeGame(both).fault).toContain('game 2 at byte 56: ');
  });

  test('an illegal move in a shard is reported with game and ply', () => {
    const bytes = concat([Buffer.from(EXAMPLE, 'hex'), damage(36, 0x33)]);
    const [, second] = readGames(bytes);
    expect(() => replay(second, () => {}, 1)).toThrow('game 2: illegal move d7e5 at ply 2');
    expect(lastWholeGame(bytes)).toMatchObject({ games: 1, length: 56, fault: 'game 2: illegal move d7e5 at ply 2' });
  });

  test('a start position with the opponent in check is rejected', () => {
    const game = example();
    game.start.board[12] = 8 | 5;
    game.start.board[60] = 6;
    expect(() => replay(game, () => {}, 6)).toThrow('game 7: impossible start position');
  });

  test('a game with too many pieces cannot be encoded', () => {
    const game = example();
    game.start.board[20] = 0;
    expect(() => encodeGame(game)).toThrow('more than 32 pieces');
  });
});

test('replay calls its visitor before each move and leaves the last position on the board', () => {
  const visits: [number, number, number, string][] = [];
  replay(example(), (move, score, ply) => visits.push([move, score, ply, formatFen().split(' ')[0]]));
  expect(visits.length).toBe(5);
  expect(visits[0]).toEqual([makeMoveCode(12, 28), 10, 0, STARTPOS.split(' ')[0]]);
  expect(visits[4].slice(1)).toEqual([32767, 4, 'rnbq1bnr/ppppkppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR']);
  expect(formatFen()).toBe('rnbq1bnr/ppppkppp/8/4Q3/4P3/8/PPPP1PPP/RNB1KBNR b KQ - 0 3');
});
