// The two messages that the server sends and the page draws, `run` and `boards`. Types only, because the page is compiled for a
// browser.

import type { SeriesStatistics } from '../statistics/types.js';

/** What is known of a run before it starts. */
export interface RunDescription {
  /** `SPRT [0, 5]`, `round-robin`, … */
  title: string;
  /** A line for each engine: limits and options. */
  engines: string[];
  gamesToPlay: number;
  /** Where the run's files are. */
  folder: string;
  chess960: boolean;
  /** Games at a time. */
  workers: number;
}

/** A point of the figures' way: after so many games, LLR and Elo (of each engine in a tournament) with their errors. */
export interface PathPoint {
  games: number;
  llr: number | null;
  elo: number[];
  error: number[];
}

export interface FinishedGame {
  game: number;
  white: string;
  black: string;
  result: string;
  reason: string;
  plies: number;
}

export interface RunView extends RunDescription {
  names: string[];
  /** Games that count so far. */
  gamesPlayed: number;
  gamesPerHour: number;
  figures: SeriesStatistics | null;
  path: PathPoint[];
  recent: FinishedGame[];
  /** What went wrong, in words and how often. */
  failures: { what: string; times: number; game: number }[];
  paused: boolean;
  /** How the run ended, null while it runs. */
  end: string | null;
}

/** A running game. Sides are [White, Black]. */
export interface BoardView {
  /** Number of the game, from 1. */
  game: number;
  round: number;
  players: [string, string];
  /** Position, in FEN. */
  fen: string;
  /** Squares the last move left and reached, a1 = 0. */
  last: [number, number] | null;
  /** Moves in SAN, of which the first `bookPlies` were given; `firstPly`: half moves before them, 0 at the usual start. */
  moves: string[];
  firstPly: number;
  bookPlies: number;
  /** White-relative centipawns of the moves played, null where there was none. */
  scores: (number | null)[];
  depth: [number, number];
  /** Nodes a second of each side's last search. */
  speed: [number, number];
  /** Milliseconds left when the last move was made; null where no clock runs. */
  clocks: [number | null, number | null];
  /** Milliseconds since the last move. */
  waiting: number;
  /** `1-0`, and why; null while the game runs. */
  end: { result: string; reason: string } | null;
}
