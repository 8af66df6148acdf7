// What each part of the search is worth: npm run ablation. Plays the whole engine against itself without a part, for one part after
// another, and prints a row of a Markdown table for each. The same command continues a run that was broken off.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, runCommand, UserError, wholeNumber } from '../selfplay/cli.js';
import { type Limits, parseTimeControl } from '../selfplay/clock.js';
import { ownEngine } from '../selfplay/engine-spec.js';
import { runMatch } from '../selfplay/match.js';
import type { Competitor } from '../selfplay/match-settings.js';
import { projectFile } from '../selfplay/places.js';

/** The parts, and the values of the search parameters that switch them off. */
const PARTS: Readonly<Record<string, Record<string, number>>> = {
  'aspiration windows': { aspirationDepth: 128 },
  'reverse futility': { rfpDepth: 0 },
  razoring: { razorDepth: 0 },
  'null move': { nmpDepth: 128 },
  'no null move far above beta': { nmpMost: 2000 },
  'null move verification': { nmpVerifyDepth: 128 },
  ProbCut: { pcDepth: 128 },
  'internal iterative reduction': { iirDepth: 128 },
  'singular extensions': { seDepth: 128 },
  'late move pruning': { lmpDepth: 0 },
  futility: { fpDepth: 0 },
  'futility of captures': { cfDepth: 0 },
  'history pruning': { hpDepth: 0 },
  'SEE pruning': { seeDepth: 0 },
  'late move reduction': { lmrDepth: 128 },
  'correction histories': { corrPawns: 0, corrPieces: 0, corrMove: 0 },
  'time management': { tmStabilityBase: 100, tmStabilityStep: 0, tmScoreDrop: 0, tmNodesBase: 100, tmNodesShare: 0 },
};

const BOOK = fileURLToPath(projectFile('books/heft.epd'));

/** Ends games that are decided: the parts are compared, not the endgame technique. */
const ADJUDICATION = {
  draw: { moveNumber: 34, moveCount: 8, score: 20 },
  resign: { moveCount: 3, score: 600, twoSided: false },
  maxMoves: 1000,
};

/** ms an answer may be late by a clock, and those after which an engine has stalled. */
const PATIENCE = { margin: 100, stall: 60_000 };

interface Arguments {
  help?: boolean;
  games: number;
  nodes: number;
  tc?: string;
  only: string[];
  seed: number;
  concurrency: number;
  out: string;
}

async function main(): Promise<void> {
  const args = commandLine('ablation', '[options]')
    .option('games', { type: 'number', default: 400, desc: 'games of each part, an even number' })
    .option('nodes', { type: 'number', default: 3000, desc: 'nodes a move' })
    .option('tc', { type: 'string', desc: 'a clock in seconds, as in 1+0.01, instead of nodes' })
    .option('only', { type: 'string', array: true, default: Object.keys(PARTS), desc: 'the parts to switch off' })
    .option('seed', { type: 'number', default: 1, desc: 'decides the openings' })
    .option('concurrency', { type: 'number', default: 2, desc: 'games at a time' })
    .option('out', { type: 'string', default: 'runs/ablation', desc: 'folder of the games' })
    .parseSync() as unknown as Arguments;
  if (args.help === true) return;
  if (wholeNumber('games', args.games, 2) % 2 !== 0) throw new UserError('--games is an even number', 2);
  const unknown = args.only.find((part) => !Object.hasOwn(PARTS, part));
  if (unknown !== undefined) throw new UserError(`--only takes ${Object.keys(PARTS).join(', ')}; not '${unknown}'`, 2);

  const limits: Limits =
    args.tc === undefined
      ? { ...PATIENCE, nodes: wholeNumber('nodes', args.nodes, 1) }
      : { ...PATIENCE, tc: parseTimeControl(args.tc) };
  for (const part of args.only) process.stdout.write(`${await row(part, limits, args)}\n`);
}

/** Plays the match of the whole engine against that without the part. */
async function row(part: string, limits: Limits, args: Arguments): Promise<string> {
  const pace = (args.tc ?? `${args.nodes} nodes`).replace('/', ' in ');
  const result = await runMatch({
    engines: [competitor('whole', {}, limits), competitor(`without ${part}`, PARTS[part], limits)],
    openings: { file: BOOK, order: 'sequential', plies: 8 },
    adjudication: ADJUDICATION,
    chess960: false,
    seed: wholeNumber('seed', args.seed, 0),
    games: args.games,
    concurrency: wholeNumber('concurrency', args.concurrency, 1),
    out: join(args.out, `${pace}, without ${part}`.replaceAll(/[ ,]+/g, '-')),
  });
  if (!result.finished) throw new UserError('interrupted: the same command continues');
  const [failure] = result.failures;
  if (failure !== undefined) throw new UserError(`${failure.engine} failed: ${failure.reason}`);
  const { elo, eloError, wins, losses, draws } = result;
  return `| ${part} | ${elo.toFixed(0)} ± ${eloError.toFixed(0)} | +${wins} -${losses} =${draws} |`;
}

function competitor(name: string, values: Record<string, number>, limits: Limits): Competitor {
  const spec = ownEngine('shipped', { name });
  const options = Object.fromEntries(Object.entries(values).map(([param, value]) => [param, String(value)]));
  return { spec: { ...spec, args: [...spec.args, '--tune-options'], options }, limits };
}

await runCommand(main);
