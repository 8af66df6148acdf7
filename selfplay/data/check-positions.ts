// Checks a file of positions, which may be labelled positions, an EPD book or a test suite.

import { addProblem, noProblems } from '../common/errors.js';
import { SeenItems } from '../common/seen.js';
import { addCount, thousands } from '../common/wording.js';
import { parseBookLine } from '../games/book.js';
import { FenError, faultOfFen, formatFen, gameEnd } from '../notation/board.js';
import { parsePositionLine } from '../notation/epd.js';
import type { ColumnSettings } from '../positions/columns.js';
import { LabelFacts, noLines } from '../positions/facts.js';
import { headerTable } from '../positions/header.js';
import { parseLabelLine } from '../positions/line.js';
import { isPlain } from '../positions/plain.js';
import { readLabelled } from '../positions/reader.js';
import { numberOf, wordValue } from '../positions/scale.js';
import { describeText, readLineBlocks, TextFacts } from '../text/files.js';
import { TOO_LONG } from '../text/lines.js';
import { results } from './check-games.js';
import { type CheckedFile, Examples } from './checked-file.js';
import { listed } from './options.js';

/** Fills in the report on a file of positions. Overwrites the engine's position. */
export async function checkPositions(check: CheckedFile, columns?: ColumnSettings): Promise<void> {
  if (columns !== undefined || (await hasLabels(check.file))) await checkLabels(check, columns);
  else await checkEpd(check);
}

const LINES = 50;

/** Returns whether the first lines look like labelled positions rather than EPD. */
async function hasLabels(file: string): Promise<boolean> {
  const lines: string[] = [];
  for await (const block of readLineBlocks(file, noProblems())) {
    const filled = block.lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
    lines.push(...filled.slice(0, LINES));
    if (lines.length >= LINES) break;
  }
  const first = lines.slice(0, LINES);
  if (isPlain(first) || first.some((line) => headerTable(line) !== null)) return true;
  // A separator after the position indicates a table; operations without one indicate EPD
  return first.some((line) => {
    if (typeof parseLabelLine(line, null) !== 'string') return true;
    const position = parsePositionLine(line);
    if (typeof position === 'string') return /[,;|\t]/.test(line) && /(?:[1-8pnbrqk]{1,8}\/){7}/i.test(line);
    return /^\s*[,|:]|^\t|^\s*;\s*[-+\d"']/.test(position.rest) || isRowOfNumbers(position.rest);
  });
}

/** Returns whether a text consists of numbers and results separated by blanks. */
function isRowOfNumbers(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return words.length > 1 && words.every((word) => wordValue(word) !== null || !Number.isNaN(numberOf(word)));
}

/** Returns the first four fields of a FEN, which identify the position. */
const placesOf = (fen: string): string => fen.split(' ', 4).join(' ');

async function checkLabels(check: CheckedFile, columns: ColumnSettings | undefined): Promise<void> {
  check.kind = 'labels';
  const problems = noProblems();
  const facts = new LabelFacts();
  const counts = noLines();
  const sample = new Examples();
  const seen = new SeenItems();
  let named = 0;
  let scored = 0;
  for await (const position of readLabelled(check.file, problems, { columns, counts, facts })) {
    const { fen, result, score, line, game } = position;
    const fault = faultOfFen(fen);
    if (fault !== null) {
      addProblem(problems, check.file, line, fault);
      continue;
    }
    check.positions++;
    sample.offer(() => `line ${line}: ${fen} ${result}`);
    seen.add(placesOf(fen));
    if (game !== undefined) named++;
    if (score !== null) scored++;
    const end = gameEnd();
    if (end !== null) addCount(check.excluded, `game over (${end})`);
    else if (result !== 0 && result !== 0.5 && result !== 1)
      addCount(check.excluded, 'results other than 0, 0.5 and 1');
    else {
      check.used++;
      check.addResult(result);
    }
  }
  check.finish(problems, sample, 'positions');
  const { table, scale, form } = facts;
  const separators = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar', ' ': 'space' };
  const column = (name: string, index: number | null): string => (index === null ? '' : ` ${name}=${index + 1}`);
  const side = columns?.side === 'mover' ? 'for the side to move' : "White's";
  const onScale = scale === null ? '' : `, on the scale ${scale}`;
  check.format = [form === 'lines' ? 'labelled lines' : form, ...describeText(facts.text)];
  check.facts = [
    [
      'lines',
      `${thousands(counts.lines)}: ${thousands(check.positions)} positions, ${listed({ blank: counts.blank, comments: counts.comments, headers: counts.headers, faulty: problems.count })}`,
    ],
    [
      'columns',
      table === null
        ? ''
        : `${separators[table.separator]}:${column('fen', table.columns.fen)}${column('result', table.columns.result)}${column('score', table.columns.score)}`,
    ],
    ['labels', form === 'plain' ? 'for the side to move, -1/0/1' : `${side}${onScale}`],
    ['positions', `${thousands(seen.size)} different, ${thousands(check.positions - seen.size)} repeated`],
    ['used', `${thousands(check.used)} positions`],
    ['excluded', listed(check.excluded)],
    ['results', results(check)],
    ['scores', scored > 0 ? `in ${thousands(scored)} lines` : 'none'],
    ['games', named > 0 ? 'named' : 'unnamed; each block of neighbouring lines counts as one game'],
  ];
}

async function checkEpd(check: CheckedFile): Promise<void> {
  check.kind = 'epd';
  const problems = noProblems();
  const text = new TextFacts();
  const sample = new Examples();
  const seen = new SeenItems();
  const operations: Record<string, number> = {};
  let lines = 0;
  for await (const block of readLineBlocks(check.file, problems, text)) {
    for (const [i, line] of block.lines.entries()) {
      const number = block.first + i;
      if (block.tooLong.includes(i)) addProblem(problems, check.file, number, TOO_LONG);
      if (line.trim() === '' || line.startsWith('#')) continue;
      lines++;
      try {
        parseBookLine(line);
      } catch (error) {
        if (!(error instanceof FenError)) throw error;
        addProblem(problems, check.file, number, error.message);
        continue;
      }
      check.positions++;
      check.used++;
      const fen = formatFen();
      seen.add(placesOf(fen));
      sample.offer(() => `line ${number}: ${fen}`);
      const position = parsePositionLine(line);
      if (typeof position !== 'string') for (const { name } of position.operations) addCount(operations, name);
    }
  }
  check.finish(problems, sample, 'positions');
  check.format = ['EPD', ...describeText(text)];
  check.facts = [
    ['openings', `${thousands(lines)} lines: ${thousands(check.used)} used, ${thousands(problems.count)} faulty`],
    ['positions', `${thousands(seen.size)} different, ${thousands(check.positions - seen.size)} repeated`],
    ['operations', listed(operations)],
  ];
}
