// Reads PGN files of any size, plain or gzipped, game by game. An unreadable game is a problem named by file and line; reading
// continues with the next game.

import { FenError } from '../../engine/board/fen.js';
import type { Move } from '../../engine/board/move.js';
import type { PgnResult } from './pgn.js';
import { MovetextError, parseMovetext } from './pgn-movetext.js';
import { addProblem, type Problems } from './read-problems.js';
import { readLineBlocks } from './text-lines.js';

export interface PgnGame {
  tags: ReadonlyMap<string, string>;
  moves: Move[];
  /** The comments after each move, joined; empty where there is none. */
  comments: string[];
  /** As the movetext ends; the Result tag, if any, says the same. */
  result: PgnResult;
  file: string;
  /** Where the game begins. */
  line: number;
}

const TAG = /^\s*\[(\w+)\s+"(.*)"\s*\]\s*$/;
const NEW_GAME = /^\s*\[Event\s/;
/** Movetext longer than this is not one game's. */
const MAX_MOVETEXT = 1 << 22;

/** The lines of a game as they gather. */
interface Draft {
  tags: Map<string, string>;
  line: number;
  text: string[];
  /** Line of text[0]. */
  textLine: number;
  length: number;
  hasMoves: boolean;
  inComment: boolean;
}

/** Iterates the games of a file; uses the engine's position. UserError when the file cannot be read. */
export async function* readPgn(file: string, problems: Problems): AsyncGenerator<PgnGame> {
  let draft = newDraft(1);
  for await (const { lines, first } of readLineBlocks(file, problems)) {
    for (let i = 0; i < lines.length; i++) {
      if (beginsGame(draft, lines[i])) {
        const game = finish(draft, file, problems);
        draft = newDraft(first + i);
        if (game !== null) yield game;
      }
      addLine(draft, lines[i], first + i);
    }
  }
  const game = finish(draft, file, problems);
  if (game !== null) yield game;
}

function newDraft(line: number): Draft {
  return { tags: new Map(), line, text: [], textLine: line, length: 0, hasMoves: false, inComment: false };
}

// A comment may hold a line that looks like a tag; only an Event tag ends even a comment, since that one may lack its brace
function beginsGame(draft: Draft, line: string): boolean {
  if (!line.includes('[')) return false;
  if (NEW_GAME.test(line)) return draft.hasMoves || draft.tags.has('Event');
  return draft.hasMoves && !draft.inComment && TAG.test(line);
}

function addLine(draft: Draft, line: string, number: number): void {
  const tag = draft.hasMoves ? null : TAG.exec(line);
  if (tag !== null) {
    draft.tags.set(tag[1], tag[2].replace(/\\(["\\])/g, '$1'));
    return;
  }
  if (draft.tags.size === 0 && !draft.hasMoves) draft.line = number;
  if (!draft.hasMoves) draft.textLine = number;
  if (!draft.hasMoves && (line.trim() === '' || line.startsWith('%'))) return;
  draft.hasMoves = true;
  draft.length += line.length;
  if (draft.length > MAX_MOVETEXT) return;
  // A line that begins with % is not part of the game
  draft.text.push(line.startsWith('%') ? '' : line);
  const opened = line.lastIndexOf('{');
  const closed = line.lastIndexOf('}');
  if (opened !== closed) draft.inComment = opened > closed;
}

function finish(draft: Draft, file: string, problems: Problems): PgnGame | null {
  const { tags, line } = draft;
  if (!draft.hasMoves && tags.size === 0) return null;
  const report = (number: number, what: string): null => {
    addProblem(problems, file, number, what);
    return null;
  };
  if (draft.length > MAX_MOVETEXT) return report(line, 'the game has no end');
  const text = draft.text.join('\n');
  try {
    const { moves, comments, result } = parseMovetext(text, tags.get('FEN'));
    if (tags.size === 0 && moves.length === 0 && result === null) return null;
    const tag = tags.get('Result');
    if (result === null) return report(line, 'the game ends without a result: it is cut off');
    if (tag !== undefined && tag !== result)
      return report(line, `the Result tag says ${tag}, the moves end in ${result}`);
    return { tags, moves, comments, result, file, line };
  } catch (error) {
    if (error instanceof FenError) return report(line, `impossible FEN tag: ${error.message}`);
    if (!(error instanceof MovetextError)) throw error;
    return report(draft.textLine + text.slice(0, error.at).split('\n').length - 1, error.message);
  }
}
