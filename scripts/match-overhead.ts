// How many games an hour this match runner plays beside fastchess: the same engines, openings and limits, so (at fixed nodes)
// the same games, in turns. Prints both times of every turn and the ratio; the times include starting and ending the runner.
//   node dist/scripts/match-overhead.js [--games 100] [--turns 3] [--nodes 200] [--concurrency 2] [--first CMD] [--second CMD]

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { randomOpenings } from '../selfplay/games/openings.js';

const { values } = parseArgs({
  options: {
    games: { type: 'string', default: '100' },
    turns: { type: 'string', default: '3' },
    nodes: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '2' },
    first: { type: 'string', default: fileURLToPath(new URL('../engine/main.js', import.meta.url)) },
    second: { type: 'string', default: fileURLToPath(new URL('../engine/main.js', import.meta.url)) },
    fastchess: { type: 'string', default: 'fastchess' },
  },
});

const { games, nodes, concurrency, first, second } = values;
const folder = mkdtempSync(join(tmpdir(), 'heft-overhead-'));
const book = join(folder, 'book.epd');

function ours(turn: number): string[] {
  const main = fileURLToPath(new URL('../selfplay/match/main.js', import.meta.url));
  return [
    ...[process.execPath, main, '--engine', `cmd=${first}`, 'name=A', '--engine', `cmd=${second}`, 'name=B'],
    ...['--nodes', nodes, '--games', games, '--concurrency', concurrency, '--openings', book, '--order', 'sequential'],
    ...['--out', join(folder, `ours-${turn}`)],
  ];
}

function theirs(turn: number): string[] {
  return [
    ...[values.fastchess, '-engine', `cmd=${first}`, 'name=A', '-engine', `cmd=${second}`, 'name=B', '-each'],
    ...[`nodes=${nodes}`, 'proto=uci', '-rounds', String(Number(games) / 2), '-games', '2', '-repeat', '-recover'],
    ...['-concurrency', concurrency, '-openings', `file=${book}`, 'format=epd', 'order=sequential'],
    ...['-config', `outname=${join(folder, 'config.json')}`],
    ...['-pgnout', `file=${join(folder, `theirs-${turn}.pgn`)}`, '-ratinginterval', '0', '-force-concurrency'],
    // Its own patience with a busy machine is ten seconds
    ...['-startup-ms', '60000'],
  ];
}

/** Returns the wall-clock seconds of a command. */
function timed([command, ...args]: string[]): number {
  const start = performance.now();
  const { status, error, stderr, stdout } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0)
    throw new Error(`${command} failed: ${error?.message ?? ''}${stdout.slice(-500)}${stderr.slice(-2000)}`);
  return (performance.now() - start) / 1000;
}

const results = (file: string): string =>
  (readFileSync(file, 'utf8').match(/^\[Result "(.*)"\]$/gm) ?? []).sort().join();

try {
  const source = randomOpenings(1, 8);
  const lines = Array.from({ length: Number(games) / 2 }, (_, pair) => source.opening(pair).fen);
  writeFileSync(book, `${lines.join('\n')}\n`);
  const ratios: number[] = [];
  for (let turn = 0; turn < Number(values.turns); turn++) {
    const [a, b] = [timed(ours(turn)), timed(theirs(turn))];
    ratios.push(b / a);
    const same = results(join(folder, `ours-${turn}/games.pgn`)) === results(join(folder, `theirs-${turn}.pgn`));
    const note = same ? 'same results' : 'OTHER RESULTS';
    console.log(
      `turn ${turn + 1}: ours ${a.toFixed(1)} s, fastchess ${b.toFixed(1)} s, games an hour x${(b / a).toFixed(3)}, ${note}`,
    );
  }
  ratios.sort((a, b) => a - b);
  console.log(`games an hour, ours over fastchess's: median x${ratios[ratios.length >> 1].toFixed(3)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
