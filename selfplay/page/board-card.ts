// HTML of a running game: board, players with their clocks, graph of the scores, last moves.

import { MATE_BOUND, MATE_SCORE } from '../records/record.js';
import { diagram } from '../web/board.js';
import { count, entities } from '../web/page.js';
import type { BoardView } from './live-board.js';

/** Returns the card of a game. */
export function boardCard(board: BoardView): string {
  const { game, round, fen, last, scores, end } = board;
  const outcome = end === null ? scoreText(scores.at(-1) ?? null) : `${end.result} ${end.reason}`;
  return [
    '<article class="card">',
    `<p><small>Game ${game}, round ${round}</small> <b>${entities(outcome)}</b></p>`,
    sideLine(board, 1),
    diagram(fen, (_, square) => last.includes(square)),
    sideLine(board, 0),
    scoreGraph(scores),
    `<p class="moves">${entities(lastMoves(board))}</p>`,
    board.line.length === 0 ? '' : `<p class="line">expects ${entities(board.line.join(' '))}</p>`,
    '</article>',
  ].join('\n');
}

function sideLine({ fen, players, clocks, depth, speed, waiting, end }: BoardView, side: 0 | 1): string {
  const isTurn = end === null && side === (fen.split(' ')[1] === 'w' ? 0 : 1);
  const left = clocks[side];
  const facts = [
    ...(depth[side] > 0 ? [`depth ${depth[side]}`] : []),
    ...(speed[side] > 0 ? [`${count(Math.round(speed[side] / 1000))} kn/s`] : []),
    ...(left === null ? [] : [clockText(left - (isTurn ? waiting : 0))]),
  ];
  const name = `${side === 0 ? '○' : '●'} ${entities(players[side])}`;
  return `<p class="player">${isTurn ? `<b>${name}</b>` : name}<small>${facts.join(', ')}</small></p>`;
}

// White's winning chances above the line, Black's below; one pawn is a third of the height
function scoreGraph(scores: BoardView['scores']): string {
  const width = 300 / Math.max(80, scores.length);
  const bars = scores.map((score, i) => {
    const height = 22 * (2 / (1 + Math.exp(-(score ?? 0) / 150)) - 1);
    const top = 23 - Math.max(0, height);
    const colour = height > 0 ? 'var(--train)' : 'var(--muted)';
    const size = `width="${width.toFixed(2)}" height="${Math.abs(height).toFixed(1)}"`;
    return `<rect x="${(i * width).toFixed(2)}" y="${top.toFixed(1)}" ${size} fill="${colour}"/>`;
  });
  return `<svg class="scores" viewBox="0 0 300 46" preserveAspectRatio="none">${bars.join('')}</svg>`;
}

function lastMoves({ moves, firstPly }: BoardView): string {
  const from = Math.max(0, moves.length - 16);
  const words = moves.slice(from).map((move, i) => {
    const ply = firstPly + from + i;
    if (ply % 2 === 0) return `${ply / 2 + 1}. ${move}`;
    return i === 0 ? `${(ply + 1) / 2}… ${move}` : move;
  });
  return words.join(' ');
}

// Minutes and seconds; tenths if little time is left
function clockText(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 20) return seconds.toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

// White's score in pawns, or the moves to a mate
function scoreText(score: number | null): string {
  if (score === null) return '';
  const sign = score > 0 ? '+' : score < 0 ? '−' : '';
  const size = Math.abs(score);
  return sign + (size > MATE_BOUND ? `M${Math.ceil((MATE_SCORE - size) / 2)}` : (size / 100).toFixed(2));
}
