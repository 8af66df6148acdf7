// npm run pruning-audit: measures the error rates of the search's pruning rules. It searches positions with the kernel's audit module,
// which also searches a sample of the pruned nodes and moves, and prints one Markdown table per node count.

import '../engine/kernel-node.js';
import { readFileSync } from 'node:fs';
import { parseFen } from '../engine/board/fen.js';
import { POSITIONS } from '../engine/commands/bench.js';
import { control, newGame, search } from '../engine/engine.js';
import { kernelModules } from '../engine/kernel-node.js';
import * as A from '../engine/search/audit-counts.js';
import { useCompiled } from '../engine/search/kernel.js';
import { tryTable } from '../engine/search/tt/memory.js';
import { runOnly } from '../selfplay/common/command-line.js';
import { UserError } from '../selfplay/common/errors.js';
import { choice, type SettingsOf, text, whole, wholeNumbers } from '../selfplay/common/options.js';
import { projectFile } from '../selfplay/common/program.js';
import { thousands } from '../selfplay/common/wording.js';
import { openBook } from '../selfplay/games/book.js';
import { shareError } from '../selfplay/statistics/elo.js';

const OPTIONS = {
  nodes: wholeNumbers('nodes per search; one table for each value', {
    default: [20_000, 1_000_000],
    defaultText: '20000,1000000',
  }),
  positions: text('EPD, FEN or PGN file; from a PGN game, the position after --plies is used', {
    defaultText: 'the positions of bench',
  }),
  plies: whole('number of plies into a PGN game at which the position is taken', { default: 40 }),
  count: whole('number of positions', { min: 1, defaultText: 'all' }),
  every: whole('sampling interval: one in N uses of a rule is verified', { min: 1, max: 1_000_000_000, default: 64 }),
  by: choice('rows of the tables', ['depth', 'margin'], { default: 'depth' }),
  hash: whole('hash table in MB', { min: 1, default: 64 }),
};

type Arguments = SettingsOf<typeof OPTIONS>;

interface Counts {
  uses: number;
  tests: number;
  errors: number;
  nodes: number;
}

/** Ranges of depth in plies, one per row. */
const DEPTHS = [
  [1, 2],
  [3, 4],
  [5, 6],
  [7, 8],
  [9, 12],
  [13, 31],
];

async function audit(args: Arguments): Promise<void> {
  const positions = await positionsOf(args);
  const code = readFileSync(projectFile('dist/engine/kernel/audit.wasm'));
  useCompiled({ ...kernelModules(), search: new WebAssembly.Module(code) });
  control.now = () => performance.now();
  if (!tryTable(args.hash, () => {}))
    throw new UserError(`not enough memory for a hash of ${args.hash} MB; reduce --hash`);
  for (const nodes of args.nodes) {
    A.counts.fill(0);
    Object.assign(A.sampling, { sample: 0, every: args.every, testedPly: 0 });
    for (const fen of positions) {
      newGame();
      parseFen(fen);
      search({ nodes });
    }
    process.stdout.write(table(nodes, positions.length, args));
  }
}

async function positionsOf({ positions: file, plies, count }: Arguments): Promise<string[]> {
  if (file === undefined) return POSITIONS.slice(0, count);
  const book = await openBook({ file, plies, order: 'sequential' }, 0);
  return Array.from({ length: Math.min(count ?? book.size, book.size) }, (_, index) => book.opening(index).fen);
}

function table(nodes: number, positions: number, { by }: Arguments): string {
  const head = [
    `${thousands(nodes)} nodes, ${positions} positions`,
    '',
    `| rule | ${by} | uses | tests | wrong, % | nodes per test |`,
    '|---|---|---|---|---|---|',
  ];
  const rows = A.PRUNING_RULES.flatMap(({ name, margin }, rule) => {
    const ranges = by === 'depth' ? DEPTHS : Array.from({ length: A.MARGINS }, (_, at) => [at, at]);
    const counted = ranges.map(([from, to]) => ({ label: label(from, to), ...countsOf(rule, by, from, to) }));
    const shown = counted.filter(({ tests }) => tests > 0);
    return shown.map((counts, i) =>
      row(i > 0 ? '' : by === 'margin' && margin !== '' ? `${name} (${margin})` : name, counts),
    );
  });
  return `${[...head, ...rows].join('\n')}\n\n`;
}

const label = (from: number, to: number): string => (from === to ? `${from}` : `${from}–${to}`);

function countsOf(rule: number, by: 'depth' | 'margin', from: number, to: number): Counts {
  const counts = { uses: 0, tests: 0, errors: 0, nodes: 0 };
  for (let depth = 0; depth < A.DEPTHS; depth++) {
    for (let margin = 0; margin < A.MARGINS; margin++) {
      const place = by === 'depth' ? depth : margin;
      if (place < from || place > to) continue;
      const at = 4 * ((rule * A.DEPTHS + depth) * A.MARGINS + margin);
      counts.uses += A.counts[at + A.USES];
      counts.tests += A.counts[at + A.TESTS];
      counts.errors += A.counts[at + A.ERRORS];
      counts.nodes += A.counts[at + A.TEST_NODES];
    }
  }
  return counts;
}

function row(name: string, { label, uses, tests, errors, nodes }: Counts & { label: string }): string {
  const wrong = `${((100 * errors) / tests).toFixed(1)} ± ${(100 * shareError(errors, tests)).toFixed(1)}`;
  return `| ${[name, label, uses, tests, wrong, (nodes / tests).toFixed(0)].join(' | ')} |`;
}

await runOnly('pruning-audit', 'measure how often pruning is wrong', OPTIONS, audit);
