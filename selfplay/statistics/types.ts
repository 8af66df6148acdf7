// The statistics of the counted games, as they appear in result.json, in the events and on the page.

import type { Counts } from '../common/game-result.js';
import type { SprtSettings } from './sprt.js';
import type { PairScore } from './tally.js';

/** Result of the counted games: statistics of a match or table of a tournament. */
export type SeriesStatistics = Statistics | TournamentStatistics;

/** Strength of a player against its opponent, estimated from counts; all values are finite. */
export interface EloFigures {
  /** Logistic Elo and the half-width of its 95 % interval; 0 and 0 without games. */
  elo: number;
  eloError: number;
  /** The same in normalized Elo. */
  nelo: number;
  neloError: number;
  /** Likelihood of superiority, 0 to 1. */
  los: number;
  /** Share of drawn games, or of drawn pairs (DD and WL). */
  drawRatio: number;
  /** Ratio of pairs (or games) won to lost. If none was lost, half a loss is assumed; if none was won either, the ratio is 1. */
  pairsRatio: number;
}

/** A match so far, from the first engine's side. */
export interface Statistics extends EloFigures, Counts {
  games: number;
  /** Wins, losses and draws of the first engine with White and with Black. */
  white: Counts;
  black: Counts;
  /** Pairs with 0, ½, 1, 1½, 2 points. */
  penta: PairScore['penta'];
  /** Log-likelihood ratio of the SPRT and its bounds; of the default SPRT if none was requested. */
  llr: number;
  lower: number;
  upper: number;
  sprt: SprtSettings | null;
  /** Decision of the SPRT; null without an SPRT or a decision. */
  verdict: 'H0' | 'H1' | null;
}

export interface Standing extends Counts {
  engine: string;
  games: number;
  points: number;
  /** The engine's games with White and with Black. */
  white: Counts;
  black: Counts;
  /** Maximum-likelihood rating and its 95 % error, with average 0 or on the scale of the anchors. */
  elo: number;
  eloError: number;
}

/** `standings` and `crosstable` are in order of score. An entry of the table has the results of the row's engine against the column's. */
export interface TournamentStatistics {
  games: number;
  standings: Standing[];
  crosstable: (Counts & { penta: number[] })[][];
}
