// What each part of the search is worth: node dist/scripts/ablation.js [GAMES] [NODES | TC] [FEATURE…]
// Plays the engine with a part switched off against the whole engine; prints a row of a Markdown table for each.

import { parseTimeControl } from '../selfplay/clock.js';
import { ownEngine } from '../selfplay/engine-spec.js';
import { runMatch } from '../selfplay/match.js';
import type { MatchSettings } from '../selfplay/match-settings.js';

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

const [games = '200', limit = '3000', ...chosen] = process.argv.slice(2);
const limits = /^\d+$/.test(limit)
  ? { nodes: Number(limit), margin: 0, stall: 60_000 }
  : { tc: parseTimeControl(limit, 'TC'), margin: 100, stall: 60_000 };
const adjudication = {
  draw: { moveNumber: 34, moveCount: 8, score: 20 },
  resign: { moveCount: 3, score: 600, twoSided: false },
  maxMoves: 1000,
};
const out = `runs/ablation-${limit.replaceAll('/', '-')}`;

const engine = (name: string, values: Record<string, number>): MatchSettings['engines'][number] => {
  const spec = ownEngine('shipped', { name });
  const options = Object.fromEntries(Object.entries(values).map(([param, value]) => [param, String(value)]));
  return { spec: { ...spec, args: [...spec.args, '--tune-options'], options }, limits };
};

for (const [part, values] of Object.entries(PARTS)) {
  if (chosen.length > 0 && !chosen.includes(part)) continue;
  const { elo, eloError, wins, losses, draws } = await runMatch(
    {
      engines: [engine('whole', {}), engine(`without ${part}`, values)],
      openings: { file: 'books/heft.epd', order: 'sequential', plies: 8 },
      adjudication,
      chess960: false,
      seed: 1,
      games: Number(games),
      concurrency: 2,
      out: `${out}/${part.replaceAll(' ', '-')}`,
    },
    {
      onProgress: () => {},
      onWarning: (text) => process.stderr.write(`${text}\n`),
      signal: new AbortController().signal,
    },
  );
  process.stdout.write(`| ${part} | ${elo.toFixed(0)} ± ${eloError.toFixed(0)} | +${wins} -${losses} =${draws} |\n`);
}
