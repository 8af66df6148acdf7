// What the library takes and gives. Imports nothing: these declarations are published as they are.

/** A score for the side to move: centipawns, or moves to mate (negative when it is mated). */
export type Score = { readonly cp: number } | { readonly mate: number };

/** What a search reports of a line; moves are in UCI's notation. */
export interface SearchInfo {
  readonly depth: number;
  readonly seldepth: number;
  /** 1 for the best line. */
  readonly multipv: number;
  readonly score: Score;
  readonly bound: 'exact' | 'lower' | 'upper';
  readonly nodes: number;
  readonly nps: number;
  /** Share of the transposition table in use, per mille. */
  readonly hashfull: number;
  /** Milliseconds. */
  readonly time: number;
  readonly pv: readonly string[];
}

export interface SearchResult {
  /** Null when there is no legal move. */
  readonly bestMove: string | null;
  /** The reply expected. */
  readonly ponder: string | null;
  /** The lines that the answer comes from, best first. */
  readonly lines: readonly SearchInfo[];
}

/** A position: the start position unless a FEN is given, and moves from it in UCI's notation. */
export interface PositionInput {
  readonly fen?: string;
  readonly moves?: readonly string[];
}

/** A position and what its search may use; without a limit it searches until it is stopped. Times are in milliseconds. */
export interface SearchRequest extends PositionInput {
  readonly depth?: number;
  readonly nodes?: number;
  readonly movetime?: number;
  /** Ends when a mate in so many moves is proven. */
  readonly mate?: number;
  readonly wtime?: number;
  readonly btime?: number;
  readonly winc?: number;
  readonly binc?: number;
  readonly movestogo?: number;
  /** The only moves to consider. */
  readonly searchMoves?: readonly string[];
  /** Number of best lines; 1 unless given. */
  readonly multiPv?: number;
  /** Plays at this Elo instead of at full strength. */
  readonly elo?: number;
}

/** The part of an AbortSignal that a search uses; declared here for programs without the DOM's types. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface SearchOptions {
  /** Called for each line that the search reports. An error that it throws ends the search, whose promise is rejected with it. */
  readonly onInfo?: (info: SearchInfo) => void;
  /** An AbortSignal. It stops the search, whose promise is then rejected with the signal's reason. */
  readonly signal?: StopSignal;
}

/** A term's part of an evaluation in centipawns, White's share less Black's. */
export interface TermScore {
  readonly name: string;
  readonly mg: number;
  readonly eg: number;
  /** Both weighed by the phase of the game. */
  readonly tapered: number;
}

/** A static evaluation in centipawns from White's side. */
export interface Evaluation {
  readonly score: number;
  /** From 24 at the start to 0 without pieces. */
  readonly phase: number;
  readonly terms: readonly TermScore[];
}

/** What explain() is asked. Moves are in UCI's notation or SAN; without limits it searches 200,000 nodes a move. */
export interface ExplainRequest extends Pick<SearchRequest, 'depth' | 'nodes' | 'movetime'> {
  /** The move to explain; the best one unless given. */
  readonly move?: string;
  /** The move to compare it with; without it a move other than the best is compared with the best. */
  readonly against?: string;
}

/** An idea's part of a score in centipawns, for the side to move in the position asked about. */
export interface Reason {
  /** One of material, placement, activity, kingAttack, kingSafety, pawns, passedPawns, threats, space, move, winnable and known. */
  readonly idea: string;
  readonly title: string;
  /** What the side has of it less what the other side has. */
  readonly cp: number;
  readonly own: number;
  readonly other: number;
  /** In plain words; empty where there is nothing to say. */
  readonly text: string;
  /** The squares that the words name. */
  readonly squares: readonly string[];
}

/** Why a move has its score: what stands on the board at the end of its line. */
export interface Explanation {
  readonly score: Score;
  /** The moves in UCI's notation, and in SAN. */
  readonly line: readonly string[];
  readonly san: readonly string[];
  /** The FEN at the end of the line, and how a game ends there. */
  readonly leaf: string;
  readonly end: GameEnd | null;
  /** The parts of the static evaluation there; none of a mate, or where the game is over. */
  readonly reasons: readonly Reason[];
  /** Their sum, and what the search adds to it: together they are the score in centipawns. */
  readonly evaluation: number;
  readonly search: number;
  readonly sentences: readonly string[];
}

/** By how much an idea speaks for a move, in centipawns. */
export interface Difference {
  readonly idea: string;
  readonly title: string;
  readonly cp: number;
}

/** A move explained, and compared with another. */
export interface Why {
  readonly move: Explanation;
  readonly against: Explanation | null;
  /** What speaks for the move and, negative, against it; the greatest first. */
  readonly differences: readonly Difference[];
  readonly sentences: readonly string[];
}

/** The content of a weights file, as text or parsed. */
export type Weights = string | { readonly terms: Readonly<Record<string, readonly (readonly number[])[]>> };

export interface EngineOptions {
  readonly weights?: Weights;
  /** Size of the transposition table in mebibytes; 16 unless given. */
  readonly hash?: number;
  /** Threads that search together; more than one needs memory that can be shared. */
  readonly threads?: number;
  readonly chess960?: boolean;
  /** Address of the package's `uci.js`, where no bundler has placed it; for browsers only. */
  readonly worker?: string | { readonly href: string };
}

/**
 * An engine on a thread of its own. What is asked of it is done one after the other. A wrong argument is a TypeError; an engine that was
 * closed, whose thread failed, or that refuses weights is an EngineError.
 */
export interface Engine {
  /** Searches a position. */
  search(request?: SearchRequest, options?: SearchOptions): Promise<SearchResult>;
  /** Evaluates a position without searching, term by term. */
  evaluate(position?: PositionInput): Promise<Evaluation>;
  /** Explains the best move of a position, or a move given, and compares it with another. */
  explain(position?: string | PositionInput, request?: ExplainRequest): Promise<Why>;
  /** Ends the search that is running, which answers with the best it has found. */
  stop(): void;
  /** Forgets what was learned in earlier games. */
  newGame(): Promise<void>;
  /** Plays with other weights; with null, with those compiled in. */
  setWeights(weights: Weights | null): Promise<void>;
  /** Ends the thread; pending calls are rejected. */
  close(): void;
}

/** How a game ends by the rules. */
export type GameEnd = 'checkmate' | 'stalemate' | 'repetition' | 'fifty' | 'material';

/** A legal move in both notations. */
export interface LegalMove {
  readonly uci: string;
  readonly san: string;
}

/** A position of a game; it never changes. */
export interface Position {
  readonly fen: string;
  readonly turn: 'white' | 'black';
  readonly isCheck: boolean;
  /** Null while the game goes on. */
  readonly end: GameEnd | null;
  /** The moves played from the start, in UCI's notation. */
  readonly moves: readonly string[];
  legalMoves(): LegalMove[];
  /** Returns the position after a move in SAN or UCI's notation; throws a TypeError when it is not legal. */
  play(move: string): Position;
  /** Returns the number of positions so many plies on, from 0 to 20. */
  perft(depth: number): number;
}

/** Why an engine failed: it was closed, its thread failed, or it refused something that only the engine checks. */
export type EngineFailure = 'closed' | 'thread' | 'refused';

/** An engine that was closed, whose thread failed, or that refused a setting. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineFailure;

  constructor(code: EngineFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}
