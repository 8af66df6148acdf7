// Detects results and scores that are for the wrong side. Usually, the side with more material, or with the better score, wins. If it wins
// with White to move and loses with Black to move, some values are for White and others for the side to move.

import type { ColumnSettings } from './columns.js';
import { isBlackToMove, parseScore } from './labelled.js';
import type { RawLabel } from './line.js';
import type { Scale } from './scale.js';

/** Minimum number of decided positions in which one side is ahead, for each side to move. */
const LEAST = 100;
/** Minimum difference between the shares of these positions in which the side that is ahead won. */
const DIFFERENCE = 0.3;
/** Minimum score in centipawns of a side that is ahead. */
const AHEAD = 100;

/**
 * Returns an error message if results that should be White's seem to be for the side to move (as in the samples of c-chess-cli), or if the
 * scores are for another side than the results, otherwise null. The settings can exclude both.
 */
export function sideProblem(
  read: readonly { label: RawLabel | string }[],
  scale: Scale,
  settings: ColumnSettings | undefined,
): string | null {
  const [byMaterial, byScore] = [new Shares(), new Shares()];
  for (const { label } of read) {
    // Stockfish's plain text defines its sides
    if (typeof label === 'string' || label.scale !== undefined) continue;
    const isBlack = isBlackToMove(label.fen);
    const value = 2 * (scale.value(label.result) ?? 0.5) - 1;
    const score = parseScore(label.score);
    if (label.resultSide === 'white') byMaterial.add(isBlack, value * balanceOf(label.fen));
    if (typeof score !== 'number' || Math.abs(score) < AHEAD) continue;
    const isReversed = isBlack && label.scoreSide !== label.resultSide;
    byScore.add(isBlack, isReversed ? -value * score : value * score);
  }
  if (settings?.side == null && byMaterial.isContrary) {
    const remedy = 'give --columns side=mover, or side=white if they are for White';
    return `the results seem to be for the side to move, because the side with more material wins ${byMaterial}; ${remedy}`;
  }
  if (settings?.isUnscored === true || !byScore.isContrary) return null;
  const remedy = 'correct the scores, or omit them with --columns score=none';
  return `scores and results seem to be for different sides, because the side with the better score wins ${byScore}; ${remedy}`;
}

const VALUES = new Map(Object.entries({ P: 1, N: 3, B: 3, R: 5, Q: 9, p: -1, n: -3, b: -3, r: -5, q: -9 }));

/** Returns White's material minus Black's, in pawns. */
function balanceOf(fen: string): number {
  let sum = 0;
  for (const letter of fen.slice(0, fen.indexOf(' '))) sum += VALUES.get(letter) ?? 0;
  return sum;
}

/** The shares of decided positions in which the side that is ahead won, by side to move. */
class Shares {
  private readonly white = { won: 0, all: 0 };
  private readonly black = { won: 0, all: 0 };

  /** Counts a position. `sign` is positive if the side that is ahead won, negative if it lost, and 0 otherwise. */
  add(isBlack: boolean, sign: number): void {
    if (sign === 0) return;
    const counts = isBlack ? this.black : this.white;
    counts.all++;
    if (sign > 0) counts.won++;
  }

  get isContrary(): boolean {
    const [white, black] = [this.white.won / this.white.all, this.black.won / this.black.all];
    const isEnough = Math.min(this.white.all, this.black.all) >= LEAST;
    return isEnough && white > 0.5 && black < 0.5 && white - black > DIFFERENCE;
  }

  toString(): string {
    const percent = ({ won, all }: { won: number; all: number }): string => `${Math.round((100 * won) / all)} %`;
    return `${percent(this.white)} of the decided positions with White to move, but ${percent(this.black)} with Black to move`;
  }
}
