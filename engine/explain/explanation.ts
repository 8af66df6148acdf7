// What an explanation is made of.

import type { GameEnd } from '../board/rules.js';
import type { Color } from '../board/types.js';
import type { Idea } from './ideas.js';

/** An idea's part of the score: own share less the other side's, in centipawns for the side that moves first. */
export interface Reason {
  idea: Idea;
  title: string;
  cp: number;
  own: number;
  other: number;
  /** In plain words; empty where there is nothing to say. */
  text: string;
  /** The squares that the words name. */
  squares: string[];
}

/** Why a line has its score, from the side of the player to move. */
export interface Explanation {
  score: { cp: number } | { mate: number };
  /** The moves in UCI's notation, and in SAN. */
  line: string[];
  san: string[];
  /** The position at the end of the line, and how a game ends there. */
  leaf: string;
  end: GameEnd | null;
  /** Parts of the static evaluation of that position; none of a score that is a mate, or where the game is over. */
  reasons: Reason[];
  /** The static evaluation, and what the search adds to it: together they are the score. */
  evaluation: number;
  search: number;
  sentences: string[];
}

/** What the words need beside the numbers. */
export interface Setting {
  us: Color;
  san: readonly string[];
  end: GameEnd | null;
  /** Whether the position at the end has occurred before. */
  isRepeated: boolean;
}
