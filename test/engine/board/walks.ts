// Random walks: games of random moves that the engine and the oracle play side by side, from standard and Chess960 starts.

import { parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { makeMove } from '../../../engine/board/kernel.js';
import { moveToUci } from '../../../engine/board/move.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { createRandom, type Random, randomBelow } from '../../../engine/kernel/random.js';
import { type Oracle, oracleAt, oraclePlay } from '../../support/oracle.js';

/** Positions in which castling, en passant, promotion, mate and stalemate are near. */
const STARTS: readonly string[] = [
  STARTPOS,
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  'r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1',
  'r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1',
  '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
  '4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1',
  'n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1',
  '7k/8/5K2/8/8/8/6Q1/8 w - - 0 1',
  '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1',
];

/** Returns the seed of a test; HEFT_SEED chooses another, which is printed. */
export function seedOf(test: string): number {
  const seed = Number(process.env['HEFT_SEED'] ?? 20_260);
  if (process.env['HEFT_SEED'] !== undefined) console.log(`${test}: HEFT_SEED=${seed}`);
  return seed;
}

/** Returns a back rank of Chess960, with some pieces besides king and rooks missing, so that castling is soon possible. */
function backRank(random: Random): string {
  const squares: string[] = Array(8).fill('');
  const free = (): number[] => [0, 1, 2, 3, 4, 5, 6, 7].filter((file) => squares[file] === '');
  const put = (letter: string, among: number[]): void => {
    squares[among[randomBelow(random, among.length)]] = letter;
  };
  put('b', [0, 2, 4, 6]);
  put('b', [1, 3, 5, 7]);
  for (const letter of 'qnn') put(letter, free());
  const [left, king, right] = free();
  squares[left] = 'r';
  squares[king] = 'k';
  squares[right] = 'r';
  return squares
    .map((letter) => ('qbn'.includes(letter) && randomBelow(random, 3) > 0 ? '1' : letter))
    .join('')
    .replace(/1+/g, (gap) => String(gap.length));
}

/** Returns the FEN of a random double Chess960 start with few pieces. */
function chess960Start(random: Random): string {
  const pawns = (letter: string): string =>
    Array.from({ length: 8 }, () => (randomBelow(random, 3) > 0 ? letter : '1')).join('');
  const white = backRank(random).toUpperCase();
  const ranks = [backRank(random), pawns('p'), '8', '8', '8', '8', pawns('P'), white];
  const board = ranks.join('/').replace(/1+/g, (gap) => String(gap.length));
  return `${board} ${randomBelow(random, 2) === 0 ? 'w' : 'b'} KQkq - 0 1`;
}

export interface Walk {
  oracle: Oracle;
  random: Random;
  /** The moves that led to the position, for messages. */
  path: () => string;
}

/** Plays `games` random games of at most `plies` and calls `visit` in every position, the last one included. */
export function randomWalks(seed: number, games: number, plies: number, visit: (walk: Walk) => void): void {
  for (let game = 0; game < games; game++) {
    const random = createRandom(seed, game);
    const start = game % 2 === 0 ? STARTS[(game / 2) % STARTS.length] : findStart(random);
    const oracle = oracleAt(start);
    parseFen(start);
    const played: string[] = [];
    const path = (): string => `HEFT_SEED=${seed} game ${game}: position fen ${start} moves ${played.join(' ')}`;
    for (let ply = 0; ; ply++) {
      visit({ oracle, random, path });
      const moves = legalMoves();
      if (moves.length === 0 || ply === plies) break;
      const move = chooseMove(random, moves);
      const uci = moveToUci(move, true);
      makeMove(move);
      oraclePlay(oracle, uci);
      played.push(uci);
    }
  }
}

// Skips starts in which the side not to move is in check
function findStart(random: Random): string {
  for (;;) {
    const start = chess960Start(random);
    try {
      oracleAt(start);
      return start;
    } catch {
      // Next one
    }
  }
}

// Castling, en passant and promotion would otherwise be too rare
function chooseMove(random: Random, moves: readonly Move[]): Move {
  const special = moves.filter((move) => move >>> 14 !== 0);
  const among = special.length > 0 && randomBelow(random, 4) === 0 ? special : moves;
  return among[randomBelow(random, among.length)];
}
