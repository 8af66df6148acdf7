// Search data in the comment after a move: cutechess and fastchess `+0.31/12 0.045s`, c-chess-cli `31/12 45ms`, Arena `(pv) +0.31/12`, TCEC
// `wv=0.31`, lichess `[%eval 0.31]`, our own self-play `+0.31`, and `book` for moves that no engine searched. To exclude prose, a score
// that is neither a mate nor tagged must have a decimal point and a sign or depth (0.00 needs neither), or else a depth and a time.

import { MATE_BOUND, MATE_SCORE } from './record.js';

export interface MoveComment {
  /** Centipawns, or null. */
  score: number | null;
  /** Point of view: `mover` and `white` are for the position before the move; `after` is White's score for the position after it. */
  kind: 'mover' | 'white' | 'after';
  isBook: boolean;
}

/** Optional prefix of a score: a bracket, or Arena's line in parentheses. */
const BEFORE = String.raw`^\s*(?:\([^()]*\)\s*|\()?`;
/** Pawns, or a mate in plies, with a depth of at most three digits; a score without a sign has two decimals. */
const WITH_DEPTH = new RegExp(
  String.raw`${BEFORE}(?:([+-])(M?)(\d+\.\d+|(?<=M)\d+)|()(M?)(\d+\.\d\d|(?<=M)\d+))\/\d{1,3}(?![\d/%.])`,
);
/** The same without a depth; only 0.00 needs no sign. */
const ALONE = new RegExp(String.raw`${BEFORE}(?:([+-])(M?)(\d+\.\d\d|(?<=M)\d+)|()()(0\.00))\s*(?=$|[,;)])`);
/** Centipawns, with a depth and a time. */
const CENTIPAWNS = new RegExp(String.raw`${BEFORE}([+-]?)(\d+)\/\d{1,3}\s+\d+(?:\.\d+)?m?s\b`);
/** A mate in moves, as in Fritz and HIARCS. */
const MATE = new RegExp(String.raw`${BEFORE}([+-]?)#([+-]?)(\d+)(?=$|[\s,;)/])`);
const LICHESS = /\[%eval\s+(#?)([+-]?)(M?)(\d+(?:\.\d+)?)(,\d+)?/;
const TCEC = /(?:^|[\s,])wv=\s*([+-]?)(M?)(\d+(?:\.\d+)?)(?=$|[\s,;])/;

/** Returns the fields of the comment. Other text has no score. */
export function parseComment(text: string): MoveComment {
  const note: MoveComment = { score: null, kind: 'mover', isBook: /^\s*book\b/.test(text) };
  const runner = WITH_DEPTH.exec(text) ?? ALONE.exec(text);
  if (runner !== null) {
    const [sign, mate, number] = runner.slice(1).filter((group) => group !== undefined);
    return { ...note, score: signed(sign, mate === '' ? pawns(number) : mateScore(Number(number))) };
  }
  const centipawns = CENTIPAWNS.exec(text);
  if (centipawns !== null)
    return { ...note, score: signed(centipawns[1], Math.min(MATE_BOUND, Number(centipawns[2]))) };
  const mate = MATE.exec(text);
  if (mate !== null) return { ...note, score: signed(mate[1] || mate[2], mateInMoves(Number(mate[3]))) };
  const tcec = TCEC.exec(text);
  if (tcec !== null) return { ...note, kind: 'white', score: whiteScore(tcec[1], tcec[2], tcec[3]) };
  const lichess = LICHESS.exec(text);
  if (lichess === null) return note;
  const [, hash, sign, letter, number, depth] = lichess;
  // Aquarium writes centipawns and a depth
  const isWhole = depth !== undefined && hash + letter === '' && !number.includes('.');
  const score = isWhole ? signed(sign, Math.min(MATE_BOUND, Number(number))) : whiteScore(sign, hash + letter, number);
  return { ...note, kind: 'after', score };
}

const whiteScore = (sign: string, mate: string, number: string): number =>
  signed(sign, mate === '' ? pawns(number) : mateInMoves(Number(number)));

const pawns = (number: string): number => Math.min(Math.round(100 * Number.parseFloat(number)), MATE_BOUND);

// A mate in N moves counts as 2N − 1 plies. This is right if the winner is to move; otherwise it is 2N
const mateInMoves = (moves: number): number => mateScore(2 * moves - 1);

const mateScore = (plies: number): number => MATE_SCORE - Math.max(0, Math.min(MATE_SCORE - MATE_BOUND - 1, plies));

const signed = (sign: string, size: number): number => (sign === '-' && size !== 0 ? -size : size);
