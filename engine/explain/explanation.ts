// Types for explanations of moves, which are part of the library's public types. This file imports nothing, because its declarations are
// published as they are.

/** A score for the side to move: centipawns, or moves to mate (negative if being mated). */
export type Score = { readonly cp: number } | { readonly mate: number };

/** Reason why a game is over under the rules. */
export type GameEnd = 'checkmate' | 'stalemate' | 'repetition' | 'fifty' | 'material';

/** Contribution of an idea to a score in centipawns, for the side to move in the given position. */
export interface Reason {
  /** One of material, placement, activity, kingAttack, kingSafety, pawns, passedPawns, threats, space, move, winnable and known. */
  readonly idea: string;
  readonly title: string;
  /** `own` minus `other`, the shares of the side to move and of its opponent. */
  readonly cp: number;
  readonly own: number;
  readonly other: number;
  /** Sentence in plain words; may be empty. */
  readonly text: string;
  /** Squares to which the sentence refers. */
  readonly squares: readonly string[];
}

/** Explanation of a move's score in terms of the position at the end of its line. */
export interface Explanation {
  readonly score: Score;
  /** The moves in UCI notation, and in SAN. */
  readonly line: readonly string[];
  readonly san: readonly string[];
  /** The FEN at the end of the line, and the reason why the game is over there, or null. */
  readonly leaf: string;
  readonly end: GameEnd | null;
  /** The parts of the static evaluation there; empty for mate scores and finished games. */
  readonly reasons: readonly Reason[];
  /** The sum of these parts, and the difference between the search score and this sum, in centipawns. */
  readonly evaluation: number;
  readonly search: number;
  readonly sentences: readonly string[];
}

/** Advantage of one move over another in an idea or in the search, in centipawns. */
export interface Difference {
  readonly idea: string;
  readonly title: string;
  readonly cp: number;
}
