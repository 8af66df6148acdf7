// Plays one game between two UCI engines, from an opening to a result and its reason. An engine failure (illegal move, crash, no answer,
// late answer) loses the game. The reasons use the wording of cutechess and fastchess.

import { state } from '../../engine/board/position.js';
import type { GameEnd } from '../../engine/board/rules.js';
import type { Opening } from '../../engine/commands/random-opening.js';
import type { GameResult } from '../common/game-result.js';
import { ProcessFailure } from '../engines/process.js';
import type { SearchAnswer, UciEngine } from '../engines/uci-engine.js';
import { type Adjudication, Adjudicator } from '../games/adjudication.js';
import { GameBoard } from '../games/board.js';
import { GameClock, type GameLimits } from '../games/clock.js';
import { longestDelay, pausesSoFar } from '../games/pauses.js';
import { MATE_BOUND } from '../records/record.js';
import type { GameSettings } from './game-settings.js';
import { formatMoveNotes, type MoveNote } from './move-notes.js';

export interface Player {
  engine: UciEngine;
  limits: GameLimits;
}

/** Values of the PGN tag Termination. */
export type Termination = 'normal' | 'adjudication' | 'time forfeit' | 'abandoned' | 'illegal move';

/** A move just played. */
export interface LiveMove {
  /** In UCI notation. */
  move: string;
  /** The mover: 0 White, 1 Black. */
  side: 0 | 1;
  /** White-relative centipawns, or null. */
  score: number | null;
  depth: number;
  nodes: number;
  milliseconds: number;
  /** Milliseconds left to White and Black, or null without a clock. */
  clocks: [number | null, number | null];
  /** The principal variation as sent. */
  line?: string;
}

/** A finished game. The lists of scores, depths, times and notes cover only the moves after the opening. */
export interface PlayedGame {
  start: string;
  chess960: boolean;
  /** All moves from the start position; the first `bookPlies` are the opening. */
  moves: Move[];
  bookPlies: number;
  /** White-relative centipawns (mates beyond MATE_BOUND), or null. */
  scores: (number | null)[];
  depths: number[];
  /** Milliseconds. */
  times: number[];
  /** Nodes searched by White and Black. */
  nodes: [number, number];
  /** Further fields of the PGN move comments. */
  notes?: string[];
  /** White's score. */
  result: GameResult;
  reason: string;
  termination: Termination;
  /** The side whose engine failed: 0 White, 1 Black. */
  offender?: 0 | 1;
  /** Misbehaviour that did not lose the game, such as a false mate claim. */
  remarks?: { side: 0 | 1; text: string }[];
  /** Whether a pause of this process may have cost an engine time on its clock, or made it appear to stall. */
  wasPaused?: true;
}

const SIDES = ['White', 'Black'] as const;
const DRAWS = {
  stalemate: 'stalemate',
  repetition: '3-fold repetition',
  fifty: 'fifty moves rule',
  material: 'insufficient mating material',
};

/** The settings that a game depends on. */
export interface GameRules extends Adjudication, Pick<GameSettings, 'chess960'> {
  /** Whether the game ends and is not counted if this process is paused while an engine's clock runs. */
  endsAtPause?: boolean;
  /** Additional fields of each move. */
  pgnNotes?: readonly MoveNote[];
}

/**
 * Plays a game. Calls `onMove` for every move after the opening. Rejects with a UserError if an engine does not support Chess960, but not
 * if an engine fails.
 */
export async function playGame(
  white: Player,
  black: Player,
  opening: Opening,
  rules: GameRules,
  onMove?: (move: LiveMove) => void,
): Promise<PlayedGame> {
  return new RunningGame([white, black], opening, rules, onMove).play();
}

class RunningGame {
  private readonly clocks: readonly [GameClock, GameClock];
  private readonly board: GameBoard;
  private readonly adjudicator: Adjudicator;
  private readonly game: PlayedGame;
  private side: 0 | 1;

  constructor(
    private readonly players: readonly [Player, Player],
    opening: Opening,
    private readonly rules: GameRules,
    private readonly onMove?: (move: LiveMove) => void,
  ) {
    this.clocks = [new GameClock(players[0].limits), new GameClock(players[1].limits)];
    this.board = new GameBoard(opening, rules.chess960);
    this.adjudicator = new Adjudicator(rules);
    this.side = state.stm === 0 ? 0 : 1;
    this.game = {
      start: this.board.start,
      chess960: this.board.chess960,
      moves: this.board.moves,
      bookPlies: opening.moves.length,
      scores: [],
      depths: [],
      times: [],
      nodes: [0, 0],
      result: 0.5,
      reason: '',
      termination: 'normal',
    };
  }

  async play(): Promise<PlayedGame> {
    await this.startPlayers();
    if (this.game.reason === '' && this.board.end !== null) this.finishByRules(this.board.end);
    while (this.game.reason === '' && !(this.rules.endsAtPause === true && this.game.wasPaused)) await this.playMove();
    await Promise.all(this.players.map(({ engine }) => engine.rest()));
    return this.game;
  }

  private async startPlayers(): Promise<void> {
    const pauses = pausesSoFar();
    const answers = await Promise.allSettled(this.players.map(({ engine }) => engine.newGame(this.board.chess960)));
    answers.forEach((answer, side) => {
      if (answer.status === 'rejected' && this.game.reason === '') this.forfeit(side as 0 | 1, answer.reason, pauses);
    });
  }

  private async playMove(): Promise<void> {
    const { side, board, game } = this;
    const name = SIDES[side];
    const clock = this.clocks[side];
    const pauses = pausesSoFar();
    const startedAt = performance.now();
    let answer: SearchAnswer;
    try {
      answer = await this.players[side].engine.go(board.command, this.goCommand(side), clock.allowance());
    } catch (error) {
      return this.forfeit(side, error, pauses);
    }
    const overrun = answer.milliseconds - clock.allowance();
    // Without a clock, the time matters only for stalls
    if ((clock.isTimed || overrun > 0) && pausesSoFar() !== pauses) game.wasPaused = true;
    if (!clock.spend(answer.milliseconds)) {
      if (!clock.isTimed) return this.lose(side, 'abandoned', `${name}'s connection stalls`);
      // The answer may have arrived in time and been read late
      if (longestDelay(startedAt) >= overrun) game.wasPaused = true;
      return this.lose(side, 'time forfeit', `${name} loses on time (${Math.ceil(overrun)}ms overrun)`);
    }
    this.checkClaim(side, answer);
    if (!board.play(answer.move)) return this.lose(side, 'illegal move', `${name} ${illegalMove(answer.move)}`);
    game.scores.push(answer.score === null || side === 0 ? answer.score : -answer.score);
    game.depths.push(answer.depth);
    game.times.push(Math.round(answer.milliseconds));
    game.nodes[side] += answer.nodes;
    this.addNotes(answer, clock);
    if (this.onMove !== undefined) this.onMove(this.liveMove(side, answer));
    this.side = side === 0 ? 1 : 0;
    if (board.end !== null) return this.finishByRules(board.end);
    this.adjudicate(side, answer.score);
    if (this.game.reason === '') this.ponder(side, answer.ponder);
  }

  private goCommand(side: 0 | 1): string {
    return GameClock.go(this.clocks[0], this.clocks[1], side === 0);
  }

  private ponder(side: 0 | 1, reply: string): void {
    const { engine, limits } = this.players[side];
    if (limits.ponder !== true || !engine.canPonder || reply === '') return;
    const position = this.board.commandAfter(reply);
    if (position !== null) engine.ponder(position, this.goCommand(side));
  }

  private checkClaim(side: 0 | 1, { score, line }: SearchAnswer): void {
    const text = score !== null && Math.abs(score) > MATE_BOUND ? this.board.claimProblem(score, line) : null;
    if (text === null) return;
    this.game.remarks ??= [];
    if (!this.game.remarks.some((remark) => remark.side === side && remark.text === text)) {
      this.game.remarks.push({ side, text });
    }
  }

  private addNotes(answer: SearchAnswer, { left, limits }: GameClock): void {
    const { pgnNotes } = this.rules;
    if (pgnNotes === undefined) return;
    this.game.notes ??= [];
    this.game.notes.push(formatMoveNotes(pgnNotes, answer, limits.tc === undefined ? null : left));
  }

  private liveMove(side: 0 | 1, { move, depth, nodes, milliseconds, line }: SearchAnswer): LiveMove {
    const score = this.game.scores.at(-1) ?? null;
    const clocks = this.clocks.map(({ limits, left }) => (limits.tc === undefined ? null : left));
    return { move, side, score, depth, nodes, milliseconds, clocks: [clocks[0], clocks[1]], line };
  }

  private finishByRules(end: GameEnd): void {
    const mated = this.side;
    if (end === 'checkmate') this.finish(mated === 0 ? 0 : 1, 'normal', `${SIDES[1 - mated]} mates`);
    else this.finish(0.5, 'normal', `Draw by ${DRAWS[end]}`);
  }

  private adjudicate(side: 0 | 1, score: number | null): void {
    const verdict = this.adjudicator.add(side, score, this.board.zeroing, state.fullmove);
    if (verdict !== null) this.finish(verdict.result, 'adjudication', verdict.reason);
  }

  private forfeit(side: 0 | 1, error: unknown, pauses: number): void {
    if (!(error instanceof ProcessFailure)) throw error;
    if (error.kind === 'stall' && pausesSoFar() !== pauses) this.game.wasPaused = true;
    const problem = error.kind === 'stall' ? "'s connection stalls" : ' disconnects';
    this.lose(side, 'abandoned', `${SIDES[side]}${problem} (${error.message})`);
  }

  private lose(side: 0 | 1, termination: Termination, reason: string): void {
    this.game.offender = side;
    this.finish(side === 0 ? 0 : 1, termination, reason);
  }

  private finish(result: GameResult, termination: Termination, reason: string): void {
    Object.assign(this.game, { result, termination, reason });
  }
}

function illegalMove(text: string): string {
  if (text === '') return 'sends bestmove without a move';
  return `makes an illegal move: ${text.replace(/[^\w()-]/g, '?').slice(0, 20)}`;
}
