// `why`: explains the last search as text or JSON, or a given line with its score as JSON.

import { makeMove, unmakeMove } from '../board/kernel.js';
import { NO_MOVE } from '../board/move.js';
import { parseUciMove } from '../board/rules.js';
import { explainLine, formatExplanation } from '../explain/line.js';
import { MATE } from '../search/score.js';
import { formatMessage } from './format.js';

/** A line from the current position, and its score for the side to move. */
export interface KnownLine {
  pv: readonly Move[];
  score: number;
}

/** Maximum number of plies of a line, because the board records only a limited number of moves. */
const LONGEST = 1000;

const USAGE = 'why: this position has not been searched; use go first';

/** Returns the answer to `why`, `why json` or `why json cp N|mate N pv MOVES`: an explanation, or an error message. */
export function answerWhy(words: readonly string[], last: KnownLine | null): string[] {
  const [format, ...line] = words;
  const isJson = format?.toLowerCase() === 'json';
  try {
    if (!isJson && format !== undefined) fail(`why: unknown word '${format}'`);
    const { pv, score } = parseLine(line) ?? last ?? fail(USAGE);
    const explanation = explainLine(pv, score);
    return isJson ? [`why ${JSON.stringify(explanation)}`] : formatExplanation(explanation);
  } catch (error) {
    return [formatMessage(`error: ${(error as Error).message}`)];
  }
}

function fail(message: string): never {
  throw new Error(message);
}

// Returns null if no line is given
function parseLine(words: readonly string[]): KnownLine | null {
  if (words.length === 0) return null;
  const [kind, value, pvWord, ...texts] = words;
  const number = Number(value);
  if ((kind !== 'cp' && kind !== 'mate') || !Number.isInteger(number) || pvWord !== 'pv')
    fail('why json needs cp N or mate N, and pv with moves');
  if (texts.length > LONGEST) fail(`why: the line has more than ${LONGEST} moves`);
  const pv: Move[] = [];
  try {
    for (const text of texts) {
      const move = parseUciMove(text.toLowerCase());
      if (move === NO_MOVE) fail(`why: ${text} is not legal at that point in the line`);
      makeMove(move);
      pv.push(move);
    }
  } finally {
    for (const move of pv.toReversed()) unmakeMove(move);
  }
  return { pv, score: kind === 'cp' ? number : mateScore(number) };
}

/** Returns the score of a mate in this many moves; `moves` is 0 or negative if the side to move is mated. */
const mateScore = (moves: number): number => (moves > 0 ? MATE - 2 * moves + 1 : -MATE - 2 * moves);
