// The parameters of `go`: any order, any subset, several limits together.

import type { Move } from '../board/move.js';
import { parseUciMove } from '../board/rules.js';
import type { Limits } from '../search/root/limits.js';

const NUMBERS = ['wtime', 'btime', 'winc', 'binc', 'movestogo', 'depth', 'nodes', 'mate', 'movetime'] as const;
const LIMITING = ['wtime', 'btime', 'depth', 'nodes', 'mate', 'movetime'] as const;
type NumberField = (typeof NUMBERS)[number];

/** A `go` line: a search with limits, or a perft to a depth. */
export type Go = { kind: 'search'; limits: Limits } | { kind: 'perft'; depth: number };

/** Parses the words after `go`. Unknown words and malformed numbers are skipped. */
export function parseGo(words: readonly string[]): Go {
  const limits: Limits = {};
  const searchMoves: Move[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i].toLowerCase();
    const number = Number.parseInt(words[i + 1] ?? '', 10);
    if (word === 'perft') return { kind: 'perft', depth: Number.isNaN(number) ? 1 : Math.max(1, number) };
    if (word === 'infinite') limits.infinite = true;
    else if (word === 'ponder') limits.ponder = true;
    else if (word === 'searchmoves') {
      for (; i + 1 < words.length && parseUciMove(words[i + 1].toLowerCase()) !== 0; i++) {
        searchMoves.push(parseUciMove(words[i + 1].toLowerCase()));
      }
    } else if (isNumberField(word) && !Number.isNaN(number)) {
      setNumber(limits, word, number);
      i++;
    }
  }
  if (searchMoves.length > 0) limits.searchMoves = searchMoves;
  // Increments and moves to go mean nothing without a clock
  const isLimited = LIMITING.some((field) => limits[field] !== undefined);
  if (!isLimited && limits.ponder !== true) limits.infinite = true;
  return { kind: 'search', limits };
}

function isNumberField(word: string): word is NumberField {
  return NUMBERS.some((field) => field === word);
}

// A clock may have run out and a depth of 0 was meant as "at once": both still get a move
function setNumber(limits: Limits, field: NumberField, value: number): void {
  if (field === 'movestogo' && value <= 0) return;
  limits[field] = Math.max(field === 'depth' || field === 'nodes' || field === 'mate' ? 1 : 0, value);
}
