// npm run depth-time: searches each bench position to a depth from a clean state with a table of 64 MB. Prints the total and median time,
// the nodes, and the effective branching factor: the geometric mean of the growth of the nodes over the last six plies.

import '../engine/kernel-node.js';
import { parseFen } from '../engine/board/fen.js';
import { POSITIONS } from '../engine/commands/bench.js';
import { control, newGame, search, setHashSize } from '../engine/engine.js';
import { MAX_PLY } from '../engine/search/score.js';
import { runOnly } from '../selfplay/common/command-line.js';
import { type SettingsOf, whole } from '../selfplay/common/options.js';

const LAST_PLIES = 6;
/** Minimum nodes at the earlier depth for a growth factor: below it the position is mate or nearly so. */
const LEAST_NODES = 1000;

const OPTIONS = {
  depth: whole({ min: LAST_PLIES + 1, max: MAX_PLY - 1, default: 18, help: 'plies to search each position' }),
};

function measure({ depth }: SettingsOf<typeof OPTIONS>): void {
  control.now = () => performance.now();
  setHashSize(64);
  const times: number[] = [];
  const totals: number[] = [];
  const growths: number[] = [];
  for (const fen of POSITIONS) {
    newGame();
    parseFen(fen);
    let early = 0;
    const start = performance.now();
    const { nodes } = search({ depth }, (info) => {
      if (info.depth === depth - LAST_PLIES) early = info.nodes;
    });
    times.push(performance.now() - start);
    totals.push(nodes);
    if (early >= LEAST_NODES) growths.push(Math.log(nodes / early) / LAST_PLIES);
  }
  process.stdout.write(
    [
      `depth ${depth}, ${POSITIONS.length} positions`,
      `time: ${(sum(times) / 1000).toFixed(1)} s in all, median ${(median(times) / 1000).toFixed(2)} s`,
      `nodes: ${sum(totals)} in all, median ${median(totals)}`,
      `effective branching factor: ${Math.exp(sum(growths) / growths.length).toFixed(2)} (${growths.length} positions)`,
      '',
    ].join('\n'),
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];

await runOnly('depth-time', 'measure a search of the bench positions', OPTIONS, measure);
