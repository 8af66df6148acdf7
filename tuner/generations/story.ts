// The texts that a loop prints: the plan and the remaining time, verdicts with the course of the LLR, a summary, and commands for the new
// weights.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { invocation, shellLine } from '../../selfplay/common/program.js';
import { counted, signed, thousands } from '../../selfplay/common/wording.js';
import { EVENTS } from '../../selfplay/series/files.js';
import type { FitReport } from '../fit/result.js';
import { shippedGames } from '../weights/shipped-ledger.js';
import { isAccepted } from './acceptance.js';
import { bestBefore, hasEnded } from './ledger.js';
import type { GenerationEntry, Ledger } from './settings.js';
import { strengthsOf } from './strength.js';

/** Returns a time in words: `about 10 minutes`. */
export function aboutTime(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 90) return `about ${counted(minutes, 'minutes')}`;
  return `about ${Math.round(minutes / 60)} hours`;
}

/** Returns the plan of the loop. `steps` describe the stages of a generation; null if only the final match is left. */
export function planLines(
  { settings, generations }: Ledger,
  seconds: number,
  steps: readonly string[] | null,
): string[] {
  const { generations: most, finalGames, from } = settings;
  const done = generations.length;
  const final = finalGames === 0 ? [] : [`at most ${thousands(finalGames)} games against the shipped weights`];
  const learning =
    steps === null
      ? final
      : [
          `learn from ${from} in ${most === 1 ? 'one generation of' : `up to ${most} generations, each of`}`,
          ...steps.map((step, i) => `${step}${i < steps.length - 1 ? ',' : final.length > 0 ? ';' : ''}`),
          ...final.map((match) => `finally ${match}`),
        ];
  return [
    ...(done === 0 ? [] : [`continuing: ${done} of ${most} generations done`]),
    ...learning.map((line, i) => `${i === 0 ? 'plan:' : '     '} ${line}`),
    `time: ${aboutTime(seconds)}; Ctrl-C stops the run, and the same command continues it`,
  ];
}

/** Returns `accepted`, `rejected` or `undecided`. */
export function verdictOf({ match }: Pick<GenerationEntry, 'match'>): string {
  if (match === null) return 'undecided';
  return isAccepted(match) ? 'accepted' : match.verdict === 'H0' ? 'rejected' : 'undecided';
}

/** Returns the verdict on a generation, with the line of its match, or the reason why none was played. */
export function verdictWithReason(entry: Pick<GenerationEntry, 'match' | 'line'>): string {
  const { match, line } = entry;
  if (match === null) return line;
  const isAtCap = match.verdict === null && isAccepted(match);
  return `${verdictOf(entry)}${isAtCap ? ' (95 % interval above zero after the last game)' : ''}: ${line}`;
}

/** Returns the LLR at five points of the match in a folder, such as `0.41 → 0.73 → 1.20 → 2.05 → 2.96`, or '' if unknown. */
export function ratioCourse(folder: string): string {
  const file = join(folder, EVENTS);
  if (!existsSync(file)) return '';
  const pairs = readFileSync(file, 'utf8').matchAll(/"pairEnd".*"llr":([-+\d.e]+)/g);
  const ratios = [...pairs].map(([, ratio]) => Number(ratio));
  const last = ratios.length - 1;
  const points = [...new Set([1, 2, 3, 4, 5].map((fifth) => Math.round((fifth / 5) * last)))];
  return last < 0 ? '' : points.map((at) => ratios[at].toFixed(2)).join(' → ');
}

/** Returns the displayed digits of a weights hash, which suffice to recognise a repeated run. */
export const shownHash = (hash: string): string => hash.slice(0, 16);

/** Returns the results of an accepted generation against the pool, one line per opponent. */
export function poolLines({ pool }: Pick<GenerationEntry, 'pool'>): string[] {
  return pool.map(
    ({ opponent, wins, losses, draws, elo, eloError }) =>
      `  against ${opponent}: +${wins} -${losses} =${draws}, Elo ${elo.toFixed(0)} +/- ${eloError.toFixed(0)}`,
  );
}

/** Returns the reason why no match was played. */
export function unplayed({ claim }: Pick<FitReport, 'claim'>): string {
  return claim === null || claim.isProven ? 'the fit left the weights unchanged' : claim.text;
}

/** Returns a one-sentence summary of the loop so far. */
export function learnt(ledger: Pick<Ledger, 'settings' | 'generations' | 'runs' | 'final'>): string {
  const { settings, runs = [] } = ledger;
  const generations = [...ledger.generations, ...runs.flatMap((run) => run.generations)];
  const games = generations.reduce((sum, entry) => sum + entry.games, 0);
  const accepted = generations.filter((entry) => entry.accepted);
  const of = `${accepted.length} of ${generations.length} generations accepted`;
  const last = accepted.at(-1);
  if (last === undefined)
    return `No gain has been proven yet after ${counted(games, 'games')}: ${of}${lastMatch(generations)}.`;
  const shipped = shippedGames();
  const other = shipped > 0 ? `; the shipped weights took ${thousands(shipped)} games` : '';
  if (runs.length > 0)
    return `${counted(runs.length, 'runs')} from ${settings.from}, with ${thousands(games)} games in all, ${of}${other}.`;
  const { level, ratings } = strengthsOf(ledger);
  const ratingOf = (generation: number): string => signed(Math.round(ratings[generation].elo) || 0);
  const gain = `${ratingOf(last.generation)} ± ${ratings[last.generation].error.toFixed(0)} Elo`;
  // Zero is so weak that its later generations may still be below material
  const [start, against] = level === settings.from ? ['', ''] : [` at ${ratingOf(0)}`, ` against ${level}`];
  return `From ${settings.from}${start} to ${gain}${against} in ${thousands(games)} games, ${of}${other}.`;
}

/** Returns the score of the last match as a clause, or '' without one. */
function lastMatch(generations: readonly GenerationEntry[]): string {
  const match = generations.at(-1)?.match ?? null;
  return match === null ? '' : `; the last match ended +${match.wins} −${match.losses} =${match.draws}`;
}

/** Returns the paths of the loop's results, and the commands to use them. `isInstalled`: the weights are now the shipped weights. */
export function nextSteps(
  folder: string,
  build: string,
  { settings, generations, runs }: Pick<Ledger, 'settings' | 'generations' | 'runs'>,
  isInstalled = false,
): string[] {
  const weights = join(folder, 'weights.json');
  const courses = runs?.map((run) => run.generations) ?? [generations];
  const done = Math.max(...courses.map(({ length }) => length));
  const more = { ...settings, generations: Math.max(settings.generations, done + 1) };
  // An earlier command may have had a larger --patience than this one
  const idle = Math.max(...courses.map((course) => course.length - bestBefore(course, Number.POSITIVE_INFINITY)));
  const patience = courses.some((course) => hasEnded(more, course)) ? ` --patience ${idle + 2}` : '';
  const film = runs === undefined ? folder : join(folder, 'run-1');
  return [
    `weights:  ${weights}`,
    `report:   ${join(folder, 'report.html')}`,
    `film:     ${join(film, 'film.html')}`,
    `play:     node ${shellLine([join(resolve(build), 'engine/main.js')])}`,
    // With other shipped weights, the engine's bench differs, so it cannot continue this loop
    ...(isInstalled
      ? ['continue: the same command with --from shipped and another --out']
      : [
          `test:     ${invocation('match')} --candidate ${shellLine([weights])} --baseline shipped --nodes 10000 --sprt`,
          `continue: the same command with --generations ${more.generations}${patience}`,
        ]),
  ];
}
