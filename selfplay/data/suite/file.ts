// Reads suites of test positions: EPD with bm, am, dm or points (in a comment such as c0), or a tab-separated table with columns of these
// names. Moves must be legal in the position. The first invalid line throws a UserError that gives its location.

import { noProblems, UserError } from '../../common/errors.js';
import { setUpStart } from '../../games/board.js';
import { FenError, NO_MOVE } from '../../notation/board.js';
import { operandsOf, parsePositionLine } from '../../notation/epd.js';
import { legalMoveOf, moveOf } from '../../notation/moves.js';
import { splitFields } from '../../positions/table.js';
import { kindOfFile } from '../../records/file-kind.js';
import { readLineBlocks } from '../../text/files.js';
import { TOO_LONG } from '../../text/lines.js';

/** A position with its solutions. */
export interface Task {
  id: string;
  theme: string;
  /** Column `suite` of a table, or else column `theme`; empty for EPD. */
  suite: string;
  fen: string;
  /** Solving moves, and moves to avoid. */
  best: Move[];
  avoid: Move[];
  /** Moves to mate, or null. */
  mate: number | null;
  /** Points by move; may be empty. */
  points: Map<Move, number>;
  line: number;
}

const FOREIGN = { pgn: 'games in PGN', viriformat: 'games in viriformat', polyglot: 'a Polyglot book' };

/** Reads a suite. Overwrites the engine's position. Throws a UserError for an invalid line, or if there are no positions. */
export async function readSuite(file: string): Promise<Task[]> {
  const kind = await kindOfFile(file);
  if (kind !== 'positions') throw new UserError(`${file} holds ${FOREIGN[kind]}; a suite is an EPD file or a table`);
  const tasks: Task[] = [];
  const problems = noProblems();
  let columns: string[] | null = null;
  for await (const { lines, first, tooLong } of readLineBlocks(file, problems)) {
    for (const [i, line] of lines.entries()) {
      if (tooLong.includes(i)) throw new UserError(`${file}:${first + i}: ${TOO_LONG}`);
      if (line.trim() === '' || line.startsWith('#')) continue;
      const names = splitFields(line, '\t').map((name) => name.toLowerCase());
      if (tasks.length === 0 && columns === null && names.includes('fen')) {
        columns = names;
        continue;
      }
      try {
        tasks.push({ ...parseTask(line, columns, tasks.length + 1), line: first + i });
      } catch (error) {
        if (!(error instanceof FenError)) throw error;
        throw new UserError(`${file}:${first + i}: ${error.message}`);
      }
    }
  }
  if (problems.count > 0) throw new UserError(problems.messages[0]);
  if (tasks.length === 0) throw new UserError(`${file}: no test positions`);
  return tasks;
}

/** Fields of a line, as text. */
interface RawTask extends Pick<Task, 'suite' | 'fen'> {
  /** Texts that may contain points. */
  points: readonly string[];
  /** Returns the operands of the EPD operation, or the text of the column, with this name; empty if there is none. */
  field: (name: string) => string;
}

function parseTask(line: string, columns: readonly string[] | null, number: number): Omit<Task, 'line'> {
  const { suite, field, ...raw } = columns === null ? rawOfEpd(line) : rawOfRow(line, columns);
  const words = (name: string): string[] => field(name).match(/[^\s,;|]+/g) ?? [];
  const fen = setUpStart(raw.fen);
  const best = words('bm').map(legalMoveOf);
  const avoid = words('am').map(legalMoveOf);
  const [moves] = words('dm');
  const mate = moves === undefined ? null : Number(moves);
  if (mate !== null && !(mate > 0)) throw new FenError(`dm takes a number of moves, not '${moves}'`);
  const isSolvable = best.length > 0 || avoid.length > 0 || mate !== null;
  // A comment without a legal move, such as `depth=20`, has no points
  const scored = raw.points.find((text) => pairsOf(text).some(({ word }) => moveOf(word) > NO_MOVE));
  const points = parsePoints(scored ?? (isSolvable ? '' : (raw.points[0] ?? '')));
  if (!isSolvable && points.size === 0) {
    throw new FenError('nothing to solve: expected bm, am, dm or points such as c0 "e4=10, d4=5"');
  }
  const id = field('id') || `${number}`;
  return { id, theme: themeOf(id) || suite || 'all', suite, fen, best, avoid, mate, points };
}

function rawOfEpd(line: string): RawTask {
  const position = parsePositionLine(line);
  if (typeof position === 'string') throw new FenError(position);
  const { fen, operations } = position;
  // The points may be in any comment, c0 to c9; STS has them in c0
  const comments = operations.filter(({ name }) => /^c\d$/i.test(name)).map(({ operands }) => operands.join(' '));
  const points = comments.filter((text) => PAIR.test(text));
  return { suite: '', fen, points, field: (name) => operandsOf(operations, name)?.join(' ') ?? '' };
}

function rawOfRow(line: string, columns: readonly string[]): RawTask {
  const fields = splitFields(line, '\t');
  const field = (name: string): string => fields[columns.indexOf(name)] ?? '';
  const position = parsePositionLine(field('fen'));
  if (typeof position === 'string') throw new FenError(position);
  return { suite: field('suite') || field('theme'), fen: position.fen, points: [field('points')], field };
}

const PAIR = /[^\s,;=]\s*[=:]\s*\d/;

function pairsOf(text: string): { word: string; points: number }[] {
  const pairs = text.matchAll(/([^\s,;:]{1,40}?)\s*[=:]\s*(\d+(?:\.\d+)?)(?=[\s,;]|$)/g);
  return Array.from(pairs, ([, word, points]) => ({ word, points: Number(points) }));
}

function parsePoints(text: string): Map<Move, number> {
  return new Map(pairsOf(text).map(({ word, points }) => [legalMoveOf(word), points]));
}

// The final number of a name distinguishes the positions of a theme
const themeOf = (id: string): string => id.replace(/[\s.,#:_-]*\d+\s*$/, '').trim();
