// Plays a match or tournament and shows it in the terminal: an introduction, a live table, the report, and the command to continue. Also
// starts the live page.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LiveDisplay } from '../common/live-display.js';
import { interruptSignal } from '../common/program.js';
import { foldAlike } from '../common/progress.js';
import { describeLimits } from '../games/clock.js';
import type { PageServer } from '../live/server.js';
import { JOURNAL } from '../series/journal.js';
import { describePace } from '../series/pace-control.js';
import type { SeriesHooks, SeriesSummary } from '../series/series.js';
import type { SeriesSettings } from '../series/settings.js';
import { type MatchResult, type MatchSettings, runMatch } from './match.js';
import type { MatchOptions } from './options.js';
import { incidentLines, reportLines, showMatch, verdictLine } from './report.js';
import { continuation } from './saved-command.js';

/** Options of the display, and the time limit. */
export type PlayOptions = Pick<MatchOptions, 'page' | 'budget' | 'ratinginterval'>;

interface Play<Figures> {
  settings: SeriesSettings;
  options: PlayOptions;
  games: number;
  title: string;
  run: (hooks: SeriesHooks<Figures>) => Promise<SeriesSummary & Figures>;
  show: (display: LiveDisplay, result: () => SeriesSummary & Figures, games: number) => void;
  report: (result: SeriesSummary & Figures) => string[];
  end: (result: SeriesSummary & Figures) => string;
}

/** Plays the match and prints its report. */
export function playMatch(settings: MatchSettings, options: PlayOptions = {}): Promise<MatchResult> {
  const { games, sprt } = settings;
  return play({
    settings,
    options,
    games,
    title: sprt === undefined ? `${games} games` : `SPRT [${sprt.elo0}, ${sprt.elo1}], at most ${games} games`,
    run: (hooks) => runMatch(settings, hooks),
    show: (display, result, gamesToPlay) => showMatch(display, result(), gamesToPlay),
    report: (result) => [`Results of ${result.engines.join(' vs ')}:`, ...reportLines(result)],
    end: (result) => verdictLine(result, sprt),
  });
}

/** Plays a match or tournament and prints its report. */
export async function play<Figures>(run: Play<Figures>): Promise<SeriesSummary & Figures> {
  const { settings, games, title, show } = run;
  const { ratinginterval, budget } = run.options;
  const { engines, workers, out = '' } = settings;
  const display = new LiveDisplay();
  const sides = engines.map(({ spec, limits }) => `${spec.name ?? spec.command} (${describeLimits(limits)})`);
  display.note(`${sides.join(' - ')}: ${title}, ${workers} at a time, in ${out}`);
  const page = await openPage(run.options.page, settings, title, games);
  if (page !== null) display.note(`Live page: ${page.address}`);
  const interrupt = interruptSignal();
  const timeUp = budget === undefined ? undefined : AbortSignal.timeout(budget);
  const signal = timeUp === undefined ? interrupt : AbortSignal.any([interrupt, timeUp]);
  // Reports printed by the interrupted run are not repeated
  let printed: number | null = null;
  const result = await run.run({
    signal,
    wantsMoves: page !== null,
    onProgress: (now, counted) => {
      const intervals = Math.floor(counted / (ratinginterval ?? Number.POSITIVE_INFINITY));
      if (intervals > (printed ?? intervals)) for (const line of run.report(now())) display.note(line);
      printed = intervals;
      show(display, now, games);
    },
    onEvent: (event) => {
      if (event.type === 'pace') display.note(describePace(event));
      page?.take(event);
    },
    onWarning: foldAlike((message) => display.note(`warning: ${message}`)),
  });
  display.clear();
  const isOutOfTime = timeUp?.aborted === true && !interrupt.aborted && !result.finished;
  const end = isOutOfTime ? 'Out of time' : run.end(result);
  await page?.close(end);
  for (const line of [...run.report(result), ...incidentLines(result, out), end]) console.log(line);
  if (result.finished) console.log(`Games and result: ${out}`);
  else if (existsSync(join(out, JOURNAL))) console.log(continuation(out));
  return result;
}

/** Returns the live page, or null without `--page`. Throws a UserError if the port is taken. */
async function openPage(
  address: PlayOptions['page'],
  settings: SeriesSettings,
  title: string,
  gamesToPlay: number,
): Promise<PageServer | null> {
  if (address === undefined) return null;
  // Imported only if needed, because the drawing code takes time to load
  const { PageServer } = await import('../live/server.js');
  const { engines, out = '', chess960, workers } = settings;
  const sides = engines.map(({ spec, limits }) => {
    const options = Object.entries(spec.options).map(([name, option]) => `${name}=${option}`);
    return [describeLimits(limits), ...options].join(', ');
  });
  const server = new PageServer({ title, engines: sides, gamesToPlay, folder: out, chess960, workers });
  await server.listen(address.port, address.orAny);
  return server;
}
