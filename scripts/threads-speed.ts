// How much sooner several threads reach a depth than one: node dist/scripts/threads-speed.js [DEPTH] [THREADS] [POSITIONS]
// Both counts search each position in turn, from a clean state, one process at a time; prints each ratio of times and the median.
// An otherwise idle machine is a condition, not a wish.

import { POSITIONS } from '../engine/bench.js';
import { genfens } from '../engine/genfens.js';
import { UciEngine } from '../selfplay/engines/uci-engine.js';

const [depth = 18, threads = 2, count = 30] = process.argv.slice(2).map(Number);
const HASH = '64';
const HOUR_MS = 3_600_000;

const engines = await Promise.all(
  [1, threads].map((n) =>
    UciEngine.start({
      command: process.execPath,
      args: ['dist/engine/main.js'],
      options: { Hash: HASH, Threads: String(n) },
    }),
  ),
);
const fens = [...POSITIONS, ...genfens(count, 1, []).map((line) => line.replace('info string genfens ', ''))];
const ratios: number[] = [];
for (const fen of fens.slice(0, count)) {
  const times: number[] = [];
  for (const engine of engines) {
    await engine.newGame(false);
    times.push((await engine.go(`position fen ${fen}`, `go depth ${depth}`, HOUR_MS)).milliseconds);
  }
  ratios.push(times[1] / times[0]);
  process.stdout.write(
    `${times.map((ms) => ms.toFixed(0).padStart(7)).join(' ')} ms ${ratios.at(-1)?.toFixed(2)} ${fen}\n`,
  );
}
ratios.sort((a, b) => a - b);
process.stdout.write(
  `median ratio at depth ${depth}, ${threads} threads to 1: ${ratios[ratios.length >> 1].toFixed(3)}\n`,
);
await Promise.all(engines.map((engine) => engine.quit()));
