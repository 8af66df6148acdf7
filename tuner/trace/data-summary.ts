// DataSummary: counts of read and excluded items, with reasons, and histograms of the positions used.

import { board } from '../../engine/board/position.js';
import { PIECE_LETTERS } from '../../engine/board/types.js';
import { counted, printable, thousands } from '../../selfplay/common/wording.js';
import { noLines } from '../../selfplay/positions/facts.js';
import { addSkipped, noneSkipped, SKIP_REASONS, type SkipReason } from './sample.js';

/** Counts of the games or labelled positions that were read. */
export type DataSummary = ReturnType<typeof emptySummary>;

/** The counts shown while data are read. They are separate, because the summaries are added up only at the end. */
export type ReadCounts = Pick<DataSummary, 'games' | 'kept'>;

const MAX_EXAMPLES = 100;
const SHOWN_EXAMPLES = 10;
const LENGTH_BIN = 20;
const LENGTH_BINS = 26;
const MAX_BALANCE = 5;
const COUNTS = ['games', 'whiteWins', 'draws', 'blackWins', 'positions', 'kept', 'bad'] as const;
const HISTOGRAMS = ['lengths', 'phases', 'men', 'balance'] as const;

/** Returns an empty summary. */
export function emptySummary() {
  return {
    /** Games, or blocks of labelled positions. */
    games: 0,
    whiteWins: 0,
    draws: 0,
    blackWins: 0,
    /** Positions in the data, and those used by the fit. */
    positions: 0,
    kept: 0,
    skipped: noneSkipped(),
    /** Games by length: fewer than 20 plies, fewer than 40, … */
    lengths: zeros(LENGTH_BINS),
    /** Kept positions by phase 0 to 24, by number of men, and by material: White ahead by -5 (or less) to 5 (or more) pawns. */
    phases: zeros(25),
    men: zeros(33),
    balance: zeros(2 * MAX_BALANCE + 1),
    /** Among the positions used: the number of distinct positions, of repeated ones, and of those with different results. */
    distinct: 0,
    repeated: 0,
    contradicting: 0,
    /** Locations of the first few contradictions. */
    contradictions: [] as string[],
    /** Line counts of labelled files. */
    lines: noLines(),
    /** Games excluded by the reader, by reason. */
    excluded: {} as Record<string, number>,
    /** Files by format, container, encoding and line endings. */
    formats: {} as Record<string, number>,
    /** Repairs of games by kind, and unknown Termination tags. */
    repairs: {} as Record<string, number>,
    terminations: {} as Record<string, number>,
    /** Number of faulty games and lines, and the first few with location and fault. */
    bad: 0,
    examples: [] as string[],
  };
}

/** Adds the counts of `more` to `sum`. */
export function addSummary(sum: DataSummary, more: DataSummary): void {
  for (const key of COUNTS) sum[key] += more[key];
  for (const key of HISTOGRAMS) {
    more[key].forEach((count, bin) => {
      sum[key][bin] += count;
    });
  }
  addSkipped(sum.skipped, more.skipped);
  sum.examples = [...sum.examples, ...more.examples].slice(0, MAX_EXAMPLES);
}

/** Counts a game: its plies, and its result in half points for White. */
export function countGame(dataSummary: DataSummary, plies: number, result: number): void {
  dataSummary.games++;
  dataSummary.positions += plies;
  dataSummary.lengths[Math.min(LENGTH_BINS - 1, Math.floor(plies / LENGTH_BIN))]++;
  countResult(dataSummary, result);
}

/** Counts a result, given in half points for White. */
export function countResult(dataSummary: DataSummary, result: number): void {
  if (result === 2) dataSummary.whiteWins++;
  else if (result === 1) dataSummary.draws++;
  else dataSummary.blackWins++;
}

/** Counts a fault, and stores the first hundred descriptions. */
export function countBad(dataSummary: DataSummary, description: string): void {
  dataSummary.bad++;
  if (dataSummary.examples.length < MAX_EXAMPLES) dataSummary.examples.push(description);
}

/** Value in pawns by piece type. */
const WORTH = [1, 3, 3, 5, 9, 0];

/** Counts the engine's current position among those used. */
export function countKept(dataSummary: DataSummary, phase: number): void {
  dataSummary.kept++;
  dataSummary.phases[phase]++;
  countMen(dataSummary, board);
}

/** Counts men and material of a position in FEN. */
export function countFen(dataSummary: DataSummary, fen: string): void {
  const pieces: number[] = [];
  for (let at = 0; at < fen.length && fen[at] !== ' '; at++) pieces.push(PIECE_LETTERS.indexOf(fen[at]));
  countMen(dataSummary, pieces);
}

/** Counts men and material; values other than pieces are empty squares. */
function countMen(dataSummary: DataSummary, pieces: ArrayLike<number>): void {
  let men = 0;
  let ahead = 0;
  for (let at = 0; at < pieces.length; at++) {
    const worth = WORTH[pieces[at] & 7];
    if (worth === undefined) continue;
    men++;
    ahead += (pieces[at] & 8) === 0 ? worth : -worth;
  }
  dataSummary.men[Math.min(32, men)]++;
  dataSummary.balance[Math.max(-MAX_BALANCE, Math.min(MAX_BALANCE, ahead)) + MAX_BALANCE]++;
}

/** Returns the summary as pairs of name and text, without the faults. */
export function summaryFacts(dataSummary: DataSummary): [name: string, text: string][] {
  const { games, whiteWins, draws, blackWins, positions, kept, skipped, distinct, excluded, lines } = dataSummary;
  const results = Math.max(1, whiteWins + draws + blackWins);
  const share = (count: number, of = results): string => `${((100 * count) / of).toFixed(1)}%`;
  const counts = (byName: Record<string, number>): string =>
    Object.entries(byName)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${thousands(count)} ${name}`)
      .join(', ');
  const leftOut = Object.entries(SKIP_REASONS).map(([reason, text]) => [text, skipped[reason as SkipReason]]);
  const unread = counts(excluded);
  const ended = `${counted(dataSummary.contradicting, 'positions')} from games that ended differently`;
  const { blank, comments, headers } = lines;
  const passed = `${thousands(blank)} blank, ${counted(comments, 'comments')}, ${counted(headers, 'headers')}`;
  const formats = Object.entries(dataSummary.formats)
    .map(([name, count]) => (count === 1 ? name : `${thousands(count)} files: ${name}`))
    .join('; ');
  const terminations = Object.entries(dataSummary.terminations)
    .slice(0, SHOWN_EXAMPLES)
    .map(([phrase, count]) => `"${printable(phrase)}" ${thousands(count)}`)
    .join(', ');
  const facts: [name: string, text: string | false][] = [
    ['data', `${counted(games, 'games')}, ${counted(positions, 'positions')}`],
    ['read as', formats],
    ['results', `White ${share(whiteWins)}, draws ${share(draws)}, Black ${share(blackWins)}`],
    ['used', counted(kept, 'positions')],
    ['left out', counts(Object.fromEntries(leftOut)) || 'none'],
    ['repeats', distinct > 0 && `${thousands(kept - distinct)} (${share(kept - distinct, kept)}), ${ended}`],
    ['lines', lines.lines > 0 && `${thousands(lines.lines)}, including ${passed}`],
    ['not read', unread !== '' && `games: ${unread}`],
    ['repaired', counts(dataSummary.repairs)],
    ['endings', terminations !== '' && `unknown Termination tags, games used anyway: ${terminations}`],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== false && fact[1] !== '');
}

/** Returns the progress of reading. The games of label files are counted only at the end. */
export const readingText = ({ games, kept }: ReadCounts): string =>
  `reading ${games === 0 ? '' : `${counted(games, 'games')}, `}${counted(kept, 'positions')}`;

/** Returns the summary as lines for the terminal, with its first faults. */
export function formatSummary(dataSummary: DataSummary): string {
  const { bad, examples } = dataSummary;
  const facts = summaryFacts(dataSummary);
  if (bad > 0) facts.push(['faults', `${thousands(bad)}, for example:`]);
  const shown = bad > 0 ? examples.slice(0, SHOWN_EXAMPLES).map((text): [string, string] => ['', text]) : [];
  return [...facts, ...shown].map(([name, text]) => name.padEnd(11) + text).join('\n');
}

const zeros = (length: number): number[] => Array.from({ length }, () => 0);
