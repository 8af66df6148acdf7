// What a running series announces, for whoever shows or records it: one stream, in which every finished game and pair is
// told of once, in the order of their numbers. A continued run tells of the journal's games again before it plays on, so
// that whatever is made from the stream is whole and the same as without the interruptSignal.

import type { Opening } from '../games/openings.js';
import type { SeriesStatistics } from '../statistics/types.js';
import type { LiveMove, PlayedGame } from './game.js';
import type { Pace } from './pace-control.js';

/** Who plays game `index` and from which opening; rounds count from 1. */
export interface Pairing {
  white: number;
  black: number;
  opening: number;
  round: number;
}

/** A finished game that counts; `index` from 0, games 2n and 2n+1 are a pair. */
export interface CountedGame {
  index: number;
  pairing: Pairing;
  white: string;
  black: string;
  game: PlayedGame;
  /** The run's seconds when it ended. */
  seconds: number;
}

export type SeriesEvent =
  /** All engines have started, or the journal has told their names; `ids` are those they gave themselves. */
  | { type: 'engines'; engines: string[]; ids: string[]; date: string }
  /** A process of an engine has started. */
  | { type: 'engine'; index: number; name: string }
  /** A game begins, moves, ends: as it happens, whatever the order. */
  | { type: 'begin'; index: number; pairing: Pairing; white: string; black: string; opening: Opening }
  | ({ type: 'move'; index: number } & LiveMove)
  | { type: 'end'; index: number; result: PlayedGame['result']; reason: string }
  /** A game, a pair counts: in order. */
  | ({ type: 'game' } & CountedGame)
  | { type: 'pair'; games: [CountedGame, CountedGame]; figures: SeriesStatistics }
  /** So many games at a time from here on; none while paused. */
  | ({ type: 'pace' } & Pace)
  /** Nothing is played any more: the series is finished, or was interrupted. */
  | { type: 'done'; finished: boolean; seconds: number; figures: SeriesStatistics };
