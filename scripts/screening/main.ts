// npm run screening: the effects of all search parameters at once. Searches positions with random values of the parameters, compares scores
// and moves with deep searches, and prints a Markdown table. The same command continues an interrupted run.

import '../../engine/kernel-node.js';
import { benchSignature } from '../../selfplay/common/bench-signature.js';
import { runOnly } from '../../selfplay/common/command-line.js';
import { identityOf, list, real, type SettingsOf, text, whole } from '../../selfplay/common/options.js';
import { openBook } from '../../selfplay/games/book.js';
import { sha256OfFile } from '../../selfplay/records/shard.js';
import { type Factor, factorsOf, isSwitch } from './design.js';
import { combined, type Estimate, effectsOf } from './effects.js';
import { byPosition, searchAll, tasksOf } from './run.js';

const OPTIONS = {
  positions: text('EPD, FEN or PGN file; in a game, the position after --plies', { required: true }),
  plies: whole('plies of a PGN game before its position', { default: 40, identity: true }),
  count: whole('number of positions', { min: 2, default: 1000, identity: true }),
  nodes: whole('mean nodes per search', { min: 100, default: 80_000, identity: true }),
  rounds: whole('searches of each position', { min: 2, default: 40 }),
  references: whole('deep searches of each position', { min: 2, default: 3, identity: true }),
  'reference-nodes': whole('nodes per deep search', { min: 100, default: 500_000, identity: true }),
  step: real('distance of the values from the defaults, in steps of the declaration', {
    above: 0,
    default: 1.5,
    identity: true,
  }),
  only: list('parameters to vary', { defaultText: 'all but those of time management', identity: true }),
  hash: whole('hash table of each thread in MB', { min: 1, default: 16, identity: true }),
  seed: whole('seed of the values', { default: 1, identity: true }),
  workers: whole('number of threads', { min: 1, max: 256, default: 2 }),
  out: text('folder of the searches; a run in it is continued', { default: 'runs/screening' }),
};

type Arguments = SettingsOf<typeof OPTIONS>;

async function screen(args: Arguments): Promise<void> {
  const { nodes, referenceNodes, only, step, seed, references, rounds, hash, workers, out } = args;
  const factors = factorsOf(only, nodes, step);
  const fens = await positionsOf(args);
  const identity = {
    ...identityOf(OPTIONS, args),
    factors: Object.fromEntries(factors.map(({ name, low, high }) => [name, [low, high]])),
    positions: sha256OfFile(args.positions),
    bench: benchSignature(),
  };
  const tasks = tasksOf(fens, references, rounds);
  const data = { factors, seed, referenceNodes, hash };
  const answers = await searchAll({ out, identity, tasks, data, workers });
  process.stdout.write(table(factors, effectsOf(byPosition(answers, tasks), factors, seed)));
  if (answers.size < tasks.length) {
    process.stderr.write(`stopped after ${answers.size} of ${tasks.length} searches; the same command continues\n`);
    process.exitCode = 1;
  }
}

async function positionsOf({ positions: file, plies, count, seed }: Arguments): Promise<string[]> {
  const book = await openBook({ file, plies, order: 'random' }, seed);
  return Array.from({ length: Math.min(count, book.size) }, (_, index) => book.opening(index).fen);
}

/** Returns the table of the effects, the largest gains first, in per cent of a doubling of nodes. */
function table(factors: readonly Factor[], responses: readonly (readonly Estimate[] | null)[]): string {
  const known = responses.filter((estimates) => estimates !== null);
  if (known.length === 0)
    return 'Too few searches: even the effect of the nodes is within three standard errors. Raise --rounds.\n';
  const rows = factors.map((factor, at) => ({
    factor,
    estimates: responses.map((estimates) => estimates?.[at]),
    both: combined(known.map((estimates) => estimates[at])),
  }));
  const [, ...parameters] = rows;
  parameters.sort((a, b) => b.both.effect / b.both.error - a.both.effect / a.both.error);
  const lines = parameters.map(({ factor, estimates, both }) => {
    const { name, low, value, high } = factor;
    const values = isSwitch(factor) ? 'on' : `${low}, ${value}, ${high}`;
    return `| ${[name, values, ...[...estimates, both].map(percent)].join(' | ')} |\n`;
  });
  return `| parameter | values | score | move | both |\n|---|---|---|---|---|\n${lines.join('')}`;
}

const percent = (estimate: Estimate | undefined): string =>
  estimate === undefined ? '' : `${(100 * estimate.effect).toFixed(0)} ± ${(196 * estimate.error).toFixed(0)}`;

await runOnly('screening', 'measure the effects of all search parameters at once', OPTIONS, screen);
