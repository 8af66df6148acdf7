// Counts of what was read and what was left out of it, with its reasons, and histograms of the positions kept.

import { board } from '../../engine/board/position.js';
import { type LineCounts, noLines } from '../../selfplay/records/labelled.js';
import { addSkipped, noneSkipped, SKIP_REASONS, type Skipped } from './sample.js';

/** Counts over games or labelled positions, as read. */
export interface DataSummary {
  /** Games, or blocks of labelled positions. */
  games: number;
  whiteWins: number;
  draws: number;
  blackWins: number;
  /** Positions in the data. */
  positions: number;
  /** Positions that the fit sees. */
  kept: number;
  skipped: Skipped;
  /** Games by length: less than 20 plies, less than 40, … */
  lengths: number[];
  /** Kept positions by phase 0 to 24, by number of men, and by material: White ahead by -5 (or less) to 5 (or more) pawns. */
  phases: number[];
  men: number[];
  balance: number[];
  /** Among the kept: different positions, those that occur more than once, and those whose games ended differently. */
  distinct: number;
  repeated: number;
  contradicting: number;
  /** Places of the first few contradictions. */
  contradictions: string[];
  /** Of files of labelled positions. */
  lines: LineCounts;
  /** Games that a reader left out, by its reason. */
  excluded: Record<string, number>;
  /** Games and lines with something wrong in them. */
  bad: number;
  /** The first few of them, each with its place and fault. */
  examples: string[];
}

const MAX_EXAMPLES = 100;
const SHOWN_EXAMPLES = 10;
const LENGTH_BIN = 20;
const LENGTH_BINS = 26;
const MAX_BALANCE = 5;
const COUNTS = ['games', 'whiteWins', 'draws', 'blackWins', 'positions', 'kept', 'bad'] as const;
const HISTOGRAMS = ['lengths', 'phases', 'men', 'balance'] as const;

/** Returns a summary of nothing. */
export function emptySummary(): DataSummary {
  return {
    games: 0,
    whiteWins: 0,
    draws: 0,
    blackWins: 0,
    positions: 0,
    kept: 0,
    skipped: noneSkipped(),
    lengths: zeros(LENGTH_BINS),
    phases: zeros(25),
    men: zeros(33),
    balance: zeros(2 * MAX_BALANCE + 1),
    distinct: 0,
    repeated: 0,
    contradicting: 0,
    contradictions: [],
    lines: noLines(),
    excluded: {},
    bad: 0,
    examples: [],
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

/** Counts a game's or position's result, in half points for White. */
export function countResult(dataSummary: DataSummary, result: number): void {
  if (result === 2) dataSummary.whiteWins++;
  else if (result === 1) dataSummary.draws++;
  else dataSummary.blackWins++;
}

/** Counts something unusable, keeping the first few descriptions. */
export function countBad(dataSummary: DataSummary, description: string, count = 1): void {
  dataSummary.bad += count;
  if (dataSummary.examples.length < MAX_EXAMPLES) dataSummary.examples.push(description);
}

/** Counts a game of so many plies. */
export function countLength(dataSummary: DataSummary, plies: number): void {
  dataSummary.lengths[Math.min(LENGTH_BINS - 1, Math.floor(plies / LENGTH_BIN))]++;
}

/** Pawns a piece is worth, by type. */
const WORTH = [1, 3, 3, 5, 9, 0];

/** Counts the present position of the engine among the kept ones. */
export function countKept(dataSummary: DataSummary, phase: number): void {
  let men = 0;
  let ahead = 0;
  for (let square = 0; square < 64; square++) {
    const worth = WORTH[board[square] & 7];
    if (worth === undefined) continue;
    men++;
    ahead += (board[square] & 8) === 0 ? worth : -worth;
  }
  dataSummary.kept++;
  dataSummary.phases[phase]++;
  dataSummary.men[men]++;
  dataSummary.balance[Math.max(-MAX_BALANCE, Math.min(MAX_BALANCE, ahead)) + MAX_BALANCE]++;
}

const REASON_TEXT: Readonly<Record<keyof Skipped, string>> = {
  opening: 'opening and book plies',
  inCheck: 'in check',
  noisy: 'noisy best move',
  mate: 'mate score',
  score: 'score too large',
  decided: 'decided games',
  illegal: 'against the rules',
  sampling: 'not sampled',
  known: 'known endgames',
};

/** Returns the summary as lines for the terminal. */
export function formatSummary(dataSummary: DataSummary): string {
  const { games, whiteWins, draws, blackWins, positions, kept, skipped, excluded, bad, examples } = dataSummary;
  const results = whiteWins + draws + blackWins;
  const share = (count: number): string => `${((100 * count) / Math.max(1, results)).toFixed(1)}%`;
  const left = SKIP_REASONS.filter((reason) => skipped[reason] > 0).map(
    (reason) => `${format(skipped[reason])} ${REASON_TEXT[reason]}`,
  );
  const unread = Object.entries(excluded).map(([reason, count]) => `${format(count)} ${reason}`);
  const repeats = dataSummary.kept - dataSummary.distinct;
  const lines = [
    `data       ${format(games)} games, ${format(positions)} positions`,
    `results    White ${share(whiteWins)}, draws ${share(draws)}, Black ${share(blackWins)}`,
    `used       ${format(kept)} positions`,
    `left out   ${left.join(', ') || 'none'}`,
  ];
  if (dataSummary.distinct > 0) {
    const ended = `${format(dataSummary.contradicting)} positions with games that ended differently`;
    lines.push(`repeats    ${format(repeats)} (${((100 * repeats) / kept).toFixed(1)}%), ${ended}`);
  }
  const { blank, comments, headers, lines: read } = dataSummary.lines;
  if (read > 0) {
    const passed = [`${format(blank)} blank`, `${format(comments)} comments`, `${format(headers)} headers`];
    lines.push(`lines      ${format(read)}, of them ${passed.join(', ')}`);
  }
  if (unread.length > 0) lines.push(`not read   games: ${unread.join(', ')}`);
  if (bad > 0)
    lines.push(`faults     ${format(bad)}, for example:`, ...examples.slice(0, SHOWN_EXAMPLES).map(indented));
  return lines.join('\n');
}

const indented = (line: string): string => `           ${line}`;
const zeros = (length: number): number[] => Array.from({ length }, () => 0);
const format = (count: number): string => count.toLocaleString('en-US');
