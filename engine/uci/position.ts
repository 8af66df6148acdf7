// The `position` command: a start position or FEN, and the moves played from it.

import { parseFen, STARTPOS } from '../board/fen.js';
import { forgetHistory, makeMove } from '../board/kernel.js';
import { halfmoveClock } from '../board/position.js';
import { parseUciMove } from '../board/rules.js';

/** Plies without capture or pawn move after which a game that still goes on ignores the rules anyway. */
const LONG_SINCE_DRAWN = 1000;

/** Sets up a `position` line, up to the first illegal move; returns a message about that move, or null. Throws FenError and keeps the old position if the FEN is invalid. */
export function setUpPosition(line: string): string | null {
  const words = line.trim().split(/\s+/);
  const movesAt = words.indexOf('moves');
  const end = movesAt < 0 ? words.length : movesAt;
  parseFen(words[1] === 'startpos' ? STARTPOS : words.slice(words[1] === 'fen' ? 2 : 1, end).join(' '));
  for (const text of words.slice(end + 1)) {
    const move = parseUciMove(text.toLowerCase());
    if (move === 0) return `illegal move ${text}; it and the moves after it are ignored`;
    makeMove(move);
    // Nothing before a capture or pawn move can be repeated, and no game without any is too long for the history
    if (halfmoveClock() === 0 || halfmoveClock() >= LONG_SINCE_DRAWN) forgetHistory();
  }
  return null;
}
