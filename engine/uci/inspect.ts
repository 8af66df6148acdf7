// Commands for inspection: the board with its FEN and key, the flipped position, the evaluation by term, and perft by root move.

import { pieceAttacks } from '../board/bitboards/attacks.js';
import { hasSquare } from '../board/bitboards/bitboard.js';
import { PAWN_ATTACKS } from '../board/bitboards/tables.js';
import { formatFen } from '../board/fen.js';
import { makeMove, perft, unmakeMove } from '../board/kernel.js';
import { moveToUci } from '../board/move.js';
import { ALL_BLACK, ALL_WHITE, bb, board, isChess960, keys, kingSquare, state } from '../board/position.js';
import { legalMoves } from '../board/rules.js';
import { describePosition, setPosition } from '../board/setup.js';
import { BLACK, NO_PIECE, NO_SQUARE, PAWN, PIECE_LETTERS, squareName, WHITE } from '../board/types.js';
import { endgameValue } from '../eval/endgame/endgame.js';
import { gamePhase, type RawScore, rawScore, traceEvaluate } from '../eval/kernel.js';
import { dangerValue, MAX_PHASE, taper } from '../eval/score.js';
import { TERMS, type Term } from '../eval/terms.js';
import { currentWeights } from '../eval/weights-in-use.js';
import { traceCounts } from '../eval/workspace.js';
import { dangerCount } from '../explain/shares.js';
import { isStopRaised } from '../kernel/primitives.js';

/** Returns the board as text with its FEN, its key and the pieces that give check. */
export function formatBoard(): string[] {
  const lines: string[] = [' +---+---+---+---+---+---+---+---+'];
  for (let rank = 7; rank >= 0; rank--) {
    const cells = Array.from(board.slice(8 * rank, 8 * rank + 8), (piece) => PIECE_LETTERS[piece]);
    lines.push(` | ${cells.join(' | ')} | ${rank + 1}`, ' +---+---+---+---+---+---+---+---+');
  }
  return [
    ...lines,
    '   a   b   c   d   e   f   g   h',
    '',
    `Fen: ${formatFen()}`,
    `Key: ${keys.position.toString(16).toUpperCase().padStart(16, '0')}`,
    `Checkers: ${checkers().map(squareName).join(' ')}`.trimEnd(),
  ];
}

function checkers(): Square[] {
  const king = kingSquare[state.stm];
  const occupied = bb[ALL_WHITE] | bb[ALL_BLACK];
  return Array.from(board.keys()).filter((from) => {
    const piece = board[from];
    if (piece === NO_PIECE || piece >> 3 === state.stm) return false;
    const type = piece & 7;
    const attacks = type === PAWN ? PAWN_ATTACKS[((piece >> 3) << 6) | from] : pieceAttacks(type, from, occupied);
    return hasSquare(attacks, king);
  });
}

/** Exchanges the colours and mirrors the board; the new position is equivalent for the side to move. Clears the history. */
export function flipPosition(): void {
  const setup = describePosition();
  setPosition({
    ...setup,
    board: Array.from(setup.board, (_, square) => {
      const piece = setup.board[square ^ 56];
      return piece === NO_PIECE ? NO_PIECE : piece ^ 8;
    }),
    sideToMove: setup.sideToMove ^ 1,
    epSquare: setup.epSquare === NO_SQUARE ? NO_SQUARE : setup.epSquare ^ 56,
    castlingRooks: setup.castlingRooks.map((rook) => rook ^ 56),
  });
}

/** Returns the static evaluation term by term, in centipawns from White's side: White's share minus Black's. */
export function formatEvaluation(): string[] {
  const phase = gamePhase();
  const rows = evaluateByTerm().map(({ name, mg, eg }) => formatRow(name, mg, eg, taper(mg, eg, phase)));
  const { mg, eg } = rawScore();
  const total = taper(mg, eg, phase);
  const score = endgameValue(total);
  const known = score - total;
  return [
    formatRow('Term', 'Middlegame', 'Endgame', 'Tapered'),
    ...rows,
    ...(known === 0 ? [] : [formatRow('knownEndgame', known, known, known)]),
    formatRow('Total', mg + known, eg + known, score),
    `Phase: ${phase} of ${MAX_PHASE}`,
    `Evaluation: ${score} (White's side)`,
  ];
}

function formatRow(name: string, ...cells: (number | string)[]): string {
  return name.padEnd(20) + cells.map((cell) => `${cell}`.padStart(12)).join('');
}

/** Danger terms share one row, because only their sum has a value. */
const rowOf = ({ name, act }: Term): string => (act === 'danger' ? DANGER : act === 'factor' ? SCALE : name);
const DANGER = 'kingAttack';
const SCALE = 'endgameScale';

// Multiplies the counts of one traced evaluation by the weights. The endgame factor is shown as its effect on the endgame total
function evaluateByTerm(): { name: string; mg: number; eg: number }[] {
  const { eg: scaled } = rawScore();
  traceEvaluate();
  const weights = currentWeights();
  const names = [...new Set(TERMS.map(rowOf))];
  const rows = names.map((name) => ({ name, mg: 0, eg: 0 }));
  const rowNamed = (name: string): RawScore => rows[names.indexOf(name)];
  for (const phase of ['mg', 'eg'] as const) {
    const danger = [0, 0];
    for (const term of TERMS) {
      const row = rowNamed(rowOf(term));
      for (let i = term.offset; i < term.offset + term.size; i++) {
        if (term.act === 'sum') row[phase] += traceCounts[i] * weights[phase][i];
        if (term.act !== 'danger') continue;
        for (const side of [WHITE, BLACK]) danger[side] += dangerCount(side, i) * weights[phase][i];
      }
    }
    rowNamed(DANGER)[phase] = dangerValue(danger[WHITE]) - dangerValue(danger[BLACK]);
  }
  rowNamed(SCALE).eg = scaled - rows.reduce((sum, { eg }) => sum + eg, 0);
  return rows;
}

/** Returns each root move in UCI notation with its perft count. A stop ends the list after the interrupted move. */
export function divide(depth: number): [move: string, count: number][] {
  const counts: [string, number][] = [];
  for (const move of legalMoves()) {
    makeMove(move);
    counts.push([moveToUci(move, isChess960()), perft(depth - 1, true)]);
    unmakeMove(move);
    if (isStopRaised()) break;
  }
  return counts;
}
