// Reads score, depth and nodes from the last exact `info` line of a search. As in fastchess, a bound from an interrupted aspiration window
// counts only if there is no exact score.

import { MATE_BOUND, MATE_SCORE } from '../records/record.js';

/** A search as reported by its engine. `score` is in centipawns for the side to move, or null if the engine sent none. */
export interface UciInfo {
  score: number | null;
  depth: number;
  nodes: number;
  /** The principal variation as sent. */
  line: string;
  /** The `info` line without its principal variation and its `string`. */
  fields: string;
}

/** Stores the relevant `info` line of a running search. Scans each chunk of output once, from its end. */
export class InfoCollector {
  private exact = '';
  private bound = '';

  /** Resets for a new search. */
  clear(): void {
    this.exact = '';
    this.bound = '';
  }

  /** Reads whole lines of output, without the last newline. */
  add(text: string): void {
    let bound = '';
    for (let end = text.length; end > 0; ) {
      const start = text.lastIndexOf('\n', end - 1) + 1;
      const [line] = text.slice(start, end).trimStart().split(' string ', 1);
      end = start - 1;
      if (!line.startsWith('info ') || !line.includes(' score ')) continue;
      if (numberAfter(line, ' multipv ') > 1) continue;
      if (!line.includes('bound')) {
        this.exact = line;
        return;
      }
      if (bound === '') bound = line;
    }
    if (bound !== '') this.bound = bound;
  }

  /** Returns the fields of the stored line. */
  read(): UciInfo {
    return parseUciInfo(this.exact || this.bound);
  }
}

/** Fields that some engines send after the principal variation. */
const AFTER_LINE = / (?=(?:score|depth|seldepth|nodes|nps|time|multipv|hashfull|tbhits|cpuload) )/;

/** Parses an `info` line without its `string`; missing or non-numeric fields are 0, the score null. */
function parseUciInfo(text: string): UciInfo {
  const [before, after = ''] = text.split(/ pv (.*)/, 2);
  const [line, ...more] = after.split(AFTER_LINE);
  const fields = [before, ...more].join(' ');
  const mate = numberAfter(fields, ' mate ');
  return {
    score: Number.isNaN(mate) ? clampCentipawns(numberAfter(fields, ' cp ')) : mateScore(mate),
    depth: numberAfter(fields, ' depth ') || 0,
    nodes: numberAfter(fields, ' nodes ') || 0,
    line: line.trim(),
    fields,
  };
}

/** Returns the number after a word such as ` depth `, or NaN. */
export function numberAfter(text: string, word: string): number {
  const at = text.indexOf(word);
  return at < 0 ? Number.NaN : Number.parseInt(text.slice(at + word.length), 10);
}

function clampCentipawns(score: number): number | null {
  return Number.isNaN(score) ? null : Math.max(-MATE_BOUND, Math.min(MATE_BOUND, score));
}

const LONGEST_MATE = MATE_SCORE - MATE_BOUND - 1;

// UCI counts the winner's moves: a mate in n takes n moves and n - 1 replies. Some engines send a number that stands for no distance
function mateScore(moves: number): number {
  const plies = Math.min(LONGEST_MATE, moves > 0 ? 2 * moves - 1 : -2 * moves);
  return moves > 0 ? MATE_SCORE - plies : plies - MATE_SCORE;
}
