// The game in pasted text: a FEN, a FEN with moves, a UCI position command, or the first game of a PGN, up to the first fault.

import { quoted } from '../common/wording.js';
import { linesOf } from '../text/lines.js';
import { FenError, parseFen, STARTPOS } from './board.js';
import { beginsWithPosition, parsePositionLine } from './epd.js';
import { type GameFault, isProse, readGame } from './game.js';
import { gamesOfLines } from './move-lines.js';
import { playWords } from './moves.js';
import { Scanner } from './scanner.js';

export interface TextGame {
  /** FEN of the first position. */
  start: string;
  moves: Move[];
  /** The fault after the last move, with its line, or empty. */
  problem: string;
}

/** Returns the first game of a text; throws an Error if there is none. Overwrites the engine's position. */
export function readTextGame(text: string): TextGame {
  const block = linesOf(text);
  const at = block.lines.findIndex((line) => line.trim() !== '');
  const first = block.lines[at] ?? '';
  if (beginsWithPosition(first)) return positionGame(first, at + 1, block.lines.slice(at + 1));
  if (looksLikePosition(first)) throw new FenError(String(parsePositionLine(first)));
  return pgnGame(block);
}

// Any text that looks like ranks, even too few of them
const looksLikePosition = (line: string): boolean => /^\s*[1-8pnbrqkPNBRQK]+(?:\/[1-8pnbrqkPNBRQK]+)+\s/.test(line);

function positionGame(line: string, number: number, others: readonly string[]): TextGame {
  const position = parsePositionLine(line);
  if (typeof position === 'string') throw new FenError(position);
  const { fen: start, moves: words, rest, isWhole } = position;
  parseFen(start);
  const { moves, problem } = playWords(words);
  if (problem !== '') return { start, moves, problem: `line ${number}: ${problem}` };
  // Moves may follow the position as in PGN; a further position is ignored
  const hasMoves = /^\s*(?:\d+\.|[a-hKQRBNO])/.test(rest);
  const further = words.length > 0 ? [] : [hasMoves ? rest : '', ...untilPosition(others)];
  const draft = Scanner.movetextOf(further, number);
  // Without this check, invalid castling rights or en-passant squares would be dropped silently. Other text may be a result, a comment or
  // an operation
  const isWrong = !isWhole && /^\s+[A-Za-z]\S{0,3}(?:\s+(?:-|[a-h][1-8]))?(?:\s+\d+){0,2}\s*$/.test(rest);
  const unread = isWrong ? `line ${number}: castling rights or en-passant square not read: ${quoted(rest.trim())}` : '';
  if (draft === undefined || draft.words.length === 0) return { start, moves, problem: unread };
  draft.tags.set('FEN', start);
  const { game, fault } = readGame(draft);
  if (game.moves.length === 0) return { start, moves, problem: unread };
  return { start, moves: game.moves, problem: problemOf(fault) || (hasMoves ? '' : unread) };
}

// Faults of the result are ignored, because only the moves are used
function problemOf(fault: GameFault | null): string {
  return fault === null || fault.kind === 'result' ? '' : `line ${fault.line}: ${fault.what}`;
}

function untilPosition(lines: readonly string[]): string[] {
  const end = lines.findIndex(beginsWithPosition);
  return lines.slice(0, end < 0 ? undefined : end);
}

function pgnGame(block: ReturnType<typeof linesOf>): TextGame {
  const scanner = new Scanner();
  for (const draft of [...scanner.push(block), ...scanner.finish()].flatMap(gamesOfLines)) {
    const read = readGame(draft);
    const { game, fault } = read;
    if (isProse(draft, read)) continue;
    if (game.variant !== '') throw new Error(`variant ${game.variant} is not supported`);
    const problem = problemOf(fault);
    if (game.moves.length === 0 && problem !== '') throw new Error(problem);
    const start = draft.tags.get('FEN');
    if (game.moves.length === 0 && start === undefined) continue;
    return { start: start ?? STARTPOS, moves: game.moves, problem };
  }
  throw new Error('the text contains neither a FEN nor a game');
}
