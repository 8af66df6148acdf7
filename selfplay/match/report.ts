// The result of a match as text, in the format of fastchess, with the failures of engines.

import { type Counts, pointsOf, scoreOf } from '../common/game-result.js';
import type { LiveDisplay, Row } from '../common/live-display.js';
import { counted, formatTime } from '../common/wording.js';
import { type GameFailure, MAX_TRANSCRIPTS, TRANSCRIPTS } from '../series/incidents.js';
import type { SeriesSummary } from '../series/series.js';
import type { SprtSettings } from '../statistics/sprt.js';
import type { Statistics } from '../statistics/types.js';
import type { MatchResult } from './match.js';

/** Returns the lines that report a result's statistics. */
export function reportLines(result: Statistics): string[] {
  const { games, wins, losses, draws, penta } = result;
  const share = (100 * scoreOf(result)).toFixed(2);
  const pairsRatio = `PairsRatio: ${result.pairsRatio.toFixed(2)}`;
  return [
    `Elo: ${withError(result.elo, result.eloError)}, nElo: ${withError(result.nelo, result.neloError)}`,
    `LOS: ${(100 * result.los).toFixed(2)} %, DrawRatio: ${(100 * result.drawRatio).toFixed(2)} %, ${pairsRatio}`,
    `Games: ${games}, Wins: ${wins}, Losses: ${losses}, Draws: ${draws}, Points: ${pointsOf(result)} (${share} %)`,
    colourLine(result),
    `Ptnml(0-2): [${penta.join(', ')}]`,
    ...llrLines(result),
  ];
}

// `White: +60 -40 =100 (55.00 %), Black: …`
function colourLine({ white, black }: Statistics): string {
  const side = (counts: Counts): string =>
    `+${counts.wins} -${counts.losses} =${counts.draws} (${(100 * scoreOf(counts)).toFixed(2)} %)`;
  return `White: ${side(white)}, Black: ${side(black)}`;
}

// The likelihood ratio with its bounds and hypotheses: `LLR: 2.91 (-2.25, 2.89) [0.00, 3.00]`
function llrLines(statistics: Statistics): string[] {
  const { sprt } = statistics;
  if (sprt === null) return [];
  const model = sprt.model === 'normalized' ? '' : `, ${sprt.model}`;
  return [`LLR: ${ratio(statistics)} [${sprt.elo0.toFixed(2)}, ${sprt.elo1.toFixed(2)}]${model}`];
}

function ratio({ llr, lower, upper }: Statistics): string {
  return `${llr.toFixed(2)} (${lower.toFixed(2)}, ${upper.toFixed(2)})`;
}

/** Returns the conclusion from an accepted hypothesis as a clause. With a negative bound, the SPRT is a non-regression test. */
export function conclusion(hypothesis: 'H0' | 'H1', engines: readonly string[], sprt?: SprtSettings): string {
  const [first, second] = engines;
  const { elo0, elo1, model } = sprt ?? { elo0: 0, elo1: 1 };
  if (hypothesis === 'H0') return `${first} is ${elo1 > 0 ? 'not stronger' : 'weaker'} than ${second}`;
  const unit = model === 'normalized' ? 'normalized Elo' : 'Elo';
  return `${first} is ${elo0 < 0 ? `at most ${-elo0} ${unit} weaker` : 'stronger'} than ${second}`;
}

/** Returns the SPRT's decision as text, or the end of the match if there is no decision. */
export function verdictLine(result: MatchResult, sprt?: SprtSettings): string {
  const { verdict, engines } = result;
  if (verdict !== null) return `SPRT: ${verdict} was accepted: ${conclusion(verdict, engines, sprt)}`;
  if (!result.finished) return 'Interrupted';
  return sprt !== undefined ? 'SPRT: no decision within the maximum number of games' : 'Finished';
}

/** Returns a line per engine and kind of failure, with its first game. */
export function failureLines({ failures }: Pick<MatchResult, 'failures'>): string[] {
  const kinds = new Map<string, { first: GameFailure; count: number }>();
  for (const failure of failures) {
    const kind = `${failure.engine}: ${failure.termination}`;
    const { first, count } = kinds.get(kind) ?? { first: failure, count: 0 };
    kinds.set(kind, { first, count: count + 1 });
  }
  return [...kinds].map(
    ([kind, { first, count }]) => `${kind} ${count}x, first in game ${first.game}: ${first.reason}`,
  );
}

/** Returns the endings, failures, remarks and repetitions of the games; `out` is the run's folder. */
export function incidentLines(
  summary: Pick<SeriesSummary, 'endings' | 'failures' | 'remarks' | 'repeatedPairs'>,
  out: string,
): string[] {
  const endings = Object.entries(summary.endings).sort(([, a], [, b]) => b - a);
  const lines = endings.length === 0 ? [] : [`Endings: ${endings.map(([how, games]) => `${how} ${games}`).join(', ')}`];
  lines.push(...failureLines(summary));
  if (summary.failures.length > 0) {
    const isCut = summary.failures.length > MAX_TRANSCRIPTS;
    const limit = isCut
      ? ` (at most ${MAX_TRANSCRIPTS} games per engine each time the run is started or continued)`
      : '';
    lines.push(`Input and output of engines that failed: ${out}/${TRANSCRIPTS}/${limit}`);
  }
  for (const { engine, text, games, game } of summary.remarks) {
    lines.push(`${engine} ${text}: in ${counted(games, 'games')}, first in game ${game}`);
  }
  if (summary.repeatedPairs > 0) {
    lines.push(
      `Repeated pairs: ${summary.repeatedPairs}, move for move; they are counted, but the error is understated`,
    );
  }
  return lines;
}

/** Shows a running match. */
export function showMatch(display: LiveDisplay, result: MatchResult, gamesToPlay: number): void {
  const { games, engines } = result;
  const bar = (): Row => ({ label: 'games', share: games / gamesToPlay, text: pace(result, gamesToPlay).join(' | ') });
  display.update(
    () => [engines.join(' - '), bar(), ...reportLines(result), ...failureLines(result)],
    () => statusLine(result, gamesToPlay),
  );
}

/** Returns the status in one line: games, result so far, speed. */
export function statusLine(result: MatchResult, gamesToPlay: number): string {
  const { wins, losses, draws, elo, eloError, sprt } = result;
  const [games, ...speed] = pace(result, gamesToPlay);
  const test = sprt === null ? '' : `, LLR ${ratio(result)}`;
  const figures = `+${wins} -${losses} =${draws}, Elo ${withError(elo, eloError)}${test}`;
  return [`${games} games`, ...speed.slice(0, 1), figures, ...speed.slice(1)].join(', ');
}

// The ETA is an upper limit, because an SPRT may end early
function pace({ games, seconds }: MatchResult, gamesToPlay: number): string[] {
  const played = `${games}/${gamesToPlay}`;
  if (games === 0 || seconds === 0) return [played];
  const left = formatTime((seconds / games) * (gamesToPlay - games));
  return [played, `ETA ${left}`, `${Math.round((3600 * games) / seconds)} games/h`];
}

const withError = (value: number, error: number): string => `${value.toFixed(2)} +/- ${error.toFixed(2)}`;
