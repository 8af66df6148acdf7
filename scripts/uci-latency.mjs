// How fast the built engine answers: node scripts/uci-latency.mjs [STARTS] [SAMPLES]
// Prints in ms: process start to uciok, stop to bestmove with one and two threads, isready to readyok during a search.
// On a busy machine the minimum and the median tell more than the tail.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/engine/main.js', import.meta.url));
const POSITIONS = [
  'startpos',
  'fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  'fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8',
  'fen 8/5pk1/1p2p1p1/3r3p/P3R2P/1P3NP1/2b2PK1/8 w - - 0 40',
  'fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
  'fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1',
];
/** Longest wait before a question, in ms. */
const MOMENTS = 120;

function startEngine() {
  const child = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (waiting.length > 0 && line.startsWith(waiting[0].start)) waiting.shift().resolve();
  });
  child.stdin.on('error', () => {});
  return {
    send: (...lines) => child.stdin.write(lines.map((line) => `${line}\n`).join('')),
    heard: (start) => new Promise((resolve) => waiting.push({ start, resolve })),
    closed: new Promise((resolve) => child.on('close', resolve)),
  };
}

async function timed(engine, command, answer) {
  const heard = engine.heard(answer);
  const start = performance.now();
  engine.send(command);
  await heard;
  return performance.now() - start;
}

function print(name, times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  const figures = `min ${at(0)}  median ${at(0.5)}  p99 ${at(0.99)}  max ${at(1)}`;
  process.stdout.write(`${name.padEnd(34)} ${figures}  (${times.length} samples)\n`);
}

async function measureStarts(count) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    const engine = startEngine();
    engine.send('uci');
    await engine.heard('uciok');
    times.push(performance.now() - start);
    engine.send('quit');
    await engine.closed;
  }
  print('start to uciok', times);
}

async function measureAnswers(threads, count) {
  const engine = startEngine();
  engine.send(`setoption name Threads value ${threads}`, 'isready');
  await engine.heard('readyok');
  const stops = [];
  const readies = [];
  for (let i = 0; i < count; i++) {
    engine.send(`position ${POSITIONS[i % POSITIONS.length]}`, 'go infinite');
    await new Promise((resolve) => setTimeout(resolve, (i * 37) % MOMENTS));
    readies.push(await timed(engine, 'isready', 'readyok'));
    stops.push(await timed(engine, 'stop', 'bestmove'));
  }
  engine.send('quit');
  await engine.closed;
  print(`stop to bestmove, ${threads} thread(s)`, stops);
  print(`isready during search, ${threads} thread(s)`, readies);
}

const [starts, samples] = process.argv.slice(2).map(Number);
if ([starts, samples].some((count) => Number.isNaN(count))) {
  process.stderr.write('usage: node scripts/uci-latency.mjs [STARTS] [SAMPLES]\n');
  process.exitCode = 2;
} else {
  await measureStarts(starts ?? 30);
  for (const threads of [1, 2]) await measureAnswers(threads, samples ?? 300);
}
