// How search results read in UCI's words.

import { moveToUci } from '../board/move.js';
import { isChess960 } from '../board/position.js';
import { MATE_BOUND, mateMoves, type RootMove, type SearchInfo, type SearchResult } from '../engine.js';

/** Returns the score as `cp N` or `mate N`. */
export function formatScore(score: number): string {
  return Math.abs(score) >= MATE_BOUND ? `mate ${mateMoves(score)}` : `cp ${score}`;
}

/** Returns the info line of a search. */
export function formatInfo(info: SearchInfo): string {
  const bound = info.bound === 'exact' ? '' : ` ${info.bound}bound`;
  const score = formatScore(info.score);
  if (info.pv.length === 0) return `info depth ${info.depth} score ${score}${bound}`;
  const nps = Math.round((1000 * info.nodes) / Math.max(1, info.time));
  const pv = info.pv.map((move) => moveToUci(move, isChess960())).join(' ');
  return (
    `info depth ${info.depth} seldepth ${info.seldepth} multipv ${info.multipv} score ${score}${bound} ` +
    `nodes ${info.nodes} nps ${nps} hashfull ${info.hashfull} time ${info.time} pv ${pv}`
  );
}

/** Returns the bestmove line; `(none)` when there is no legal move. */
export function formatBestMove(result: SearchResult): string {
  if (result.bestMove === 0) return 'bestmove (none)';
  const ponder = result.ponderMove === 0 ? '' : ` ponder ${moveToUci(result.ponderMove, isChess960())}`;
  return `bestmove ${moveToUci(result.bestMove, isChess960())}${ponder}`;
}

const MESSAGE_LENGTH = 300;

/** Returns a text as one info line: what it quotes of the input may hold line breaks and be of any length. */
export function formatMessage(text: string): string {
  const plain = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return `info string ${plain.length > MESSAGE_LENGTH ? `${plain.slice(0, MESSAGE_LENGTH)}…` : plain}`;
}

/** Returns the line that says which root move the search has turned to. */
export function formatRootMove({ depth, move, number }: RootMove): string {
  return `info depth ${depth} currmove ${moveToUci(move, isChess960())} currmovenumber ${number}`;
}
