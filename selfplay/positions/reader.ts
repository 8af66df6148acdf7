// Reads files of labelled positions. The header or the first lines determine the format of the whole file. Contradictions are rejected.

import { addProblem, type Problems, UserError } from '../common/errors.js';
import { quoted } from '../common/wording.js';
import { beginsWithPosition } from '../notation/epd.js';
import { readLineBlocks } from '../text/files.js';
import { TOO_LONG } from '../text/lines.js';
import { type ColumnSettings, tableOf } from './columns.js';
import { GameOrder, LabelFacts, type LineCounts, noLines } from './facts.js';
import { hasSameColumns, headerPlace, headerTable, isArrayOfLines, isFrame } from './header.js';
import {
  isBlackToMove,
  type Labelled,
  type LabelledPosition,
  nameNumber,
  parseScore,
  pawnProblem,
} from './labelled.js';
import { isJsonLine, parseLabelLine, type RawLabel } from './line.js';
import { isPlain, PlainReader } from './plain.js';
import { numberOf, Scale } from './scale.js';
import { sideProblem } from './side.js';
import type { Table } from './table.js';

export interface ReadSettings {
  columns?: ColumnSettings | undefined;
  counts?: LineCounts;
  facts?: LabelFacts;
}

interface Line {
  text: string;
  number: number;
}

/** Maximum number of lines, and of characters, in the sample that determines the format. */
const SAMPLE_LINES = 4096;
const SAMPLE_LENGTH = 1 << 22;

/**
 * Yields the labelled positions of a file. Blank lines and lines that begin with # are skipped and counted; invalid lines are problems.
 * Throws a UserError for a file that cannot be read, is a JSON array, has ambiguous or contradictory columns, scores or results, or has
 * invalid lines but no position.
 */
export async function* readLabelled(
  file: string,
  problems: Problems,
  { columns, counts = noLines(), facts = new LabelFacts() }: ReadSettings = {},
): AsyncGenerator<LabelledPosition> {
  const before = { count: problems.count, messages: problems.messages.length };
  const labels = new LabelReader(file, problems, { columns, counts, facts });
  let sample: Line[] | null = [];
  let length = 0;
  for await (const { lines, first, tooLong } of readLineBlocks(file, problems, facts.text)) {
    for (let i = 0; i < lines.length; i++) {
      const line = { text: lines[i], number: first + i };
      counts.lines++;
      if (tooLong.includes(i)) addProblem(problems, file, line.number, TOO_LONG);
      else if (line.text.trim() === '') counts.blank++;
      else if (line.text.startsWith('#')) counts.comments++;
      else if (sample === null) yield* labels.read(line);
      else {
        sample.push(line);
        length += line.text.length;
        if (sample.length < SAMPLE_LINES && length < SAMPLE_LENGTH) continue;
        yield* labels.begin(sample);
        sample = null;
      }
    }
  }
  if (sample !== null && sample.length > 0) yield* labels.begin(sample);
  labels.finish();
  if (labels.positions > 0 || problems.count === before.count) return;
  throw new UserError(`${file}: no labelled positions (${problems.messages[before.messages] ?? 'all lines faulty'})`);
}

class LabelReader {
  positions = 0;
  private table: Table | null = null;
  private header: string | null = null;
  private readonly scale: Scale;
  private plain: PlainReader | null = null;
  private readonly games = new GameOrder();
  /** Number of repeated headers. The parts of concatenated files may use the same names for different games. */
  private parts = 0;

  constructor(
    private readonly file: string,
    private readonly problems: Problems,
    private readonly settings: Required<Omit<ReadSettings, 'columns'>> & Pick<ReadSettings, 'columns'>,
  ) {
    this.scale = new Scale(settings.columns?.scale ?? null);
  }

  /** Determines the format and reads the first lines. */
  *begin(sample: readonly Line[]): Generator<LabelledPosition> {
    const read = this.parseAll(this.findFormat(sample));
    this.refuseNumbers(read);
    const { columns } = this.settings;
    const pawns = pawnProblem(read.flatMap(({ label }) => (typeof label === 'string' ? [] : label.score)));
    if (pawns !== null && !columns?.isUnscored) throw new UserError(`${this.file}: ${pawns}`);
    const sides = sideProblem(read, this.scale, columns);
    if (sides !== null) throw new UserError(`${this.file}: ${sides}`);
    for (const { label, line } of read) yield* this.position(label, line);
  }

  /** Reads a further line. */
  *read(line: Line): Generator<LabelledPosition> {
    for (const { label, line: number } of this.parseAll([line])) yield* this.position(label, number);
  }

  /** Determines form, header and table from the first lines. Returns these lines without the header and frames. */
  private findFormat(sample: readonly Line[]): Line[] {
    const { columns, counts, facts } = this.settings;
    const texts = sample.map(({ text }) => text);
    if (/^\s*\[\s*(?:[[{"]|$)/.test(texts[0]) && !isArrayOfLines(texts))
      throw new UserError(`${this.file} is a JSON array; write one object per line: jq -c '.[]' ${this.file}`);
    const at = headerPlace(texts);
    const header = beginsWithPosition(texts[at]) ? null : headerTable(texts[at]);
    const names = Object.values(columns?.names ?? {});
    if (typeof header === 'string' && names.length === 0)
      throw new UserError(`${this.file}:${sample[at].number}: ${header}`);
    this.plain = isPlain(texts) ? new PlainReader() : null;
    const isJson = isJsonLine(texts.find((text) => !isFrame(text)) ?? '');
    if (names.length > 0 && (isJson || this.plain !== null)) {
      const what = isJson ? 'JSON lines; name their keys fen, result and score, and' : "Stockfish's plain text;";
      throw new UserError(`${this.file} holds ${what} omit the columns named in --columns`);
    }
    const hasHeader = header !== null || names.some((name) => !/^\d+$/.test(name));
    this.header = hasHeader ? texts[at] : null;
    const described = typeof header === 'string' ? null : header;
    this.table = tableOf(this.file, texts, { line: this.header, described }, columns);
    facts.form = this.plain !== null ? 'plain' : isJson ? 'JSON lines' : 'lines';
    facts.table = this.plain === null ? this.table : null;
    const rows = sample.filter(({ text }, i) => !(hasHeader && i === at) && !isFrame(text));
    counts.headers += sample.length - rows.length;
    return rows;
  }

  // A column of scores may contain some valid results, such as 0 and 100. It is rejected if most values are invalid
  private refuseNumbers(read: readonly { label: RawLabel | string; line: number }[]): void {
    const wrong = read.filter(({ label }) => {
      if (typeof label === 'string' || label.scale !== undefined) return false;
      return !Number.isNaN(numberOf(label.result)) && this.scale.value(label.result) === null;
    });
    if (2 * wrong.length <= read.length) return;
    const [{ label, line }] = wrong;
    throw new UserError(
      `${this.file}:${line}: ${quoted((label as RawLabel).result)} is not a result, and neither are most values in its column; name the columns with --columns fen=1,result=3,score=2`,
    );
  }

  finish(): void {
    const rest = this.plain?.finish() ?? null;
    this.settings.counts.lines += rest === null ? 0 : 1;
    if (rest !== null) addProblem(this.problems, this.file, rest.line, rest.label);
  }

  /** Parses lines, and determines the scale from their results. */
  private parseAll(lines: readonly Line[]): { label: RawLabel | string; line: number }[] {
    const read = lines.flatMap((line) => this.parse(line));
    for (const { label, line } of read) if (typeof label !== 'string') this.note(label, line);
    this.scale.decide();
    this.settings.facts.scale = this.scale.name;
    return read;
  }

  private parse({ text, number }: Line): { label: RawLabel | string; line: number }[] {
    if (this.plain === null) {
      const label = parseLabelLine(text, this.table);
      if (typeof label !== 'string') {
        if (label.game !== undefined && this.parts > 0) label.game += ` (part ${this.parts + 1})`;
        this.games.check(label.game, this.file, number);
      }
      return typeof label === 'string' && this.isHeader(text, number) ? [] : [{ label, line: number }];
    }
    const block = this.plain.push(text, number);
    this.settings.counts.lines -= block === null ? 1 : 0;
    return block === null ? [] : [block];
  }

  // Concatenated files repeat their header
  private isHeader(text: string, line: number): boolean {
    const { table } = this;
    const isRepeated = text.trim() === this.header?.trim();
    const again = isRepeated || table === null || beginsWithPosition(text) ? null : headerTable(text);
    const isTable = again !== null && typeof again !== 'string';
    if (isTable && !hasSameColumns(again, table)) {
      const what = 'the columns of this header differ from the previous ones; split the file here';
      throw new UserError(`${this.file}:${line}: ${what}`);
    }
    const isNone = isRepeated || isTable || isFrame(text);
    if (isNone) this.settings.counts.headers++;
    if (isRepeated || isTable) this.parts++;
    return isNone;
  }

  private note({ result, scale }: RawLabel, line: number): void {
    const contradiction = scale === undefined ? this.scale.note(result, line) : null;
    if (contradiction === null) return;
    const [first, second] = contradiction;
    if (first === second)
      throw new UserError(
        `${this.file}:${line}: the result '${first.text}' does not fit any scale; the scales are 0 to 1, -1/0/1, 0/1/2 and 0/50/100`,
      );
    throw new UserError(
      `${this.file}: the results in lines ${first.line} and ${second.line} disagree: '${first.text}' and '${second.text}' ` +
        'are not on the same scale; correct the file, or give the scale with --columns result=0/0.5/1, -1/0/1, 0/1/2 or 0/50/100',
    );
  }

  private *position(label: RawLabel | string, line: number): Generator<LabelledPosition> {
    const { file, problems } = this;
    const position = typeof label === 'string' ? label : this.labelled(label);
    if (typeof position === 'string') addProblem(problems, file, line, position);
    else {
      this.positions++;
      yield { ...position, file, line };
    }
  }

  private labelled(label: RawLabel): Labelled | string {
    const { fen, result, score, scale, resultSide, scoreSide, game, opening, leaf } = label;
    const value = (scale === undefined ? this.scale : new Scale(scale)).value(result);
    if (value === null) {
      return result.trim() === ''
        ? 'the result is missing'
        : `${quoted(result.trim())} is not a result (1-0, 0-1, 1/2-1/2, or a number on the scale of the file)`;
    }
    const centipawns = parseScore(this.settings.columns?.isUnscored ? '' : score, this.table?.separator === ';');
    if (typeof centipawns === 'string') return centipawns;
    const isBlacks = (side: 'white' | 'mover'): boolean =>
      isBlackToMove(fen) && (side === 'mover' || this.settings.columns?.side === 'mover');
    const position: Labelled = {
      fen,
      result: isBlacks(resultSide) ? 1 - value : value,
      score: isBlacks(scoreSide) && centipawns !== null && centipawns !== 0 ? -centipawns : centipawns,
    };
    if (leaf !== undefined) position.leaf = leaf;
    if (game === undefined) return position;
    const named = { ...position, game: nameNumber(game) };
    return opening === undefined ? named : { ...named, opening: nameNumber(opening) >>> 0 };
  }
}
