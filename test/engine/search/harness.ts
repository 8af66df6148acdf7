// Searches for tests: from a FEN, with cleared tables, and with all reported lines.

import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { makeMove, unmakeMove } from '../../../engine/board/kernel.js';
import { moveToUci } from '../../../engine/board/move.js';
import { type GameEnd, gameEnd, legalMoves, parseUciMove } from '../../../engine/board/rules.js';
import { control, type Limits, newGame, PONDER_HIT, STOP, search } from '../../../engine/engine.js';
import type { SearchInfo, SearchOptions, SearchResult } from '../../../engine/search/root/iterate.js';

export const KIWIPETE = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1';
export const MIDDLEGAME = 'r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8';
export const ENDGAME = '8/5pk1/1p2p1p1/3r3p/P3R2P/1P3NP1/2b2PK1/8 w - - 0 40';

export interface Run extends SearchResult {
  /** The best move as text. */
  best: string;
  infos: SearchInfo[];
}

/** Searches the current position, with its history, after newGame(). */
export function searchHere(
  limits: Limits,
  options: Partial<SearchOptions> = {},
  watch?: (info: SearchInfo) => void,
): Run {
  newGame();
  control.flags[STOP] = 0;
  control.flags[PONDER_HIT] = 0;
  const infos: SearchInfo[] = [];
  const result = search(
    limits,
    (info) => {
      infos.push(info);
      watch?.(info);
    },
    options,
  );
  return { ...result, best: moveToUci(result.bestMove), infos };
}

/** Searches the position of a FEN after newGame(). */
export function searchFrom(fen: string, limits: Limits, options: Partial<SearchOptions> = {}): Run {
  parseFen(fen);
  return searchHere(limits, options);
}

/** Returns the packed moves of UCI texts in the current position. */
export function movesOf(...texts: string[]): Move[] {
  return texts.map(parseUciMove);
}

/** Plays the line, returns the end of the game and the FEN, and takes the line back; throws at an illegal move. */
export function endOfLine(line: readonly Move[]): { end: GameEnd | null; fen: string } {
  const played: Move[] = [];
  try {
    for (const move of line) {
      if (!legalMoves().includes(move)) throw new Error(`${moveToUci(move)} is illegal in ${formatFen()}`);
      makeMove(move);
      played.push(move);
    }
    return { end: gameEnd(), fen: formatFen() };
  } finally {
    for (const move of played.reverse()) unmakeMove(move);
  }
}
