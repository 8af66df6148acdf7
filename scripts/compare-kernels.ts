// Holds the two kernels to the same tree: npm run compare-kernels -- --suite FILE
// Bench signature, perft of the bench positions, lines and node counts of positions of a suite, and self-play games byte for byte, each
// with JavaScript and with WebAssembly. Some minutes; `npm test` does a small part of it. With --speed also nodes a second of CPU time.

import '../engine/flags.js';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { parseFen } from '../engine/board/fen.js';
import { bench, POSITIONS } from '../engine/commands/bench.js';
import { control, newGame, search, setHashSize } from '../engine/engine.js';
import { kernelModules } from '../engine/kernel-node.js';
import { kernel, useJs, useWasm } from '../engine/search/kernel.js';
import { runOnly } from '../selfplay/common/command-line.js';
import { UserError } from '../selfplay/common/errors.js';
import { removeLeftovers } from '../selfplay/common/leftovers.js';
import { type SettingsOf, text, whole } from '../selfplay/common/options.js';

const PERFT_DEPTH = 4;
const SPEED_DEPTH = 11;
const SELFPLAY = fileURLToPath(new URL('../selfplay/datagen/main.js', import.meta.url));
const modules = kernelModules();

/** Prints whether the work comes to the same with both kernels; exit code 1 if it does not. */
function compare(what: string, work: () => unknown): void {
  useJs();
  const js = work();
  useWasm(modules);
  report(what, isDeepStrictEqual(work(), js));
}

function report(what: string, isSame: boolean): void {
  process.stdout.write(`${isSame ? 'same' : 'DIFFERENT'}: ${what}\n`);
  if (!isSame) process.exitCode = 1;
}

/** Prints nodes a second of this process's CPU time, each kernel in turn, and the ratio of the medians. */
function measureSpeed(rounds: number): void {
  control.now = () => performance.now();
  const rates: Record<string, number[]> = { js: [], wasm: [] };
  for (let round = -1; round < rounds; round++) {
    for (const target of ['js', 'wasm']) {
      if (target === 'js') useJs();
      else useWasm(modules);
      const before = process.cpuUsage();
      const { nodes } = bench(SPEED_DEPTH);
      const { user, system } = process.cpuUsage(before);
      // The first round warms up
      if (round >= 0) rates[target].push(nodes / (user + system));
    }
  }
  const [js, wasm] = ['js', 'wasm'].map((target) => rates[target].toSorted((a, b) => a - b)[rounds >> 1]);
  process.stdout.write(
    `bench ${SPEED_DEPTH}, medians of ${rounds}: js ${js.toFixed(2)}, wasm ${wasm.toFixed(2)} million nodes a second of CPU time, ratio ${(wasm / js).toFixed(2)}\n`,
  );
}

function readSuite(file: string, count: number): string[] {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`cannot read ${file}: ${(error as Error).message}`);
  }
  const [head, ...rows] = content.trimEnd().split('\n');
  const column = head.split('\t').indexOf('fen');
  if (column < 0) throw new UserError(`${file}: its first line names no column "fen"`);
  const every = Math.max(1, Math.floor(rows.length / count));
  return rows
    .map((row, i) => ({ fen: row.split('\t')[column] ?? '', line: i + 2 }))
    .filter((_, i) => i % every === 0)
    .slice(0, count)
    .map(({ fen, line }) => {
      try {
        parseFen(fen);
      } catch (error) {
        throw new UserError(`${file}:${line}: ${(error as Error).message}`);
      }
      return fen;
    });
}

function searchAll(fens: readonly string[], nodes: number): unknown[] {
  setHashSize(16);
  newGame();
  return fens.map((fen) => {
    parseFen(fen);
    const lines: unknown[] = [];
    const result = search({ nodes }, ({ time: _, ...line }) => lines.push(line));
    return { fen, result, lines };
  });
}

/** Returns the record files of self-play with a kernel. */
function play(target: string, games: number, folder: string): Record<string, string> {
  const out = join(folder, target);
  const args = [SELFPLAY, '--games', `${games}`, '--nodes', '1000', '--seed', '18', '--out', out];
  const { status } = spawnSync(process.execPath, args, {
    env: { ...process.env, HEFT_KERNEL: target },
    stdio: 'ignore',
  });
  if (status !== 0) throw new UserError(`self-play with HEFT_KERNEL=${target} failed`);
  const records = readdirSync(out).filter((name) => name.endsWith('.vf'));
  return Object.fromEntries(records.map((name) => [name, readFileSync(join(out, name), 'hex')]));
}

const OPTIONS = {
  suite: text({ required: true, help: 'tab-separated positions with a column "fen"' }),
  positions: whole({ min: 1, default: 200, help: 'positions of the suite, evenly spread' }),
  nodes: whole({ min: 1, default: 50_000, help: 'nodes for each position' }),
  games: whole({ min: 1, default: 40, help: 'self-play games' }),
  speed: whole({ default: 0, help: 'rounds of measuring the speed' }),
};

function compareAll(args: SettingsOf<typeof OPTIONS>): void {
  const fens = readSuite(args.suite, args.positions);

  if (args.speed > 0) measureSpeed(args.speed);
  compare('bench', () => bench().nodes);
  compare(`perft ${PERFT_DEPTH} of ${POSITIONS.length} positions`, () =>
    POSITIONS.map((fen) => {
      parseFen(fen);
      return kernel.perft(PERFT_DEPTH, true, 0);
    }),
  );
  compare(`${fens.length} positions of ${args.suite} at ${args.nodes} nodes`, () => searchAll(fens, args.nodes));

  removeLeftovers(tmpdir(), /^heft-kernels-(\d+)-/);
  const folder = mkdtempSync(join(tmpdir(), `heft-kernels-${process.pid}-`));
  try {
    const [js, wasm] = ['js', 'wasm'].map((target) => play(target, args.games, folder));
    report(`${args.games} self-play games`, Object.keys(js).length > 0 && isDeepStrictEqual(js, wasm));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await runOnly('compare-kernels', 'hold JavaScript and WebAssembly to the same tree', OPTIONS, compareAll);
