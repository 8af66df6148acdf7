// Types of explanations.

import type { GameEnd } from '../board/rules.js';
import type { Idea } from './ideas.js';

/** An idea's part of the score: own share minus the opponent's, in centipawns for the side that moves first. */
export interface Reason {
  idea: Idea;
  title: string;
  cp: number;
  own: number;
  other: number;
  /** Sentence in plain words; may be empty. */
  text: string;
  /** Squares named in the sentence. */
  squares: string[];
}

/** Explanation of a line's score for the side to move. */
export interface Explanation {
  score: { cp: number } | { mate: number };
  /** The moves in UCI's notation, and in SAN. */
  line: string[];
  san: string[];
  /** The position at the end of the line, and the end of the game there. */
  leaf: string;
  end: GameEnd | null;
  /** Parts of the static evaluation of that position; empty for mate scores and ended games. */
  reasons: Reason[];
  /** The static evaluation and the search's difference to it, which add up to the score. */
  evaluation: number;
  search: number;
  sentences: string[];
}

/** Context of the sentences. */
export interface SentenceContext {
  us: Color;
  san: readonly string[];
  end: GameEnd | null;
  /** Whether the position at the end has occurred before. */
  isRepeated: boolean;
}
