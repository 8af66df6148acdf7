// The events of a running series, for displays and files. Each counted game and pair is announced once, in order. A continued run first
// announces the counted games and pairs of its journal, so the stream is the same as without an interruption.

import type { Opening } from '../../engine/commands/random-opening.js';
import type { SeriesStatistics } from '../statistics/types.js';
import type { LiveMove, PlayedGame } from './game.js';
import type { Pace } from './pace-control.js';

/** Players and opening of a game; rounds are numbered from 1. */
export interface Pairing {
  white: number;
  black: number;
  opening: number;
  round: number;
}

/** A finished game that counts. `index` counts from 0; games 2n and 2n + 1 are a pair. */
export interface CountedGame {
  index: number;
  pairing: Pairing;
  white: string;
  black: string;
  game: PlayedGame;
  /** Playing time of the run, in seconds, when this game ended. */
  seconds: number;
}

/** Values of the UCI options that were sent to an engine, by name. */
export type OptionsSet = Readonly<Record<string, string>>;

export type SeriesEvent =
  /** All engines have started, or the journal names them. `ids` are the names from `id name`, `options` those that were set. */
  | { type: 'engines'; engines: string[]; ids: string[]; options: OptionsSet[]; date: string }
  /** A process of an engine has started. */
  | { type: 'engine'; index: number; name: string }
  /** Start, moves and end of a game, in real time; the events of parallel games are interleaved. */
  | { type: 'begin'; index: number; pairing: Pairing; white: string; black: string; opening: Opening }
  | ({ type: 'move'; index: number } & LiveMove)
  | { type: 'end'; index: number; result: PlayedGame['result']; reason: string }
  /** A game or a pair has been counted, in schedule order. `figures` computes the current statistics. */
  | ({ type: 'game' } & CountedGame)
  | { type: 'pair'; games: [CountedGame, CountedGame]; figures: () => SeriesStatistics }
  /** The number of parallel games has changed, or the run has been paused or resumed. */
  | ({ type: 'pace' } & Pace)
  /** The series is finished or interrupted. */
  | { type: 'done'; finished: boolean; seconds: number; figures: SeriesStatistics };
