// What the comment after a move says about the search: cutechess and fastchess `+0.31/12 0.045s`, c-chess-cli `31/12 45ms`,
// lichess `[%eval 0.31]`, our own self-play `+0.31`, and `book` for moves that no engine searched.

import { MATE_BOUND, MATE_SCORE } from './record.js';

export interface MoveNote {
  /** Centipawns: the mover's own for the position before the move, or White's for the one after it (`isLichess`); null if none. */
  score: number | null;
  isLichess: boolean;
  isBook: boolean;
}

const RUNNER = /^\s*\(?([+-]?)(M?)(\d+(?:\.\d+)?)(?:\/\d+|(?<=\.\d\d|M\d+)\s*(?:,|$))/;
const LICHESS = /\[%eval\s+(#?)([+-]?)(\d+(?:\.\d+)?)/;

/** Returns what the comment says; nothing for text that no runner writes. */
export function parseComment(text: string): MoveNote {
  const note: MoveNote = { score: null, isLichess: false, isBook: /^\s*book\b/.test(text) };
  const runner = RUNNER.exec(text);
  const lichess = runner === null ? LICHESS.exec(text) : null;
  if (runner !== null) {
    const [, sign, mate, number] = runner;
    note.score = signed(sign, mate === '' ? centipawns(number) : mateScore(Number(number)));
  } else if (lichess !== null) {
    const [, mate, sign, number] = lichess;
    // Lichess counts moves to mate: the winner's, and one reply less
    note.score = signed(sign, mate === '' ? centipawns(`${number}.0`) : mateScore(2 * Number(number) - 1));
    note.isLichess = true;
  }
  return note;
}

// Pawns have a decimal point, centipawns none
function centipawns(number: string): number {
  const size = number.includes('.') ? Math.round(100 * Number.parseFloat(number)) : Number(number);
  return Math.min(size, MATE_BOUND);
}

function mateScore(plies: number): number {
  return MATE_SCORE - Math.max(0, Math.min(MATE_SCORE - MATE_BOUND - 1, plies));
}

function signed(sign: string, size: number): number {
  return sign === '-' && size !== 0 ? -size : size;
}
