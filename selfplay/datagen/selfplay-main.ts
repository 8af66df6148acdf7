// npm run selfplay: games of the engine against itself, recorded in a folder.

import '../../engine/kernel-node.js';
import { control } from '../../engine/engine.js';
import { commandLine, runCommand, UserError, wholeNumber, writeSummary } from '../common/cli.js';
import { showProgress } from '../common/progress.js';
import { loadWeights } from '../common/weights.js';
import { NO_ADJUDICATION, parseDrawRule, parseResignRule } from '../games/adjudication.js';
import { openBook } from '../games/book.js';
import { parseTimeControl } from '../games/clock.js';
import { exportPgn, exportPositions, POSITION_FORMATS, type PositionFormat } from '../records/export.js';
import { readManifest } from '../records/manifest.js';
import { runSelfplay, type SelfplayProgress } from './selfplay.js';
import type { SelfplaySettings } from './selfplay-settings.js';

const options = commandLine('selfplay', '[options]').options({
  games: { type: 'number', default: 1000, describe: 'games to play in all' },
  nodes: { type: 'number', default: 5000, describe: 'soft limit: no new iteration after so many nodes a move' },
  'hard-nodes': { type: 'number', describe: 'nodes a move never to exceed  [8 times --nodes]' },
  tc: {
    type: 'string',
    describe: 'play by the clock instead, such as 1+0.08 (seconds); games are then not reproducible',
  },
  seed: { type: 'number', default: 1, describe: 'same seed, same games' },
  workers: { type: 'number', default: 2, describe: 'threads that play' },
  out: { type: 'string', default: 'runs/selfplay', describe: 'folder of the records; a run in it is continued' },
  weights: { type: 'string', default: 'shipped', describe: 'shipped, material, or a weights file' },
  openings: { type: 'string', describe: 'book of start positions: EPD, FEN or PGN, plain or .gz' },
  'min-plies': { type: 'number', default: 8, describe: 'least random plies before a game' },
  'max-plies': { type: 'number', default: 9, describe: 'most random plies before a game' },
  'keep-lost': { type: 'boolean', default: false, describe: 'keep openings that a short search finds lost' },
  jitter: {
    type: 'number',
    default: 0,
    describe: 'random centipawns added to the tables, anew in each game, for variety',
  },
  hash: { type: 'number', default: 4, describe: 'MiB of transposition table for each worker' },
  draw: { type: 'string', describe: 'adjudicate draws, such as "movenumber=40 movecount=8 score=10"' },
  resign: { type: 'string', describe: 'adjudicate wins, such as "movecount=4 score=1000"' },
  pgn: { type: 'string', describe: 'also write the games to this PGN file' },
  positions: { type: 'string', describe: 'also write every position with its result to this text file' },
  'positions-format': {
    choices: Object.keys(POSITION_FORMATS) as PositionFormat[],
    default: 'bullet' as PositionFormat,
    describe: 'a line of --positions: FEN [1.0], EPD c9, or FEN | cp | 1.0',
  },
  json: { type: 'string', describe: 'write a summary for scripts to this file' },
});

async function main(): Promise<void> {
  const args = await options.parseAsync();
  if (args['help'] === true) return;
  const nodes = wholeNumber('nodes', args.nodes, 1);
  const plies: [number, number] = [
    wholeNumber('min-plies', args['min-plies'], 0, 100),
    wholeNumber('max-plies', args['max-plies'], args['min-plies'], 100),
  ];
  const tc = args.tc === undefined ? null : parseTimeControl(args.tc);
  if (tc !== null && tc.moves > 0) throw new UserError('--tc of self-play takes time+increment, such as 1+0.08', 2);
  const settings: SelfplaySettings = {
    games: wholeNumber('games', args.games, 1),
    seed: wholeNumber('seed', args.seed, 0),
    workers: wholeNumber('workers', args.workers, 1, 256),
    hash: wholeNumber('hash', args.hash, 1, 2048),
    out: args.out,
    nodes: tc === null ? nodes : null,
    hardNodes: tc === null ? wholeNumber('hard-nodes', args['hard-nodes'] ?? 8 * nodes, nodes) : null,
    clock: tc === null ? null : { time: tc.time, increment: tc.increment },
    plies,
    book: args.openings === undefined ? [] : await bookPositions(args.openings),
    jitter: wholeNumber('jitter', args.jitter, 0, 200),
    rejectLost: !args['keep-lost'],
    adjudication: {
      ...NO_ADJUDICATION,
      ...(args.draw === undefined ? {} : { draw: parseDrawRule(args.draw) }),
      ...(args.resign === undefined ? {} : { resign: parseResignRule(args.resign) }),
    },
    weights: loadWeights(args.weights),
    command: ['npm run selfplay --', ...process.argv.slice(2)].join(' '),
  };
  control.now = () => performance.now();

  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const bar = showProgress('self-play', settings.games);
  const progress = await runSelfplay(settings, {
    onProgress: (state) => bar.update(state.games, describe(state)),
    onNote: (note) => process.stderr.write(`${note}\n`),
    signal: stop.signal,
  }).finally(() => bar.stop());
  if (progress.games < settings.games) {
    process.stderr.write(`stopped after ${progress.games} of ${settings.games} games; the same command continues\n`);
    process.exitCode = 130;
    return;
  }
  process.stdout.write(
    `${progress.games} games, ${progress.positions} positions in ${settings.out} | ${describe(progress)}\n`,
  );
  if (args.pgn !== undefined) await exportPgn(settings.out, args.pgn);
  if (args.positions !== undefined) await exportPositions(settings.out, args.positions, args['positions-format']);
  writeSummary(args.json, summaryOf(progress, settings.out));
}

async function bookPositions(file: string): Promise<string[]> {
  const book = await openBook({ file, order: 'sequential', plies: 16 }, 0);
  return Array.from({ length: book.size }, (_, i) => book.opening(i).fen);
}

// The whole run first, then what this session did of it
function summaryOf({ games, positions, results, ...session }: SelfplayProgress, out: string): object {
  const { gamesThisSession, nodes, seconds } = session;
  return {
    ...{ games, positions, results, seconds: readManifest(out).seconds, out },
    session: { games: gamesThisSession, nodes, seconds },
  };
}

function describe({ gamesThisSession, games, positions, nodes, seconds, results }: SelfplayProgress): string {
  const { wins, losses, draws } = results;
  const wld = `W ${wins} L ${losses} D ${draws}`;
  if (gamesThisSession === 0 || seconds === 0) return wld;
  const rate = gamesThisSession / seconds;
  const positionRate = Math.round(rate * (positions / games));
  return `${rate.toFixed(1)} games/s, ${positionRate} positions/s, ${Math.round(nodes / seconds / 1000)} knps | ${wld}`;
}

await runCommand(main);
