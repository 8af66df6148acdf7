// Options, opening book and result format of the studies that play matches, and a function that plays a match and throws an error on Ctrl-C
// or an engine failure.

import { fileURLToPath } from 'node:url';
import { UserError } from '../selfplay/common/errors.js';
import type { Counts } from '../selfplay/common/game-result.js';
import { text, whole } from '../selfplay/common/options.js';
import { interruptSignal, projectFile } from '../selfplay/common/program.js';
import { type MatchResult, type MatchSettings, runMatch } from '../selfplay/match/match.js';
import { DEFAULT_GAMES } from '../selfplay/series/game-settings.js';

/** Balanced openings, because unbalanced ones hide differences. */
export const BOOK = fileURLToPath(projectFile('books/heft.epd'));

/** Returns the options common to all studies; `name` is the study's folder below runs/. */
export const studyOptions = (name: string) => ({
  seed: whole('seed for the openings', { default: 1 }),
  workers: whole('games in parallel', { min: 1, default: 2, alias: 'concurrency' }),
  out: text('folder for the games; an existing run is continued', { default: `runs/${name}` }),
});

let signal: AbortSignal | undefined;

/** Plays or continues a match, with the balanced openings by default; throws a UserError after an interrupt or an engine failure. */
export async function playStudyMatch(
  settings: Pick<MatchSettings, 'engines' | 'games' | 'seed' | 'workers' | 'out'> & Partial<MatchSettings>,
): Promise<MatchResult> {
  signal ??= interruptSignal();
  const result = await runMatch({ ...DEFAULT_GAMES, openings: BOOK, ...settings }, { signal });
  if (!result.finished) throw new UserError('interrupted; the same command continues the run');
  const [failure] = result.failures;
  if (failure !== undefined) throw new UserError(`${failure.engine} failed: ${failure.reason}`);
  return result;
}

/** Returns the Elo of a match with its error. */
export const eloText = ({ elo, eloError }: Pick<MatchResult, 'elo' | 'eloError'>): string =>
  `${elo.toFixed(0)} ± ${eloError.toFixed(0)}`;

/** Returns the games won, lost and drawn: `+60 -40 =100`. */
export const countsText = ({ wins, losses, draws }: Counts): string => `+${wins} -${losses} =${draws}`;
