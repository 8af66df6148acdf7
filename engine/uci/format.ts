// How search results read in UCI's words.

import { formatFen } from '../board/fen.js';
import { moveToUci } from '../board/move.js';
import { board, isChess960 } from '../board/position.js';
import { PIECE_LETTERS } from '../board/types.js';
import { MATE_BOUND, mateMoves, type SearchInfo, type SearchResult } from '../engine.js';
import { currentWeights, gamePhase, rawScore } from '../eval/evaluate.js';
import { taper } from '../eval/score.js';
import { TERMS } from '../eval/terms.js';

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

/** Returns the board as text with its FEN, for the command `d`. */
export function formatBoard(): string[] {
  const lines: string[] = [' +---+---+---+---+---+---+---+---+'];
  for (let rank = 7; rank >= 0; rank--) {
    const cells = Array.from(board.slice(8 * rank, 8 * rank + 8), (piece) => PIECE_LETTERS[piece]);
    lines.push(` | ${cells.join(' | ')} | ${rank + 1}`, ' +---+---+---+---+---+---+---+---+');
  }
  return [...lines, '   a   b   c   d   e   f   g   h', '', `Fen: ${formatFen()}`];
}

/** Returns the static evaluation, in centipawns from White's side, for the command `eval`. */
export function formatEvaluation(): string[] {
  const { mg, eg } = rawScore();
  const phase = gamePhase();
  const { mg: values } = currentWeights();
  return [
    `Terms: ${TERMS.map(({ name }) => name).join(', ')} (${values.length} weights)`,
    `Middlegame ${mg}, endgame ${eg}, phase ${phase} of 24`,
    `Evaluation: ${taper(mg, eg, phase)} (White's side)`,
  ];
}
