// npm run scaling: strength at several node counts. Plays two engines against each other at equal nodes, or one engine at 2N nodes per move
// against itself at N, and prints a Markdown table. The same command continues an interrupted run.

import '../engine/kernel-node.js';
import { join } from 'node:path';
import { runOnly } from '../selfplay/common/command-line.js';
import { UserError } from '../selfplay/common/errors.js';
import { scoreOf } from '../selfplay/common/game-result.js';
import { type SettingsOf, text, whole, wholeNumbers, wordLists } from '../selfplay/common/options.js';
import { thousands } from '../selfplay/common/wording.js';
import { parseEngine } from '../selfplay/engines/spec.js';
import type { MatchResult } from '../selfplay/match/match.js';
import { DEFAULT_LIMITS } from '../selfplay/series/game-settings.js';
import type { Competitor } from '../selfplay/series/settings.js';
import { slopeOf } from '../selfplay/statistics/elo.js';
import { BOOK, countsText, eloText, playStudyMatch, studyOptions } from './study-match.js';

/** Adjudicates decided games. */
const ADJUDICATION = {
  draw: { moveNumber: 40, moveCount: 8, score: 10 },
  resign: { moveCount: 4, score: 700, twoSided: true },
};

const OPTIONS = {
  engine: wordLists(
    'engine, same syntax as in npm run match: cmd=, weights=, option.NAME=…; one engine plays itself at twice the nodes, two engines play each other at equal nodes',
    { defaultText: 'shipped' },
  ),
  nodes: wholeNumbers('nodes per move in each match', {
    default: [5_000, 20_000, 80_000, 160_000],
    defaultText: '5000,20000,80000,160000',
  }),
  games: whole('games per match', { min: 2, even: true, default: 200 }),
  hash: whole('hash table size of each engine in MB', { min: 1, default: 64 }),
  openings: text('opening book, EPD or PGN', { default: BOOK, defaultText: 'books/heft.epd' }),
  ...studyOptions('scaling'),
};

async function scale(args: SettingsOf<typeof OPTIONS>): Promise<void> {
  const { engine = ['weights=shipped'], nodes, hash, openings, games, seed, workers, out } = args;
  if (engine.length > 2) throw new UserError('--engine: give one engine or two', 2);
  const results: MatchResult[] = [];
  for (const count of nodes) {
    const competitors = competitorsAt(engine, count, hash);
    const folder = join(out, `${count}-nodes`);
    const match = { engines: competitors, openings, games, seed, workers, out: folder };
    const result = await playStudyMatch({ ...ADJUDICATION, ...match, order: 'sequential' });
    if (results.length === 0) process.stdout.write(head(competitors));
    process.stdout.write(row(count, result));
    results.push(result);
  }
  if (engine.length === 2) process.stdout.write(growth(nodes, results));
}

/** Returns two engines at equal nodes, or one engine with twice the nodes against itself. */
function competitorsAt(engines: readonly string[], nodes: number, hash: number): Competitor[] {
  const [first, second = first] = engines.map((words) => {
    const { spec, limits } = parseEngine(words);
    // Each match has its own number of nodes
    if (Object.keys(limits).length > 0)
      throw new UserError(`--engine: no limits allowed in '${words}'; use --nodes`, 2);
    return spec;
  });
  return [first, second].map((spec, index) => {
    const isDoubled = engines.length === 1 && index === 0;
    return {
      spec: {
        ...spec,
        options: { Hash: String(hash), ...spec.options },
        ...(engines.length === 1 && { name: `${spec.name ?? 'engine'} ${isDoubled ? '2N' : 'N'}` }),
      },
      limits: { ...DEFAULT_LIMITS, nodes: isDoubled ? 2 * nodes : nodes },
    };
  });
}

function head(engines: readonly Competitor[]): string {
  const [first, second] = engines.map(({ spec }) => spec.name ?? spec.command);
  return `${first} against ${second}\n\n| nodes per move | score | Elo | games |\n|---|---|---|---|\n`;
}

function row(nodes: number, result: MatchResult): string {
  const score = `${(100 * scoreOf(result)).toFixed(1)} %`;
  return `| ${[thousands(nodes), score, eloText(result), countsText(result)].join(' | ')} |\n`;
}

/** Returns a line with the first engine's Elo gain over the second per doubling of nodes. */
function growth(nodes: readonly number[], results: readonly MatchResult[]): string {
  const points = results.map(({ elo, eloError }, i) => ({ x: Math.log2(nodes[i]), y: elo, error: eloError }));
  const line = slopeOf(points);
  return line === null ? '' : `\nElo per doubling: ${line.slope.toFixed(1)} ± ${line.error.toFixed(1)}\n`;
}

await runOnly('scaling', 'measure how strength grows with nodes', OPTIONS, scale);
