// The page's board: cm-chessboard, limited to the legal moves of a position.

import { Chessboard, type MoveInput } from 'cm-chessboard/src/Chessboard.js';
import { Arrows } from 'cm-chessboard/src/extensions/arrows/Arrows.js';
import { Markers } from 'cm-chessboard/src/extensions/markers/Markers.js';
import { PromotionDialog } from 'cm-chessboard/src/extensions/promotion-dialog/PromotionDialog.js';
import type { LegalMove, Position } from '../../engine/library/types.js';
import type { Side } from './clock.js';
import { describeBoard } from './words.js';

const DOT = { class: 'marker-dot', slice: 'markerDot', position: 'above' };
const RING = { class: 'marker-bevel', slice: 'markerRing' };
const NAMED = { class: 'marker-named', slice: 'markerNamed' };
const FOR = { class: 'arrow-for' };
const AGAINST = { class: 'arrow-against' };
const LAST = { class: 'marker-last', slice: 'markerSquare' };

/** A move and a better one, in UCI notation, and squares to mark. */
export interface Marks {
  move: string;
  better?: string;
  squares: readonly string[];
}

/** Creates an interactive board in the element; `onMove` receives moves in UCI notation. */
export function createBoard(element: HTMLElement, onMove: (uci: string) => void) {
  let position: Position | null = null;
  let isFree = false;
  const board = new Chessboard(element, {
    assetsCache: true,
    style: { cssClass: 'default', animationDuration: 150 },
    extensions: [{ class: Markers, props: { autoMarkers: null } }, { class: Arrows }, { class: PromotionDialog }],
  });

  // The surrounding element contains the description of the board
  const drawing = element.querySelector('svg');
  drawing?.removeAttribute('role');
  drawing?.setAttribute('aria-hidden', 'true');

  const movesFrom = (square: string): LegalMove[] =>
    (position?.legalMoves() ?? []).filter(({ uci }) => uci.startsWith(square));
  const isTaken = (square: string): boolean => typeof board.getPiece(square) === 'string';
  const clearHints = (): void => {
    board.removeMarkers(DOT);
    board.removeMarkers(RING);
  };

  const start = (square: string): boolean => {
    clearHints();
    const moves = isFree ? movesFrom(square) : [];
    for (const target of new Set(moves.map(({ uci }) => uci.slice(2, 4)))) {
      board.addMarker(isTaken(target) ? RING : DOT, target);
    }
    return moves.length > 0;
  };

  // The board can move only one piece. Castling and en passant are therefore refused here, and the new position is shown afterwards
  const finish = ({ squareFrom, squareTo }: MoveInput): boolean => {
    const moves = movesFrom(squareFrom + squareTo);
    clearHints();
    if (moves.length > 1) {
      const before = position;
      board.showPromotionDialog(squareTo, before?.turn === 'white' ? 'w' : 'b', ({ piece }) => {
        // The dialog stays open if the game changes in the meantime
        if (piece !== undefined && position === before) onMove(`${squareFrom}${squareTo}${piece[1]}`);
      });
    }
    if (moves.length !== 1) return false;
    const [{ uci, san }] = moves;
    setTimeout(() => onMove(uci));
    const isEnPassant = san.includes('x') && !isTaken(squareTo);
    return !san.startsWith('O-O') && !isEnPassant;
  };

  board.enableMoveInput((event) => {
    if (event.type === 'moveInputStarted') return start(event.squareFrom);
    if (event.type === 'validateMoveInput') return finish(event);
    if (event.type === 'moveInputCanceled') clearHints();
    return true;
  });
  const clearPointers = (): void => {
    board.removeArrows();
    board.removeMarkers(NAMED);
  };
  return {
    /** Draws arrows for a move and a better one, and marks squares of the explanation. */
    point: ({ move, better, squares }: Marks): void => {
      clearPointers();
      const draw = (type: object, uci: string): void => board.addArrow(type, uci.slice(0, 2), uci.slice(2, 4));
      draw(better === undefined ? FOR : AGAINST, move);
      if (better !== undefined) draw(FOR, better);
      for (const square of squares) board.addMarker(NAMED, square);
    },
    /** Shows a position and the last move; accepts moves if `canMove`. */
    show: (shown: Position, canMove: boolean): void => {
      position = shown;
      isFree = canMove;
      clearHints();
      clearPointers();
      element.setAttribute('aria-label', describeBoard(shown));
      board.removeMarkers(LAST);
      const last = shown.moves.at(-1);
      if (last !== undefined) for (const square of [last.slice(0, 2), last.slice(2, 4)]) board.addMarker(LAST, square);
      void board.setPosition(shown.fen, true);
    },
    orientation: (): Side => (board.getOrientation() === 'w' ? 'white' : 'black'),
    setOrientation: (side: Side) => void board.setOrientation(side === 'white' ? 'w' : 'b'),
  };
}
