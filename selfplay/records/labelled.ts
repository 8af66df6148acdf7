// Reads and writes files of labelled positions, one a line, plain or gzipped.

import { UserError } from '../common/errors.js';
import { type CsvColumns, csvHeader, type Labelled, parseLabelledLine, USUAL_COLUMNS } from './labelled-line.js';
import { addProblem, type Problems } from './read-problems.js';
import { readLineBlocks } from './text-lines.js';

/** A position, White's result (0 to 1), White's centipawns if known, and the line it comes from. */
export interface LabelledPosition extends Labelled {
  file: string;
  line: number;
}

/** Lines of every kind: `lines` is the sum of the others, of the positions and of the problems. */
export interface LineCounts {
  lines: number;
  blank: number;
  comments: number;
  headers: number;
}

/** Returns counts of nothing. */
export const noLines = (): LineCounts => ({ lines: 0, blank: 0, comments: 0, headers: 0 });

/**
 * Iterates the labelled positions of a file; the form is told line by line. Blank lines and lines that begin with # are
 * skipped and counted, every other line that is no labelled position is a problem. UserError for a file that cannot be read or that
 * has lines but not one position.
 */
export async function* readLabelled(
  file: string,
  problems: Problems,
  counts: LineCounts = noLines(),
): AsyncGenerator<LabelledPosition> {
  let columns: CsvColumns | null = null;
  let positions = 0;
  const before = { count: problems.count, messages: problems.messages.length };
  for await (const { lines, first } of readLineBlocks(file, problems)) {
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i];
      counts.lines++;
      if (line === '' || line.trim() === '') {
        counts.blank++;
        continue;
      }
      if (line.startsWith('#')) {
        counts.comments++;
        continue;
      }
      if (columns === null) {
        const header = csvHeader(line);
        columns = header ?? USUAL_COLUMNS;
        if (header !== null) {
          counts.headers++;
          continue;
        }
      }
      const parsed = parseLabelledLine(line, columns);
      if (typeof parsed === 'string') {
        addProblem(problems, file, first + i, parsed);
        continue;
      }
      positions++;
      yield { ...parsed, file, line: first + i };
    }
  }
  if (positions > 0 || problems.count === before.count) return;
  throw new UserError(`${file}: no labelled position in it (${problems.messages[before.messages] ?? 'all lines bad'})`);
}

/** Returns bullet's text form `FEN | centipawns | 1.0`, the score 0 if unknown. */
export function formatLabelled({ fen, result, score }: Labelled): string {
  // Trainers look for 1.0, 0.5 and 0.0
  return `${fen} | ${score ?? 0} | ${Number.isInteger(result) ? result.toFixed(1) : result}`;
}
