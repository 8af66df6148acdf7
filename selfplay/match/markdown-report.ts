// The report of a match as Markdown, for pull requests and job summaries: the verdict, the figures in the form used in commit messages, and
// failures.

import { readFileSync, statSync } from 'node:fs';
import type { UserError } from '../common/errors.js';
import { isFile, tailOf, writeFileAtomic } from '../common/files.js';
import { BuildError } from '../engines/commanded-builds.js';
import { describeLimits } from '../games/clock.js';
import type { SeriesSettings } from '../series/settings.js';
import type { MatchResult, MatchSettings } from './match.js';
import { conclusion, failureLines, reportLines } from './report.js';
import { type TournamentResult, tournamentLines } from './tournament.js';

/** First line, which identifies a report. */
const MARKER = '<!-- heft-tools match -->';
/** Maximum number of bytes quoted from the end of a build log. */
const LOG_END = 4000;

/** Returns the report of a match, finished or not. */
export function matchMarkdown(settings: MatchSettings, result: MatchResult): string {
  const [first, second] = result.engines.map(inline);
  const test = settings.sprt;
  const question = test === undefined ? 'Match' : `SPRT [${test.elo0}, ${test.elo1}]`;
  const { verdict, finished } = result;
  const end = test === undefined ? 'finished' : 'finished without a decision';
  const state = finished ? end : 'not finished yet; the next run continues it';
  const mark = verdict === 'H1' ? '✅ passed' : '❌ failed';
  const answer = verdict === null ? state : `${mark}: ${conclusion(verdict, [first, second], test)}`;
  return report(`${question} ${answer}`, [
    `${first} against ${second}, ${limitsOf(settings)}.`,
    fenced(reportLines(result)),
    ...failures(result),
  ]);
}

/** Returns the report of a tournament, finished or not. */
export function tournamentMarkdown(settings: SeriesSettings, result: TournamentResult): string {
  const state = result.finished ? 'finished' : 'not finished yet; the next run continues it';
  return report(`Tournament ${state}`, [
    `${limitsOf(settings)}.`,
    fenced(tournamentLines(result)),
    ...failures(result),
  ]);
}

/** Returns the report of a match that ended with an error, with the end of the build log if the build failed. */
export function failureMarkdown(error: UserError): string {
  const log = error instanceof BuildError ? [fenced(endOf(error.log))] : [];
  return report('The match could not be played', [fenced([error.message]), ...log]);
}

/** Returns whether the file contains an earlier report and may be overwritten. */
export function isReport(file: string | undefined): boolean {
  return file !== undefined && isFile(file) && readFileSync(file, 'utf8').startsWith(MARKER);
}

/** Writes a report if `file` is given. */
export function writeMarkdown(file: string | undefined, text: string): void {
  if (file !== undefined) writeFileAtomic(file, text);
}

function report(title: string, parts: readonly string[]): string {
  return `${[MARKER, `### ${title}`, ...parts].join('\n\n')}\n`;
}

function limitsOf({ engines, openings }: SeriesSettings): string {
  const limits = [...new Set(engines.map((engine) => describeLimits(engine.limits)))].join(' against ');
  return `${limits}, openings ${openings === undefined ? 'of random moves' : inline(openings)}`;
}

function failures(result: Pick<MatchResult, 'failures'>): string[] {
  const lines = failureLines(result);
  return lines.length === 0 ? [] : ['**Games lost through engine failures:**', fenced(lines)];
}

// Names and messages come from engines and commits, so Markdown is escaped
const inline = (text: string): string => `\`${text.replaceAll('`', "'").replace(/\s+/g, ' ')}\``;

function fenced(lines: readonly string[]): string {
  const text = lines.join('\n');
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

function endOf(log: string): string[] {
  const lines = tailOf(log, LOG_END)
    .replace(/[^\P{Cc}\n\t]/gu, '?')
    .trimEnd()
    .split('\n');
  return statSync(log).size > LOG_END ? ['…', ...lines.slice(1)] : lines;
}
