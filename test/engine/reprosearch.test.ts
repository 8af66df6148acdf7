// A search is reproducible node for node, whatever ran before it: other searches, new games, other hash sizes, threads, weights. (Like
// Stockfish's tests/reprosearch.sh.)

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random, randomBelow } from '../../engine/kernel/random.js';
import { isLong, isSlow } from '../support/slow.js';
import { seedOf } from './board/walks.js';
import { EngineProcess } from './engine-process.js';

const POSITIONS = [
  'position startpos',
  'position startpos moves e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6',
  'position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  'position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
  'position fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10',
  'position fen 8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1',
];
/** Number of node limits; each is searched twice. */
const LIMITS = isLong ? 300 : isSlow ? 100 : 8;
const MOST_NODES = 30_000;

let engine: EngineProcess;
beforeAll(() => {
  engine = new EngineProcess();
});
afterAll(() => engine.kill());

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[randomBelow(random, items.length)];

/** Commands between the two equal searches. Each ends with the initial settings. */
const BETWEEN: ((random: Random) => string[])[] = [
  () => [],
  () => ['setoption name Clear Hash'],
  () => ['setoption name Hash value 1', 'setoption name Hash value 16'],
  (random) => [
    'setoption name Hash value 64',
    pick(random, POSITIONS),
    'go nodes 3000',
    'setoption name Hash value 16',
  ],
  (random) => [
    'setoption name Threads value 4',
    pick(random, POSITIONS),
    'go nodes 5000',
    'setoption name Threads value 1',
  ],
  (random) => [
    'setoption name MultiPV value 3',
    pick(random, POSITIONS),
    'go depth 4',
    'setoption name MultiPV value 1',
  ],
  (random) => [
    ...['setoption name EvalFile value engine/eval/material.json', pick(random, POSITIONS), 'go nodes 2000'],
    'setoption name EvalFile value <empty>',
  ],
  (random) => [
    pick(random, POSITIONS),
    `go nodes ${1 + randomBelow(random, MOST_NODES)}`,
    pick(random, POSITIONS),
    'go depth 5',
  ],
  (random) => [pick(random, POSITIONS), 'go movetime 10'],
  (random) => [
    'setoption name UCI_LimitStrength value true',
    pick(random, POSITIONS),
    'go depth 3',
    'setoption name UCI_LimitStrength value false',
  ],
];

async function searched(position: string, nodes: number): Promise<string> {
  const lines = await engine.answer('ucinewgame', position, `go nodes ${nodes}`);
  // Times may differ; nodes, scores and moves may not
  const known = lines.filter((line) => / score /.test(line) || line.startsWith('bestmove'));
  return known.map((line) => line.replace(/ (nps|time) \d+/g, '')).join('\n');
}

test(`searches with ${LIMITS} random node limits are identical after other searches`, {
  timeout: 600_000,
}, async () => {
  const seed = seedOf('reprosearch');
  const random = createRandom(seed);
  for (let i = 0; i < LIMITS; i++) {
    const [position, nodes] = [pick(random, POSITIONS), 1 + randomBelow(random, MOST_NODES)];
    const first = await searched(position, nodes);
    const between = BETWEEN[i % BETWEEN.length](random);
    const searches = between.filter((line) => line.startsWith('go')).length;
    engine.send(...between);
    for (let done = 0; done < searches; done++) await engine.until(/^bestmove/);
    engine.send('isready');
    await engine.until(/^readyok$/);
    expect(
      await searched(position, nodes),
      `seed ${seed}: ${position}, ${nodes} nodes after ${between.join('; ')}`,
    ).toBe(first);
  }
});
