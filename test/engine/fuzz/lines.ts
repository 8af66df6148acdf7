// Lines that a GUI might send, from valid to nonsense, drawn from the given random stream so that a seed reproduces them.

import { type Random, randomBelow } from '../../../engine/kernel/random.js';
import { type Oracle, oracleAt, oracleFen, oracleMoves, oraclePlay } from '../../support/oracle.js';
import { notation } from './model.js';

const FENS: readonly string[] = [
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  'r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1',
  'n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1',
  'b1rkr3/pppppppp/8/8/8/8/PPPPPPPP/B1RKR3 w ECec - 0 1',
  '1rk3r1/8/8/8/8/8/8/1RK3R1 b GBgb - 4 9',
  '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1',
  '7k/6Q1/6K1/8/8/8/8/8 b - - 0 1',
  '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1',
  '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1',
  'R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1',
  'qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1',
  '8/5k2/8/8/8/8/1K6/8 w - - 99 150',
  'k7/8/8/3pP3/8/8/8/K7 w - d6 0 2',
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -',
  '4k3/8/8/8/8/8/8/4K2R w KQkq e3 99999 99999',
  // Impossible positions and invalid text
  '8/8/8/8/8/8/8/8 w - - 0 1',
  'kk6/8/8/8/8/8/8/KK6 w - - 0 1',
  '4k3/8/8/8/8/8/4R3/4K3 w - - 0 1',
  'Pk6/8/8/8/8/8/8/K6p w - - 0 1',
  'qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/8/8/4K3 w - - 0 1',
  'rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1',
  'rnbqkbnr/ppp w',
  '////////',
];
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const BAD_MOVES = ['e2e5', 'a1a1', '0000', 'e7e8k', 'e9e4', 'O-O', 'nonsense', 'e1h8q', '\u265E', '-'];
const VALUES = ['0', '1', '-1', '2', '1e3', 'true', 'FALSE', '', '<empty>', '99999999', '1.5', 'NaN', '0x10', 'a b'];
const OPTIONS = [
  'Hash',
  'hash',
  'Threads',
  'MultiPV',
  'Ponder',
  'Move Overhead',
  'UCI_Chess960',
  'Clear Hash',
  'Nonsense',
];
const FILES = ['no-such-file', '.', 'package.json', 'CHANGELOG.md', 'engine/eval/material.json', '<empty>'];
const NOISE = [
  'debug on',
  'debug off',
  'register later',
  'xyzzy',
  '',
  '   \t ',
  'info depth 3',
  'bestmove e2e4',
  'd',
  'eval',
];

/** Returns one of the items. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return items[randomBelow(random, items.length)];
}

/** Returns true once in n calls on average. */
export function once(random: Random, n: number): boolean {
  return randomBelow(random, n) === 0;
}

// A walk of random legal moves, as a GUI would send it
function walk(random: Random, oracle: Oracle, isChess960: boolean): string[] {
  const moves: string[] = [];
  const length = once(random, 15) ? 400 : randomBelow(random, 30);
  for (let ply = 0; ply < length; ply++) {
    const legal = oracleMoves(oracle);
    if (legal.length === 0) break;
    const move = pick(random, legal);
    moves.push(notation(oracle, move, isChess960));
    oraclePlay(oracle, move);
  }
  return moves;
}

function oracleOf(fen: string): Oracle | null {
  try {
    return oracleAt(fen);
  } catch {
    return null;
  }
}

/** Returns a position line, usually a valid one, with a walk of legal moves that may contain a bad move. */
export function positionLine(random: Random): string {
  const fen = once(random, 2) ? START : pick(random, FENS);
  const oracle = oracleOf(fen);
  const moves = oracle === null ? [] : walk(random, oracle, once(random, 2));
  if (oracle !== null && once(random, 4)) return `position fen ${oracleFen(oracle)}`;
  if (once(random, 5)) moves.splice(randomBelow(random, moves.length + 1), 0, pick(random, BAD_MOVES));
  const start = fen === START && once(random, 2) ? 'startpos' : `fen ${fen}`;
  return `position ${start}${moves.length > 0 || once(random, 4) ? ` moves ${moves.join(' ')}` : ''}`;
}

/** Returns a go line: any limits in any order, usually for a short search. */
export function goLine(random: Random): string {
  if (once(random, 30)) return `go perft ${randomBelow(random, 3)}`;
  const number = (below: number): number => (once(random, 15) ? -1 : randomBelow(random, below));
  const limits = [
    () => `depth ${number(6)}`,
    () => `nodes ${number(3000)}`,
    () => `movetime ${number(40)}`,
    () => `wtime ${number(400)} btime ${number(400)}`,
    () => `winc ${number(20)} binc ${number(20)}`,
    () => `movestogo ${number(40)}`,
    () => `mate ${number(4)}`,
    () => 'infinite',
    () => 'ponder',
    () => `searchmoves ${pick(random, ['e2e4', 'e2e4 d2d4', 'a7a8q', 'h1h8 e1g1', 'e9e9', ''])}`,
    () => pick(random, ['depth', 'nodes x', 'quickly', 'wtime 1e3', 'depth -', 'movetime 00010', 'go']),
  ];
  const count = pick(random, [0, 1, 1, 1, 1, 2, 2, 3, 5]);
  return ['go', ...Array.from({ length: count }, () => pick(random, limits)())].join(' ');
}

function optionLine(random: Random): string {
  const kinds = [
    () => `setoption name Hash value ${1 + randomBelow(random, 48)}`,
    () => `setoption name Threads value ${1 + randomBelow(random, once(random, 4) ? 16 : 3)}`,
    () => `setoption name MultiPV value ${1 + randomBelow(random, 12)}`,
    () => `setoption name UCI_Chess960 value ${once(random, 2)}`,
    () => `setoption name EvalFile value ${pick(random, FILES)}`,
    () => 'setoption name Clear Hash',
    () => `setoption name ${pick(random, OPTIONS)} value ${pick(random, VALUES)}`,
    () => pick(random, ['setoption', 'setoption name', 'setoption value 3', 'setoption name Hash', 'setoption Hash 3']),
  ];
  return pick(random, kinds)();
}

/** Returns any line but quit. */
export function anyLine(random: Random): string {
  const kinds = [
    positionLine,
    positionLine,
    goLine,
    goLine,
    goLine,
    optionLine,
    () => 'isready',
    () => 'stop',
    () => 'stop',
    () => 'ponderhit',
    () => 'uci',
    () => 'ucinewgame',
    () => pick(random, NOISE),
  ];
  return pick(random, kinds)(random);
}
