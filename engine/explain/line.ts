// Explains the score of a line as an exact sum: the ideas in the static evaluation of its last position, and the contribution of the
// search.

import { formatFen } from '../board/fen.js';
import { makeMove, repetitionCount, unmakeMove } from '../board/kernel.js';
import { moveToUci } from '../board/move.js';
import { isChess960, state } from '../board/position.js';
import { formatSan, gameEnd } from '../board/rules.js';
import { WHITE } from '../board/types.js';
import { DRAW, MATE_BOUND, mateMoves } from '../search/score.js';
import type { Explanation, Reason } from './explanation.js';
import { IDEAS } from './ideas.js';
import { reasonOf } from './reasons.js';
import { describeScore, sentencesOf } from './sentences.js';
import { findShares, type Share } from './shares.js';

/** Explains a line from the current position and its score in centipawns for the side to move. The position does not change. */
export function explainLine(line: readonly Move[], score: number): Explanation {
  const us = state.stm;
  const uci = line.map((move) => moveToUci(move, isChess960()));
  const san: string[] = [];
  for (const move of line) {
    san.push(formatSan(move));
    makeMove(move);
  }
  const end = gameEnd();
  const leaf = formatFen();
  const isMate = Math.abs(score) >= MATE_BOUND;
  const { shares, total } = end === null && !isMate ? findShares() : { shares: [], total: 0 };
  const reasons = shares.map((share) => orient(share, us, total));
  const isRepeated = score === DRAW && repetitionCount() > 0;
  for (const move of line.toReversed()) unmakeMove(move);
  const evaluation = (us === WHITE ? total : -total) || 0;
  const search = isMate ? 0 : score - evaluation;
  const reported = isMate ? { mate: mateMoves(score) } : { cp: score };
  const facts = { score: reported, reasons, evaluation, line: uci, san, leaf, end, search };
  return { ...facts, sentences: sentencesOf(facts, us, isRepeated) };
}

function orient(share: Share, us: Color, total: number): Reason {
  const { idea, white, black, net } = share;
  const [own, other, cp] = us === WHITE ? [white, black, net] : [black, white, -net || 0];
  return { idea, title: IDEAS[idea], cp, own, other, ...reasonOf(share, total) };
}

/** Returns the sum as a text table. */
function formatSum({ score, reasons, search }: Explanation): string[] {
  if ('mate' in score || reasons.length === 0) return [];
  const row = (title: string, ...cells: (number | string)[]): string =>
    title.padEnd(24) + cells.map((cell) => `${cell}`.padStart(8)).join('');
  return [
    row('', 'own', 'other', 'sum'),
    ...reasons.map(({ title, own, other, cp }) => row(title, own, other, cp)),
    row('Search', '', '', search),
    row('Score', '', '', score.cp),
  ];
}

/** Returns the explanation as text. */
export const formatExplanation = (explanation: Explanation): string[] => [
  `${explanation.san.join(' ') || 'No legal move'}: ${describeScore(explanation.score)}`,
  ...explanation.sentences,
  ...formatSum(explanation),
];
