// `npm run selfplay`: plays games of the engine against itself and records them in a folder.

import '../../engine/kernel-node.js';
import { dirname } from 'node:path';
import { formatFen } from '../../engine/board/fen.js';
import { control } from '../../engine/engine.js';
import { runOnly } from '../common/command-line.js';
import { UserError } from '../common/errors.js';
import { makeFolder, replaceFile, writeSummary } from '../common/files.js';
import { claimOutputs } from '../common/outputs.js';
import { interruptSignal, invocation } from '../common/program.js';
import { showProgress } from '../common/progress.js';
import { loadWeights } from '../common/weights.js';
import { openBook } from '../games/book.js';
import { formatLabelled } from '../positions/labelled.js';
import { readRecords } from '../records/game-reader.js';
import { readManifest } from '../records/manifest.js';
import { formatPgn, pgnOfRecord } from '../records/pgn.js';
import { type GameRecord, replay, UNSCORED } from '../records/record.js';
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
  claimOutputs({ force, out, files: { pgn, positions, json } });
  control.now = () => performance.now();
  const signal = interruptSignal();
  const bar = showProgress('self-play', settings.games, 'games');
  const progress = await runSelfplay(settings, {
    onProgress: (state) => bar.update(state.games, describe(state)),
    onNote: bar.note,
    signal,
  }).finally(() => bar.stop());
  if (progress.games < settings.games) {
    process.stderr.write(`stopped after ${progress.games} of ${settings.games} games; the same command continues\n`);
    return;
  }
  process.stdout.write(
    `${progress.games} games, ${progress.positions} positions in ${settings.out} | ${describe(progress)}\n`,
  );
  if (pgn !== undefined) await exportPgn(out, pgn);
  if (positions !== undefined) await exportPositions(out, positions);
  writeSummary(json, summaryOf(progress, out));
}

async function bookPositions(file: string): Promise<string[]> {
  const book = await openBook({ file, order: 'sequential', plies: 16 }, 0);
  return Array.from({ length: book.size }, (_, i) => book.opening(i).fen);
}

// First the figures of the whole run, then those since this start
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

// Export of a run's games as PGN, or as labelled positions, one per line (`FEN | centipawns | 1.0`).

/** Writes the run's games atomically to a PGN file. Uses the engine's position. */
function exportPgn(folder: string, file: string): Promise<void> {
  return writeGames(folder, file, (game, number) => {
    const tags = { event: folder, round: String(number), white: 'Heft', black: 'Heft' };
    return formatPgn({ ...pgnOfRecord(game), ...tags });
  });
}

/** Writes every recorded position of the run with its score and its game's result, one per line, atomically. Uses the engine's position. */
function exportPositions(folder: string, file: string): Promise<void> {
  return writeGames(folder, file, (game, number) => {
    let text = '';
    replay(
      game,
      (_, scoreWhite) => {
        const score = scoreWhite === UNSCORED ? null : scoreWhite;
        text += `${formatLabelled({ fen: formatFen(), result: game.result / 2, score })}\n`;
      },
      { index: number - 1 },
    );
    return text;
  });
}

async function writeGames(
  folder: string,
  file: string,
  textOf: (game: GameRecord, number: number) => string,
): Promise<void> {
  makeFolder(dirname(file));
  await replaceFile(file, async (write) => {
    let number = 0;
    for await (const game of readRecords([folder])) write(textOf(game, ++number));
  });
}
