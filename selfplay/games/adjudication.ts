// Adjudication of games: a draw after enough moves with scores near zero, a win after enough moves with a decisive score, and a draw at the
// maximum length. The rules follow fastchess. Each rule has an option and a check in Adjudicator.

import { UserError } from '../common/errors.js';
import type { GameResult } from '../common/game-result.js';
import { type SettingsOf, whole, words } from '../common/options.js';

export interface DrawRule {
  /** Number of full moves, counted from move 1 of the FEN, after which the rule applies. */
  moveNumber: number;
  /** Number of consecutive moves of each side. A capture or a pawn move begins a new count. */
  moveCount: number;
  /** Limit on the absolute score in centipawns. */
  score: number;
}

export interface ResignRule {
  /** Number of consecutive moves. */
  moveCount: number;
  /** Minimum absolute score in centipawns. */
  score: number;
  /** Whether the winner's score must agree. */
  twoSided: boolean;
}

/** Parses `movenumber=34 movecount=8 score=20`; throws a UserError for an invalid word. */
const parseDrawRule = (text: string): DrawRule => parseRule('--draw', text, { moveNumber: 0, moveCount: 1, score: 0 });

/** Parses `movecount=3 score=600 twosided=true`; throws a UserError for an invalid word. */
function parseResignRule(text: string): ResignRule {
  const rule = parseRule('--resign', text, { moveCount: 1, score: 0, twoSided: false });
  if (rule.score === 0) throw new UserError('--resign needs score=CENTIPAWNS', 2);
  return rule;
}

export const ADJUDICATION_OPTIONS = {
  draw: words('adjudicate draws: movenumber=34 movecount=8 score=20', parseDrawRule, { identity: true }),
  resign: words('adjudicate losses: movecount=3 score=600 twosided=false', parseResignRule, { identity: true }),
  'max-moves': whole('maximum number of moves per side after the opening; longer games are drawn', {
    min: 1,
    max: 1000,
    default: 1000,
    identity: true,
  }),
};

export type Adjudication = SettingsOf<typeof ADJUDICATION_OPTIONS>;

export interface Verdict {
  /** White's score. */
  result: GameResult;
  reason: string;
}

const DRAW: Verdict = { result: 0.5, reason: 'Draw by adjudication' };
/** The verdict on a game that reached --max-moves. */
export const MAXIMAL_LENGTH: Verdict = { result: 0.5, reason: 'Draw by adjudication: maximal game length' };
/** Indexed by the loser: 0 White, 1 Black. */
const LOSS: readonly Verdict[] = [
  { result: 0, reason: 'Black wins by adjudication' },
  { result: 1, reason: 'White wins by adjudication' },
];

/** Tracks the scores of one game. */
export class Adjudicator {
  private plies = 0;
  private equalPlies = 0;
  /** Consecutive moves of each side with losing and with winning scores. */
  private readonly losing = [0, 0];
  private readonly winning = [0, 0];

  constructor(private readonly rules: Adjudication) {}

  /**
   * Adds the score of a move by `side` (0: White), in centipawns for that side, or null if there is none. `zeroing`: the move was a capture
   * or a pawn move. `fullmove`: the full-move number after the move. Returns the verdict, or null while the game continues.
   */
  add(side: number, score: number | null, zeroing: boolean, fullmove: number): Verdict | null {
    const { draw, resign, maxMoves } = this.rules;
    this.plies++;
    if (draw !== undefined) {
      const equal = score !== null && Math.abs(score) <= draw.score;
      if (zeroing) this.equalPlies = 0;
      this.equalPlies = equal ? this.equalPlies + 1 : 0;
      if (fullmove > draw.moveNumber && this.equalPlies >= 2 * draw.moveCount) return DRAW;
    }
    if (resign !== undefined) {
      this.losing[side] = score !== null && score <= -resign.score ? this.losing[side] + 1 : 0;
      this.winning[side] = score !== null && score >= resign.score ? this.winning[side] + 1 : 0;
      for (const loser of [side, 1 - side]) {
        const agreed = !resign.twoSided || this.winning[1 - loser] >= resign.moveCount;
        if (this.losing[loser] >= resign.moveCount && agreed) return LOSS[loser];
      }
    }
    return this.plies >= 2 * maxMoves ? MAXIMAL_LENGTH : null;
  }
}

// The keys of the words are the fields of the rule in lower case
function parseRule<Rule extends object>(option: string, text: string, defaults: Rule): Rule {
  const rule = { ...defaults };
  for (const word of text.trim().split(/\s+/)) {
    const [key = '', value = ''] = word.split('=');
    const [name, standard] = Object.entries(defaults).find(([one]) => one.toLowerCase() === key) ?? [];
    const isFlag = typeof standard === 'boolean';
    const number = value === 'true' ? 1 : value === 'false' ? 0 : Number(value);
    if (name === undefined || value === '' || !(number >= 0) || (isFlag && number > 1)) {
      const known = Object.keys(defaults).map((one) => `${one.toLowerCase()}=N`);
      throw new UserError(`${option} takes the words ${known.join(' ')}, not '${word}'`, 2);
    }
    if (name === 'moveCount' && number < 1)
      throw new UserError(`${option}: movecount must be at least 1, not ${value}`, 2);
    Object.assign(rule, { [name]: isFlag ? number === 1 : number });
  }
  return rule;
}
