// Parser of the parameters of `go`, in any order and combination, and of `position` lines.

import { parseFen, STARTPOS } from '../board/fen.js';
import { NO_MOVE } from '../board/move.js';
import { advanceGame, MAX_PERFT, parseUciMove } from '../board/rules.js';
import type { Limits } from '../search/root/limits.js';
import { CLOCKS, LIMITING } from './command.js';

const NUMBERS = [...CLOCKS, 'depth', 'nodes', 'mate'] as const;
type NumberField = (typeof NUMBERS)[number];

/** A `go` line: a search with limits and the illegal moves of `searchmoves`, or a perft to a depth. */
export type Go = { kind: 'search'; limits: Limits; illegal: string[] } | { kind: 'perft'; depth: number };

const MOVE = /^[a-h][1-8][a-h][1-8][nbrqk]?$/i;

/** Parses the words after `go`. Unknown words are skipped, and so are parameters whose value does not begin with a number. */
export function parseGo(words: readonly string[]): Go {
  const limits: Limits = {};
  const searchMoves: Move[] = [];
  const illegal: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i].toLowerCase();
    const number = numberIn(words[i + 1] ?? '');
    if (word === 'perft') return { kind: 'perft', depth: Math.max(1, Math.min(MAX_PERFT, number || 1)) };
    if (word === 'infinite') limits.infinite = true;
    else if (word === 'ponder') limits.ponder = true;
    else if (word === 'searchmoves') {
      for (; MOVE.test(words[i + 1] ?? ''); i++) {
        const move = parseUciMove(words[i + 1].toLowerCase());
        if (move === NO_MOVE) illegal.push(words[i + 1]);
        else searchMoves.push(move);
      }
    } else if (isNumberField(word) && !Number.isNaN(number)) {
      // A search with an expired clock or a depth of 0 still returns a move
      const least = word === 'depth' || word === 'nodes' || word === 'mate' ? 1 : 0;
      if (word !== 'movestogo' || number > 0) limits[word] = Math.max(least, number);
      i++;
    }
  }
  if (searchMoves.length > 0) limits.searchMoves = searchMoves;
  if (limits.infinite === true) for (const field of CLOCKS) delete limits[field];
  // Increments and moves to go are meaningless without a clock
  const isLimited = LIMITING.some((field) => limits[field] !== undefined);
  if (!isLimited && limits.ponder !== true) limits.infinite = true;
  return { kind: 'search', limits, illegal };
}

/** Returns the integer part of a number such as 5000 or 5e3, or of a number at the beginning of the text; otherwise NaN. */
function numberIn(text: string): number {
  const number = Number(text);
  return text !== '' && Number.isFinite(number) ? Math.trunc(number) : Number.parseInt(text, 10);
}

const isNumberField = (word: string): word is NumberField => NUMBERS.some((field) => field === word);

/**
 * Sets up a `position` line, up to the first illegal move; returns a message about that move or unknown words, or null. Throws a FenError
 * and keeps the old position if the FEN is invalid.
 */
export function setUpPosition(line: string): string | null {
  const words = line.trim().split(/\s+/);
  const movesAt = words.indexOf('moves');
  const end = movesAt < 0 ? words.length : movesAt;
  const kind = words[1]?.toLowerCase();
  parseFen(kind === 'startpos' ? STARTPOS : words.slice(kind === 'fen' ? 2 : 1, end).join(' '));
  if (kind === 'startpos' && end > 2)
    return `unknown words after startpos: ${words.slice(2, end).join(' ')}; the word moves must precede the moves`;
  for (const text of words.slice(end + 1)) {
    const move = parseUciMove(text.toLowerCase());
    if (move === NO_MOVE) return `illegal move ${text}; this move and all later moves are ignored`;
    advanceGame(move);
  }
  return null;
}
