// What the data look like and what became of them: nothing is left out without being counted.

import { addSkipped, noneSkipped, SKIP_REASONS, type Skipped } from './sample.js';

/** Counts over games or labelled positions, as read. */
export interface Portrait {
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
  /** Games that a reader left out, by its reason. */
  excluded: Record<string, number>;
  /** Games and lines with something wrong in them. */
  bad: number;
  /** The first few of them, each with its place and fault. */
  examples: string[];
}

const MAX_EXAMPLES = 10;

/** Returns a portrait of nothing. */
export function emptyPortrait(): Portrait {
  return {
    games: 0,
    whiteWins: 0,
    draws: 0,
    blackWins: 0,
    positions: 0,
    kept: 0,
    skipped: noneSkipped(),
    excluded: {},
    bad: 0,
    examples: [],
  };
}

/** Adds the counts of `more` to `sum`. */
export function addPortrait(sum: Portrait, more: Portrait): void {
  for (const key of ['games', 'whiteWins', 'draws', 'blackWins', 'positions', 'kept', 'bad'] as const) {
    sum[key] += more[key];
  }
  addSkipped(sum.skipped, more.skipped);
  sum.examples = [...sum.examples, ...more.examples].slice(0, MAX_EXAMPLES);
}

/** Counts a game's or position's result, in half points for White. */
export function countResult(portrait: Portrait, result: number): void {
  if (result === 2) portrait.whiteWins++;
  else if (result === 1) portrait.draws++;
  else portrait.blackWins++;
}

/** Counts something unusable, keeping the first few descriptions. */
export function countBad(portrait: Portrait, description: string, count = 1): void {
  portrait.bad += count;
  if (portrait.examples.length < MAX_EXAMPLES) portrait.examples.push(description);
}

const REASON_TEXT: Readonly<Record<keyof Skipped, string>> = {
  opening: 'opening plies',
  inCheck: 'in check',
  noisy: 'noisy best move',
  mate: 'mate score',
  score: 'score too large',
  illegal: 'against the rules',
  sampling: 'not sampled',
};

/** Returns the portrait as lines for the terminal. */
export function formatPortrait(portrait: Portrait): string {
  const { games, whiteWins, draws, blackWins, positions, kept, skipped, excluded, bad, examples } = portrait;
  const results = whiteWins + draws + blackWins;
  const share = (count: number): string => `${((100 * count) / Math.max(1, results)).toFixed(1)}%`;
  const left = SKIP_REASONS.filter((reason) => skipped[reason] > 0).map(
    (reason) => `${format(skipped[reason])} ${REASON_TEXT[reason]}`,
  );
  const unread = Object.entries(excluded).map(([reason, count]) => `${format(count)} ${reason}`);
  const lines = [
    `data       ${format(games)} games, ${format(positions)} positions`,
    `results    White ${share(whiteWins)}, draws ${share(draws)}, Black ${share(blackWins)}`,
    `used       ${format(kept)} positions`,
    `left out   ${left.join(', ') || 'none'}`,
  ];
  if (unread.length > 0) lines.push(`not read   games: ${unread.join(', ')}`);
  if (bad > 0) lines.push(`faults     ${format(bad)}, for example:`, ...examples.map((line) => `           ${line}`));
  return lines.join('\n');
}

const format = (count: number): string => count.toLocaleString('en-US');
