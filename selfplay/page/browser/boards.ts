// Draws the running games as cards, each redrawn in place after a move; clocks are updated in between.

import type { BoardView } from '../views.js';
import { moveList, scoreGraph, squaresOf } from './board-parts.js';
import { element, place, shape } from './elements.js';
import { clockText, resultText, scoreText, whole } from './formats.js';

interface Card {
  root: HTMLElement;
  verdict: HTMLElement;
  sides: [white: HTMLElement, black: HTMLElement];
  squares: SVGElement;
  scores: SVGElement;
  moves: HTMLElement;
  board: BoardView;
  /** When that board came. */
  at: number;
  /** What of it is drawn. */
  seen: string;
}

const cards: Card[] = [];

/** Shows the boards, each in the place it has in the list. */
export function drawBoards(boards: BoardView[]): void {
  while (cards.length > boards.length) cards.pop()!.root.remove();
  boards.forEach((board, i) => {
    if (cards[i] === undefined) {
      cards[i] = newCard(board);
      place('boards').append(cards[i].root);
    }
    drawCard(cards[i], board);
  });
}

/** Sets the clocks of the running games to the present moment. */
export function drawClocks(): void {
  for (const card of cards) if (card.board.end === null) drawSides(card, performance.now() - card.at);
}

function newCard(board: BoardView): Card {
  const verdict = element('div', { class: 'verdict' });
  const [white, black] = [element('div'), element('div')];
  const squares = shape('svg', { class: 'squares', viewBox: '0 0 360 360', role: 'img' });
  const scores = shape('svg', { class: 'scores', viewBox: '0 0 300 46', preserveAspectRatio: 'none' });
  const moves = element('div', { class: 'moves' });
  const root = element('article', { class: 'board' }, verdict, black, squares, white, scores, moves);
  return { root, verdict, sides: [white, black], squares, scores, moves, board, at: 0, seen: '' };
}

function drawCard(card: Card, board: BoardView): void {
  const { fen, scores, moves, end, game, round } = board;
  card.board = board;
  card.at = performance.now();
  drawSides(card, 0);
  const seen = `${game} ${moves.length} ${end?.result}`;
  if (card.seen === seen) return;
  card.seen = seen;
  card.root.classList.toggle('over', end !== null);
  card.squares.setAttribute('aria-label', fen);
  card.squares.replaceChildren(...squaresOf(board));
  card.scores.replaceChildren(...scoreGraph(scores));
  card.moves.replaceChildren(moveList(board));
  const outcome = end === null ? scoreText(scores.at(-1) ?? null) : `${resultText(end.result)} ${end.reason}`;
  card.verdict.replaceChildren(
    element('span', { class: 'number' }, `Game ${game}, round ${round}`),
    element('b', { class: 'outcome' }, outcome),
  );
}

function drawSides({ sides, board }: Card, sinceItCame: number): void {
  const { fen, players, clocks, depth, speed, end, waiting } = board;
  const turn = fen.split(' ')[1] === 'w' ? 0 : 1;
  sides.forEach((line, side) => {
    const isTurn = end === null && side === turn;
    line.className = `side ${side === 0 ? 'white' : 'black'}${isTurn ? ' turn' : ''}`;
    const left = clocks[side];
    const clock = left === null ? '' : clockText(left - (isTurn ? waiting + sinceItCame : 0));
    const pace = speed[side] > 0 ? `, ${whole(speed[side] / 1000)} kn/s` : '';
    const facts = depth[side] > 0 ? `depth ${depth[side]}${pace} ` : '';
    line.replaceChildren(
      element('b', { class: 'player' }, players[side]),
      element('span', {}, facts, element('em', {}, clock)),
    );
  });
}
