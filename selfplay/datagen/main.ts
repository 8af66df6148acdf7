// `npm run selfplay`: plays games of the engine against itself and records them in a folder.

import '../../engine/kernel-node.js';
import { dirname } from 'node:path';
import { control } from '../../engine/engine.js';
import { runOnly } from '../common/command-line.js';
import { UserError } from '../common/errors.js';
import { makeFolder, writeSummary } from '../common/files.js';
import { claimOutputs } from '../common/outputs.js';
import { interruptSignal, invocation } from '../common/program.js';
import { type ProgressDisplay, showProgress } from '../common/progress.js';
import { loadWeights, weightsFile } from '../common/weights.js';
import { type ConvertSettings, convert } from '../data/convert.js';
import { openBook } from '../games/book.js';
import { MANIFEST_FILE, readManifest } from '../records/manifest.js';
import { runSelfplay, type SelfplayProgress } from './run.js';
import { nodeLimits, SELFPLAY_OPTIONS, type SelfplayOptions, type SelfplaySettings } from './settings.js';

await runOnly('selfplay', 'play games of the engine against itself and record them', SELFPLAY_OPTIONS, selfplay);

async function selfplay(options: SelfplayOptions): Promise<void> {
  const { weights, openings, force, ...rest } = options;
  if (options.minPlies > options.maxPlies) {
    throw new UserError(`--min-plies must not exceed --max-plies: ${options.minPlies} and ${options.maxPlies}`, 2);
  }
  const settings: SelfplaySettings = {
    ...rest,
    ...nodeLimits(options),
    book: openings === undefined ? [] : await bookPositions(openings),
    weights: loadWeights(weights),
    command: [invocation('selfplay'), ...process.argv.slice(2)].join(' '),
  };
  const { out, pgn, positions, json } = settings;
  const run = { out, command: 'selfplay', mark: MANIFEST_FILE };
  const inputs = [weightsFile(weights), openings ?? []].flat();
  claimOutputs({ force, run, files: { pgn, positions, json }, inputs });
  control.now = () => performance.now();
  const signal = interruptSignal();
  let bar: ProgressDisplay | undefined;
  // The finished shards of a longer run count too, so the total may exceed --games
  const barTo = (total: number): ProgressDisplay => {
    bar ??= showProgress('self-play', total, 'games');
    return bar;
  };
  const progress = await runSelfplay(settings, {
    onProgress: (state) => barTo(state.total).update(state.games, describe(state)),
    onNote: (line) => barTo(settings.games).note(line),
    signal,
  }).finally(() => bar?.stop());
  if (progress.games < progress.total) {
    process.stderr.write(
      `stopped after ${progress.games} of ${progress.total} games; the same command continues the run\n`,
    );
    return;
  }
  process.stdout.write(
    `${progress.games} games, ${progress.positions} positions in ${settings.out} | ${describe(progress)}\n`,
  );
  const tags = new Map(Object.entries({ Event: out, White: 'Heft', Black: 'Heft' }));
  if (pgn !== undefined) await exportGames({ files: [out], out: pgn, to: 'pgn', tags });
  if (positions !== undefined) await exportGames({ files: [out], out: positions, to: 'bullet' });
  writeSummary(json, summaryOf(progress, out));
}

/** Exports all games of a run. Throws a UserError if a game is faulty. */
async function exportGames(settings: ConvertSettings): Promise<void> {
  makeFolder(dirname(settings.out));
  const { report } = await convert(settings);
  const [problem] = report.problems.messages;
  if (problem !== undefined) throw new UserError(problem);
}

async function bookPositions(file: string): Promise<string[]> {
  const book = await openBook({ file, order: 'sequential', plies: 16 }, 0);
  return Array.from({ length: book.size }, (_, i) => book.opening(i).fen);
}

// The figures of the whole run come first; `session` has the figures of this session
function summaryOf(progress: SelfplayProgress, out: string): object {
  const { games, positions, results, gamesThisSession, nodes, seconds } = progress;
  const session = { games: gamesThisSession, nodes, seconds };
  return { games, positions, results, seconds: readManifest(out).seconds, out, session };
}

function describe({ gamesThisSession, games, positions, nodes, seconds, results }: SelfplayProgress): string {
  const { wins, losses, draws } = results;
  const wld = `W ${wins} L ${losses} D ${draws}`;
  if (gamesThisSession === 0 || seconds === 0) return wld;
  const rate = gamesThisSession / seconds;
  const positionRate = Math.round(rate * (positions / games));
  return `${rate.toFixed(1)} games/s, ${positionRate} positions/s, ${Math.round(nodes / seconds / 1000)} knps | ${wld}`;
}
