// Search results as UCI lines.

import { moveToUci, NO_MOVE } from '../board/move.js';
import { isChess960 } from '../board/position.js';
import { MATE_BOUND, mateMoves, type RootMove, type SearchInfo, type SearchResult } from '../engine.js';
import { DRAW } from '../search/score.js';
import { materialOnBoard, wdlOf } from '../strength/wdl.js';

/** Returns the score for the side to move as `cp N` or `mate N`. */
export function formatScore(score: number): string {
  return Math.abs(score) >= MATE_BOUND ? `mate ${mateMoves(score)}` : `cp ${score}`;
}

/**
 * Returns the probabilities as `wdl W D L`, per mille, for the side to move in the current position. Without a legal move, the result of
 * the game gets 1000.
 */
function formatWdl({ score, pv }: SearchInfo): string {
  if (pv.length === 0 && score === DRAW) return 'wdl 0 1000 0';
  const { win, draw, loss } = wdlOf(score, materialOnBoard());
  return `wdl ${win} ${draw} ${loss}`;
}

/** Returns the info line of a search, with or without WDL. */
export function formatInfo(info: SearchInfo, showWdl: boolean): string {
  const bound = info.bound === 'exact' ? '' : ` ${info.bound}bound`;
  const score = `${formatScore(info.score)}${bound}${showWdl ? ` ${formatWdl(info)}` : ''}`;
  if (info.pv.length === 0) return `info depth ${info.depth} score ${score}`;
  const nps = Math.round((1000 * info.nodes) / Math.max(1, info.time));
  const pv = info.pv.map((move) => moveToUci(move, isChess960())).join(' ');
  return (
    `info depth ${info.depth} seldepth ${info.seldepth} multipv ${info.multipv} score ${score} ` +
    `nodes ${info.nodes} nps ${nps} hashfull ${info.hashfull} time ${info.time} pv ${pv}`
  );
}

/** Returns the bestmove line; `(none)` without a legal move. */
export function formatBestMove(result: SearchResult): string {
  if (result.bestMove === NO_MOVE) return 'bestmove (none)';
  const ponder = result.ponderMove === NO_MOVE ? '' : ` ponder ${moveToUci(result.ponderMove, isChess960())}`;
  return `bestmove ${moveToUci(result.bestMove, isChess960())}${ponder}`;
}

const MESSAGE_LENGTH = 300;

/** Returns a text as one info line of limited length, because quoted input may be long and contain line breaks. */
export function formatMessage(text: string): string {
  const plain = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return `info string ${plain.length > MESSAGE_LENGTH ? `${plain.slice(0, MESSAGE_LENGTH)}…` : plain}`;
}

/** Returns the `currmove` line. */
export function formatRootMove({ depth, move, number }: RootMove): string {
  return `info depth ${depth} currmove ${moveToUci(move, isChess960())} currmovenumber ${number}`;
}
