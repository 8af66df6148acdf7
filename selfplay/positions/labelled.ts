// A labelled position, its text form as used by bullet, and the parser of scores.

import { hashOf } from '../common/seen.js';
import { quoted } from '../common/wording.js';
import { parseOnlyPosition } from '../notation/epd.js';
import { numberOf } from './scale.js';

/** A position with its label. */
export interface Labelled {
  fen: string;
  /** White's result: 0, 0.5, 1, or an expectation in between. */
  result: number;
  /** Score in centipawns for White, or null if unknown. */
  score: number | null;
  /** Numbers of the game and its opening, if given; positions of a game are adjacent. */
  game?: number;
  opening?: number;
  leaf?: Leaf;
}

/** The position at the end of the principal variation of a label's search; `evaluation` is its static evaluation in cp for White. */
export interface Leaf {
  fen: string;
  evaluation: number;
}

/** A labelled position, its file and its line number. */
export interface LabelledPosition extends Labelled {
  file: string;
  line: number;
}

/** Returns the number of a game or opening: its name if that is a 32-bit number, otherwise a hash of 53 bits. */
export const nameNumber = (text: string): number =>
  /^\d+$/.test(text) && Number(text) < 2 ** 32 ? Number(text) : hashOf(text);

/** Returns whether Black is to move in a FEN. */
export const isBlackToMove = (fen: string): boolean => fen.split(' ', 2)[1] === 'b';

/** Returns bullet's text form `FEN | centipawns | 1.0`, with score 0 if unknown. */
export function formatLabelled({ fen, result, score }: Labelled): string {
  return `${fen} | ${score ?? 0} | ${share(result)}`;
}

/** Returns a result as text; tools expect 1.0, 0.5 and 0.0. */
export const share = (result: number): string => (Number.isInteger(result) ? result.toFixed(1) : String(result));

// Scores: mates, or centipawns, in which decimal commas and thousands separators are allowed

/** As in game records, a mate in one ply scores MATE_SCORE - 1. A mate in more than MAX_MATE plies scores as one in MAX_MATE. */
const MATE_SCORE = 32000;
const MAX_MATE = 500;

const MATE = /^([+-]?)(?:mate\s*|#|M)([+-]?)(\d+)$/i;
const PLAIN = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
const GROUPED = /^[+-]?\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/;

/**
 * Returns the centipawns, null for an empty field or a word such as `none`, or an error message. With `hasSemicolons` (as separators),
 * 1.234 is rejected as ambiguous.
 */
export function parseScore(text: string, hasSemicolons = false): number | null | string {
  const bare = text.trim();
  if (bare === '' || /^(?:-|none|null|nan|n\/a)$/i.test(bare)) return null;
  const mate = MATE.exec(bare);
  if (mate !== null) {
    const size = MATE_SCORE - Math.min(MAX_MATE, Math.max(0, 2 * Number(mate[3]) - 1));
    return mate[1] === '-' || mate[2] === '-' ? -size : size;
  }
  const group = GROUPED.exec(bare)?.[1];
  if (group !== undefined) {
    // 1,234 may be 1234 or 1.234
    const others = bare.split(group).length - 1;
    const hasBoth = bare.includes(group === ',' ? '.' : ',');
    const isUnclear = group === ',' || (group === '.' && hasSemicolons);
    if (isUnclear && others === 1 && !hasBoth && !/^[+-]?0/.test(bare))
      return `the score ${quoted(bare)} can be read in two ways; write it without '${group}'`;
    if (others > 1 || hasBoth || group === "'") return Math.round(Number(bare.replaceAll(group, '').replace(',', '.')));
  }
  if (!PLAIN.test(bare)) return `${quoted(bare)} is not a score in centipawns`;
  return Math.round(Number(bare.replace(',', '.'))) || 0;
}

/** Returns the leaf from its two columns, or an error message. */
export function parseLeaf(position: string, score = ''): Leaf | string {
  const end = parseOnlyPosition(position);
  if (typeof end === 'string') return `leaf: ${end}`;
  const evaluation = parseScore(score);
  return typeof evaluation === 'number' ? { fen: end.fen, evaluation } : `leaf_score: ${evaluation ?? 'missing'}`;
}

/**
 * Scores seem to be in pawns if at least half have decimals and at most a tenth, such as 100.00 for a mate, reach MAX_PAWNS. Fewer than
 * MIN_SCORES are not judged.
 */
const MAX_PAWNS = 50;
const MIN_SCORES = 3;

/** Returns an error message if the scores seem to be in pawns, otherwise null. */
export function pawnProblem(scores: readonly string[]): string | null {
  const numbers = scores.map(numberOf).filter((number) => number !== 0 && !Number.isNaN(number));
  const fractions = numbers.filter((number) => !Number.isInteger(number));
  const large = numbers.filter((number) => Math.abs(number) >= MAX_PAWNS);
  if (numbers.length < MIN_SCORES || 2 * fractions.length < numbers.length) return null;
  if (10 * large.length > numbers.length) return null;
  return `scores such as ${fractions[0]} look like pawns, not centipawns; multiply them by 100, or omit them with --columns score=none`;
}
