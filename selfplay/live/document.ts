// The live page as one self-contained HTML file. The server sends changed parts as HTML, which the script inserts.

import { thousands } from '../common/wording.js';
import { MATE_BOUND, MATE_SCORE } from '../records/record.js';
import { diagram } from '../web/board.js';
import { contentPolicy, entities, reportPage } from '../web/html.js';
import { REPLAY_SCRIPT, replayOf } from './replay.js';
import { runView, windowTitle } from './run-view.js';
import { type LiveBoard, plyOf } from './running-board.js';
import type { PageState } from './state.js';

const SCRIPT = `${REPLAY_SCRIPT}
const events = new EventSource('/events');
const on = (name, show) => events.addEventListener(name, ({ data }) => show(data && JSON.parse(data)));
on('title', (title) => { document.title = title; });
on('boards', (html) => { document.getElementById('boards').innerHTML = html; });
on('run', (html) => { document.getElementById('run').innerHTML = html; });
on('replays', (replays) => replays.forEach(keep));
on('end', () => events.close());
on('error', () => { document.title = 'no connection to the match'; });
`;

/** The page's content security policy, which allows only inline styles, data images, its own script and connections to its server. */
export const LIVE_POLICY = contentPolicy([SCRIPT], "connect-src 'self'");

/** The changing parts of the page by event name, as HTML; the title is text, and the replays are objects, sent only at the end. */
export const LIVE_PARTS = {
  title: windowTitle,
  run: (state: PageState) => runView(state),
  boards: (state: PageState) => state.currentBoards().map(boardCard).join('\n'),
  replays: ({ recent }: PageState) => recent.map(replayOf),
};

/** Returns the page. `isLive` adds the script that receives updates from the server. */
export function pageDocument(state: PageState, isLive: boolean): string {
  const { title, engines, folder } = state.description;
  const body = [
    `<div id="boards" class="games">${LIVE_PARTS.boards(state)}</div>`,
    '<div id="replay"></div>',
    `<div id="run">${runView(state, isLive)}</div>`,
    isLive ? `<script>${SCRIPT}</script>` : '',
  ];
  const summary = [...new Set(engines), folder].join(' · ');
  return reportPage(`Heft match: ${title}`, summary, body, '', isLive ? LIVE_POLICY : undefined);
}

// HTML of a running game: board, players with their clocks, graph of the scores, last moves.

function boardCard(board: LiveBoard): string {
  const { begin, fen, last, scores, end } = board;
  const outcome = end === null ? scoreText(scores.at(-1) ?? null) : `${end.result} ${end.reason}`;
  return [
    '<article class="card">',
    `<p><small>Game ${begin.index + 1}, round ${begin.pairing.round}</small> <b>${entities(outcome)}</b></p>`,
    sideLine(board, 1),
    diagram(fen, (_, square) => last.includes(square)),
    sideLine(board, 0),
    scoreGraph(scores),
    `<p class="moves">${entities(lastMoves(board))}</p>`,
    board.line.length === 0 ? '' : `<p class="line">expects ${entities(board.line.join(' '))}</p>`,
    '</article>',
  ].join('\n');
}

function sideLine({ begin, fen, clocks, depth, speed, waiting, end }: LiveBoard, side: 0 | 1): string {
  const isTurn = end === null && side === (fen.split(' ')[1] === 'w' ? 0 : 1);
  const left = clocks[side];
  const facts = [
    ...(depth[side] > 0 ? [`depth ${depth[side]}`] : []),
    ...(speed[side] > 0 ? [`${thousands(Math.round(speed[side] / 1000))} kn/s`] : []),
    ...(left === null ? [] : [clockText(left - (isTurn ? waiting : 0))]),
  ];
  const name = side === 0 ? `○ ${entities(begin.white)}` : `● ${entities(begin.black)}`;
  return `<p class="player">${isTurn ? `<b>${name}</b>` : name}<small>${facts.join(', ')}</small></p>`;
}

// White's advantage is drawn above the line, Black's below. A score of one pawn fills about a third of its half
function scoreGraph(scores: LiveBoard['scores']): string {
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

function lastMoves({ moves, begin }: LiveBoard): string {
  const firstPly = plyOf(begin.opening.start);
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

// White's score in pawns, or the number of moves to mate
function scoreText(score: number | null): string {
  if (score === null) return '';
  const sign = score > 0 ? '+' : score < 0 ? '−' : '';
  const size = Math.abs(score);
  return sign + (size > MATE_BOUND ? `M${Math.ceil((MATE_SCORE - size) / 2)}` : (size / 100).toFixed(2));
}
