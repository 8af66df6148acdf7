// Public types of the library. This file imports only the types of explanations, because its declarations are published as they are.

import type { Difference, Explanation, GameEnd, Score } from '../explain/explanation.js';

export type { Difference, Explanation, GameEnd, Reason, Score } from '../explain/explanation.js';

/** A line reported by a search. Moves are in UCI notation. */
export interface SearchInfo {
  readonly depth: number;
  readonly seldepth: number;
  /** 1 for the best line. */
  readonly multipv: number;
  readonly score: Score;
  readonly bound: 'exact' | 'lower' | 'upper';
  readonly nodes: number;
  readonly nps: number;
  /** Share of the transposition table written by this search, per mille. */
  readonly hashfull: number;
  /** Milliseconds. */
  readonly time: number;
  readonly pv: readonly string[];
}

export interface SearchResult {
  /** Null if there is no legal move. */
  readonly bestMove: string | null;
  /** The expected reply. */
  readonly ponder: string | null;
  /** The last exact principal variations, best first. */
  readonly lines: readonly SearchInfo[];
}

/** A position: a FEN (default: the start position), and moves from it in UCI notation. */
export interface PositionInput {
  readonly fen?: string;
  readonly moves?: readonly string[];
  /** Not a `Position`, whose FEN is the one after its moves; pass its `start` and `moves`. */
  readonly turn?: never;
}

/** A position and the limits of its search; without a limit, the search runs until stopped. Times are in milliseconds. */
export interface SearchRequest extends PositionInput {
  readonly depth?: number;
  readonly nodes?: number;
  readonly movetime?: number;
  /** Ends the search once a mate in this many moves is proven. */
  readonly mate?: number;
  readonly wtime?: number;
  readonly btime?: number;
  readonly winc?: number;
  readonly binc?: number;
  readonly movestogo?: number;
  /** Restricts the search to these moves. */
  readonly searchMoves?: readonly string[];
  /** Number of best lines; default 1. */
  readonly multiPv?: number;
  /** Plays at this Elo (UCI_Elo, 830 to 2945) instead of at full strength; not a limit of the search. */
  readonly elo?: number;
}

/** The part of AbortSignal used by a search, declared for programs without DOM types. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface SearchOptions {
  /** Called for each reported line. An exception ends the search and rejects its promise. */
  readonly onInfo?: (info: SearchInfo) => void;
  /** An AbortSignal. When it is aborted, the search stops and its promise rejects with the signal's reason. */
  readonly signal?: StopSignal;
}

/** Contribution of a term to an evaluation in centipawns: White's share minus Black's. */
export interface TermScore {
  readonly name: string;
  readonly mg: number;
  readonly eg: number;
  /** Both values tapered by game phase. */
  readonly tapered: number;
}

/** A static evaluation in centipawns from White's side. */
export interface Evaluation {
  readonly score: number;
  /** From 24 at the start to 0 without pieces. */
  readonly phase: number;
  readonly terms: readonly TermScore[];
}

/** Argument of explain(). Moves are in UCI notation or SAN; by default 200,000 nodes are searched per move. */
export interface ExplainRequest extends Pick<SearchRequest, 'depth' | 'nodes' | 'movetime'> {
  /** The move to explain; default: the best move. */
  readonly move?: string;
  /** The move to compare it with; by default, moves other than the best are compared with the best. */
  readonly against?: string;
}

/** An explained move, compared with another. */
export interface Why {
  readonly move: Explanation;
  readonly against: Explanation | null;
  /** Differences in favour of the move (positive) and against it, largest first. */
  readonly differences: readonly Difference[];
  readonly sentences: readonly string[];
}

/** The content of a weights file, as text or parsed. */
export type Weights = string | { readonly terms: Readonly<Record<string, readonly (readonly number[])[]>> };

export interface EngineOptions {
  readonly weights?: Weights;
  /** Size of the transposition table in MiB; default 16. */
  readonly hash?: number;
  /** Search threads; more than one requires shared memory. */
  readonly threads?: number;
  readonly chess960?: boolean;
  /** URL of the package's `uci.js`, if the bundler does not copy it to the output; browsers only. */
  readonly worker?: string | { readonly href: string };
}

/**
 * An engine on its own thread, which executes requests in order. Calls reject with a TypeError if an argument is invalid, and with an
 * EngineError if the engine is closed, has failed, or refuses the weights.
 */
export interface Engine {
  /** Searches a position. */
  search(request?: SearchRequest, options?: SearchOptions): Promise<SearchResult>;
  /** Evaluates a position without searching, term by term. */
  evaluate(position?: PositionInput): Promise<Evaluation>;
  /** Explains the best or a given move of a position, and compares it with another. */
  explain(position?: string | PositionInput, request?: ExplainRequest): Promise<Why>;
  /** Ends the running search and the searches already requested, each with the best move so far. */
  stop(): void;
  /** Clears the state of earlier games. */
  newGame(): Promise<void>;
  /** Replaces the weights; null restores the built-in ones. */
  setWeights(weights: Weights | null): Promise<void>;
  /** Ends the thread; pending calls are rejected. */
  close(): void;
}

/** A legal move in both notations. */
export interface LegalMove {
  readonly uci: string;
  readonly san: string;
}

/** An immutable position of a game. */
export interface Position {
  readonly fen: string;
  /** FEN of the position before the moves. */
  readonly start: string;
  readonly turn: 'white' | 'black';
  readonly isCheck: boolean;
  /** Null while the game continues. */
  readonly end: GameEnd | null;
  /** The moves from the start, in UCI notation. */
  readonly moves: readonly string[];
  legalMoves(): LegalMove[];
  /** Returns the position after a move in SAN or UCI notation; throws a TypeError for an illegal move. */
  play(move: string): Position;
  /** Returns the perft count for a depth from 0 to 20. */
  perft(depth: number): number;
}

/** Reason for a failure: the engine was closed, its thread failed, or it refused a setting. */
export type EngineFailure = 'closed' | 'thread' | 'refused';

/** Error for a closed or failed engine, or for a refused setting. */
export class EngineError extends Error {
  override readonly name = 'EngineError';

  constructor(
    readonly code: EngineFailure,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? {} : { cause });
  }
}
