// Reads Stockfish's plain text (official-stockfish/Stockfish, branch tools, docs/convert.md). A block consists of the lines `fen …`,
// `move …`, `score …`, `ply …` and `result …`, and ends with the line `e`. Score and result are for the side to move.

import { quoted } from '../common/wording.js';
import { parseOnlyPosition } from '../notation/epd.js';
import type { RawLabel } from './line.js';

/** Returns whether the lines begin with such a block. */
export function isPlain(lines: readonly string[]): boolean {
  const [first = '', second = ''] = lines;
  return /^fen\s/i.test(first) && /^(?:move|score|ply|result|e)\b/i.test(second);
}

/** Collects the lines of blocks. */
export class PlainReader {
  private fields: Map<string, string> | null = null;
  private start = 0;

  /** Reads a line. Returns the block that it ends, or an error message, each with the number of the block's first line; otherwise null. */
  push(line: string, number: number): { line: number; label: RawLabel | string } | null {
    const [word, value] = splitWord(line);
    if (word === 'fen') {
      const cut = this.finish();
      this.fields = new Map([['fen', value]]);
      this.start = number;
      return cut;
    }
    if (this.fields === null) return { line: number, label: `${quoted(line)} is outside a block: fen is missing` };
    if (word !== 'e') {
      this.fields.set(word, value);
      return null;
    }
    const label = labelOf(this.fields);
    this.fields = null;
    return { line: this.start, label };
  }

  /** Returns the error for an unterminated block, or null. */
  finish(): { line: number; label: string } | null {
    return this.fields === null ? null : { line: this.start, label: 'the block has no end: e is missing' };
  }
}

function splitWord(line: string): [word: string, value: string] {
  const [, word = '', value = ''] = /^\s*(\S+)\s*(.*)$/.exec(line) ?? [];
  return [word.toLowerCase(), value.trim()];
}

function labelOf(fields: ReadonlyMap<string, string>): RawLabel | string {
  const position = parseOnlyPosition(fields.get('fen') ?? '');
  if (typeof position === 'string') return position;
  const result = fields.get('result');
  if (result === undefined) return 'the block has no result';
  const sides = { resultSide: 'mover', scoreSide: 'mover' } as const;
  return { fen: position.fen, result, score: fields.get('score') ?? '', scale: '-1/0/1', ...sides };
}
