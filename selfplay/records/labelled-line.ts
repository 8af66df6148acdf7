// Parses one labelled position a line. The form is recognised line by line: EPD `… c9 "1-0";`, `FEN [1.0]`, bullet's `FEN |
// centipawns | 1.0`, CSV `FEN,1.0,centipawns`, whose header may name other columns. Results and scores are White's.

import { halfPointsOf } from '../common/game-result.js';

export interface Labelled {
  fen: string;
  /** 0, 0.5, 1, or an expectation between. */
  result: number;
  /** White's centipawns, null when the line gives none. */
  score: number | null;
  /** Numbers of the game and of its opening, where a CSV has such columns: a game's positions stand together. */
  game?: number;
  opening?: number;
}

/** Which fields of a CSV line hold what; null where there is none. */
export interface CsvColumns {
  fen: number;
  result: number;
  score: number | null;
  game?: number;
  opening?: number;
}

/** The columns of CSV without a header line. */
export const USUAL_COLUMNS: CsvColumns = { fen: 0, result: 1, score: 2 };

/** Returns the position of a line, or what is wrong with it. The board's shape is checked, the rules of chess are not. */
export function parseLabelledLine(line: string, columns: CsvColumns = USUAL_COLUMNS): Labelled | string {
  const parsed = parseAny(line, columns);
  if (typeof parsed === 'string') return parsed;
  return fenFault(parsed.fen) ?? parsed;
}

// A new form of line is told apart here
function parseAny(line: string, columns: CsvColumns): Labelled | string {
  if (line.includes('|')) return parseBullet(line);
  const bracket = BRACKET.exec(line);
  if (bracket !== null) return labelled(bracket[1], bracket[2], '');
  const operation = C9.exec(line) ?? OTHER_COMMENT.exec(line);
  if (operation !== null) return parseEpd(line, operation[1]);
  return line.includes(',') ? parseCsv(line, columns) : 'no result: expected c9 "1-0", [1.0], | cp | 1.0 or FEN,1.0';
}

/** Ethereal's data have the engine's score after the bracket; whose side it takes differs between data sets, so it is not used. */
const BRACKET = /^(.*?)\s*\[([^\]]*)\](?:\s*[+-]?\d+(?:\.\d+)?)?\s*$/;
const C9 = /\sc9\s+"([^"]*)"/;
const OTHER_COMMENT = /\sc[0-8]\s+"(1-0|0-1|1\/2-1\/2|[01]|[01]?\.\d+)"/;
const SCORE_OPERATION = /\sce\s+(-?\d+)\s*;/;

function parseBullet(line: string): Labelled | string {
  const parts = line.split('|').map((part) => part.trim());
  return parts.length === 3 ? labelled(parts[0], parts[2], parts[1]) : 'expected FEN | centipawns | result';
}

function parseEpd(line: string, result: string): Labelled | string {
  const fen = fenOfEpd(line);
  const parsed = labelled(fen, result, '');
  const evaluation = SCORE_OPERATION.exec(line);
  if (typeof parsed === 'string' || evaluation === null) return parsed;
  // EPD's ce is the side to move's
  const score = Number(evaluation[1]);
  return { ...parsed, score: fen.split(' ')[1] === 'b' && score !== 0 ? -score : score };
}

/** Returns the FEN of a line that begins with a FEN, or with EPD's four fields; then the counters are `hmvc` and `fmvn`. */
export function fenOfEpd(line: string): string {
  const words = line.trim().split(/\s+/, 6);
  const hasClocks = /^\d+$/.test(words[4] ?? '') && /^\d+$/.test(words[5] ?? '');
  const halfmove = hasClocks ? words[4] : (/\shmvc\s+(\d+)/.exec(line)?.[1] ?? '0');
  const fullmove = hasClocks ? words[5] : (/\sfmvn\s+(\d+)/.exec(line)?.[1] ?? '1');
  return [...words.slice(0, 4), halfmove, fullmove].join(' ');
}

function parseCsv(line: string, columns: CsvColumns): Labelled | string {
  const fields = splitCsv(line);
  const score = columns.score === null ? '' : (fields[columns.score] ?? '');
  const parsed = labelled(fields[columns.fen] ?? '', fields[columns.result] ?? '', score);
  if (columns.game === undefined || typeof parsed === 'string') return parsed;
  const game = nameNumber(fields[columns.game] ?? '');
  const opening = columns.opening === undefined ? game : nameNumber(fields[columns.opening] ?? '');
  return { ...parsed, game, opening };
}

/** Returns a number of 32 bits as it is, and a hash of any other text. */
function nameNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Returns the fields of a CSV line, quotes and the space around them taken off. */
export function splitCsv(line: string): string[] {
  if (!line.includes('"')) return line.split(',').map((field) => field.trim());
  const fields = line.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [];
  return fields
    .map((field) =>
      field
        .replace(/,$/, '')
        .trim()
        .replace(/^"(.*)"$/s, '$1')
        .replaceAll('""', '"'),
    )
    .slice(0, line.endsWith(',') ? undefined : -1);
}

/** Returns the columns that a CSV header names, or null if the line is none. */
export function csvHeader(line: string): CsvColumns | null {
  const names = splitCsv(line.toLowerCase());
  const find = (...wanted: string[]): number => names.findIndex((name) => wanted.includes(name));
  const fen = find('fen', 'epd', 'position');
  const result = find('result', 'wdl', 'outcome', 'label', 'target');
  const score = find('score', 'cp', 'eval', 'evaluation', 'centipawns');
  if (fen < 0 || result < 0) return null;
  const [game, opening] = [find('game'), find('opening')];
  return {
    ...{ fen, result, score: score < 0 ? null : score },
    ...(game >= 0 && { game, ...(opening >= 0 && { opening }) }),
  };
}

function labelled(fen: string, resultText: string, scoreText: string): Labelled | string {
  const points = halfPointsOf(resultText.trim());
  const result = points === undefined ? numberOf(resultText) : points / 2;
  if (!(result >= 0 && result <= 1)) return `'${resultText.trim()}' is not a result (1-0, 0-1, 1/2-1/2, or 0 to 1)`;
  const score = scoreText === '' ? null : numberOf(scoreText);
  if (Number.isNaN(score)) return `'${scoreText}' is not a score in centipawns`;
  return { fen: fen.trim(), result, score: score === null ? null : Math.round(score) };
}

function numberOf(text: string): number {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(text) ? Number(text) : Number.NaN;
}

// A board of eight times eight squares with a king each, and who is to move
function fenFault(fen: string): string | null {
  const [board, side] = fen.split(' ', 2);
  if (side !== 'w' && side !== 'b') return `'${fen.slice(0, 40)}' is not a position`;
  let rank = 0;
  let file = 0;
  let kings = 0;
  for (let i = 0; i < board.length; i++) {
    const letter = board[i];
    if (letter === '/') {
      if (file !== 8) return `rank ${8 - rank} has ${file} squares instead of 8`;
      rank++;
      file = 0;
    } else if (letter >= '1' && letter <= '8') {
      file += board.charCodeAt(i) - 48;
    } else {
      if (!'pnbrqkPNBRQK'.includes(letter)) return `'${letter}' is not a piece`;
      if (letter === 'k') kings++;
      else if (letter === 'K') kings += 16;
      file++;
    }
  }
  if (rank !== 7 || file !== 8) return 'the board is not 8 ranks of 8 squares';
  return kings === 17 ? null : 'each side needs one king';
}
