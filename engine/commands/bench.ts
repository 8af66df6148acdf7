// The bench: a fixed-depth search of fixed positions. Its node count is the engine's signature, which non-functional changes must keep.

import { parseFen } from '../board/fen.js';
import { newGame, search, setHashSize } from '../engine.js';
import { control } from '../search/root/control.js';
import { STOP } from '../search/root/flags.js';

/** Openings, middlegames and endgames, selected from Heft's games and from well-known test positions. */
export const POSITIONS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
  'r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1',
  'rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8',
  'r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10',
  'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3',
  'rnbqkb1r/pp1p1ppp/4pn2/2p5/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4',
  'r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8',
  'r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/1B3N2/PP2NPPP/R1BQR1K1 b - - 3 13',
  'r1b2rk1/2q1bppp/p2ppn2/1p6/3BPP2/2N2B2/PPP3PP/R2Q1R1K w - - 0 13',
  '2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16',
  'r2qr1k1/pp1nbppp/3p1n2/2pP4/4PB2/2N2N1P/PP3PP1/R2QR1K1 w - - 1 15',
  '3r1rk1/p1q2pp1/1pn1p2p/2p5/2P1P3/P1PQ1N1P/5PP1/3RR1K1 w - - 0 22',
  '2r3k1/1q1nbppp/r3p3/3pP3/pPpP4/P1Q2N2/2RN1PPP/2R4K b - b3 0 23',
  '6k1/p3q2p/1nr3pB/8/3Q1P2/6P1/PP5P/3R2K1 b - - 0 1',
  '1r4k1/5pp1/p2p3p/2pPq3/P1P1P3/1Q4PP/5PK1/1R6 w - - 2 31',
  '4rrk1/pp1n1pp1/q5p1/P1pP4/2n3P1/7P/1P3PB1/R1BQ1RK1 w - - 3 22',
  '8/8/1p2k1p1/3p3p/1p1P1P1P/1P2PK2/8/8 w - - 3 54',
  '8/5pk1/1p2p1p1/3r3p/P3R2P/1P3NP1/2b2PK1/8 w - - 0 40',
  '6k1/4pp1p/3p2p1/P1pPb3/R7/1r2P1PP/3B1P2/6K1 w - - 0 1',
  '8/p1p2pkp/1p4p1/3P4/2P5/1P3P2/P4KPP/8 w - - 0 30',
  '5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1',
  '8/3p4/p1bk3p/Pp6/1Kp1PpPp/2P2P1P/2P5/5B2 b - - 0 1',
  '8/2k5/2P5/8/1K6/8/5q2/4Q3 w - - 0 1',
  '7k/5b2/6p1/1R5p/5K2/8/8/8 w - - 10 80',
];

/** Depth of the signature's searches in plies. */
export const BENCH_DEPTH = 11;

/** Node count and time of a bench. */
interface BenchResult {
  /** Deterministic. */
  nodes: number;
  ms: number;
}

/** Returns the line that the bench prints, which OpenBench reads. */
export const benchLine = ({ nodes, ms }: BenchResult): string =>
  `${nodes} nodes ${Math.round((1000 * nodes) / Math.max(1, ms))} nps`;

/** Searches the bench positions from a clean state with a 16 MiB table. A stop ends it early. */
export function bench(depth: number = BENCH_DEPTH): BenchResult {
  setHashSize(16);
  control.threadNodes.fill(0);
  const start = control.now();
  let nodes = 0;
  for (const fen of POSITIONS) {
    newGame();
    parseFen(fen);
    nodes += search({ depth }).nodes;
    if (Atomics.load(control.flags, STOP) !== 0) break;
  }
  return { nodes, ms: control.now() - start };
}
