// Reads text files of any size as blocks of lines: unpacked, decoded, without control characters. Lines that are too long are skipped to
// limit the memory use.

import { addProblem, type Problems, UserError } from '../common/errors.js';
import { throwIfInterrupted } from '../common/program.js';
import { type Container, nestedContainer } from './containers.js';
import { decode, ENCODING_BYTES, type Encoding, encodingOf, transcoder } from './encoding.js';
import { blockOf, cleaned, type LineBlock, MAX_LINE, splitLines } from './lines.js';
import { containerOfFile, unpackedBytes } from './unpacked.js';

/** Properties detected in a file; complete after its last line. */
export class TextFacts {
  container: Container = 'plain';
  /** `Latin-1` if some lines are not UTF-8. */
  encoding: Encoding | 'Latin-1' = 'UTF-8';
  /** The line endings that occur: `LF`, `CRLF`, `CR`, `CRCRLF`, each at most once. */
  lineEnds: string[] = [];
  /** Whether the last line is terminated. */
  isEnded = true;
  /** Damage to the compressed data, if any. */
  damage: string | null = null;
}

/** Returns container, encoding and line endings, such as `gzip`, `UTF-8`, `CRLF`. */
export function describeText({ container, encoding, lineEnds }: TextFacts): string[] {
  const ends = lineEnds.length > 0 ? [lineEnds.join(' and ')] : [];
  return [...(container === 'plain' ? [] : [container]), encoding, ...ends];
}

/**
 * Iterates the lines of a file in blocks. Damage to a compressed file is reported as a problem. Throws a UserError for an unsupported
 * container or a file that cannot be read, and after an interrupt.
 */
export async function* readLineBlocks(
  file: string,
  problems: Problems,
  facts: TextFacts = new TextFacts(),
): AsyncGenerator<LineBlock> {
  facts.container = containerOfFile(file);
  const cutter = new LineCutter(facts);
  for await (const bytes of textBytes(file, facts)) {
    throwIfInterrupted(`reading ${file}`);
    yield* cutter.push(bytes);
  }
  facts.isEnded = cutter.isEnded;
  // A truncated line may parse as a complete one with a different result
  if (facts.damage !== null) {
    const what = `the ${facts.container} file is truncated or damaged; reading stopped before this line (${facts.damage})`;
    addProblem(problems, file, cutter.next, what);
    return;
  }
  yield* cutter.finish();
}

type Convert = (bytes?: Uint8Array) => Buffer;

/** Iterates the bytes of a file as UTF-8 or Latin-1. */
async function* textBytes(file: string, facts: TextFacts): AsyncGenerator<Buffer> {
  let bytes: Buffer = NOTHING;
  let convert: Convert | null = null;
  for await (const chunk of unpackedBytes(file, (message) => (facts.damage = message), facts.container)) {
    const next = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    bytes = convert === null ? Buffer.concat([bytes, next]) : next;
    if (bytes.length < ENCODING_BYTES && convert === null) continue;
    convert ??= converter(bytes, file, facts);
    yield convert(bytes);
  }
  if (convert === null) {
    convert = converter(bytes, file, facts);
    yield convert(bytes);
  }
  yield convert();
}

/** Returns the converter for a text with these first bytes: UTF-16 becomes UTF-8, other bytes are kept. */
function converter(head: Buffer, file: string, facts: TextFacts): Convert {
  const problem = facts.container === 'plain' ? null : nestedContainer(head, file);
  if (problem !== null) throw new UserError(problem);
  facts.encoding = encodingOf(head);
  return facts.encoding === 'UTF-8' ? (bytes = NOTHING) => bytes as Buffer : transcoder(facts.encoding);
}

const NOTHING = Buffer.alloc(0);
const [LF, CR] = [10, 13];

/** Maximum bytes of a line, at three bytes per character. */
const MAX_BYTES = 3 * MAX_LINE;

class LineCutter {
  /** Number of the next line. */
  next = 1;
  /** Whether the data end with a line ending. */
  isEnded = true;
  private parts: Buffer[] = [];
  private isSkipping = false;

  constructor(private readonly facts: TextFacts) {}

  /** Iterates the lines that these bytes complete. A line that is too long is yielded as an empty line before its end is read. */
  *push(next: Buffer): Generator<LineBlock> {
    if (next.length === 0) return;
    this.isEnded = next.at(-1) === LF || next.at(-1) === CR;
    const bytes = this.endsInReturn() ? Buffer.concat([...this.parts.splice(0), next]) : next;
    const cut = endOfLines(bytes);
    if (cut > 0) yield* this.take(bytes.subarray(0, cut));
    this.keep(bytes.subarray(cut));
    const length = this.parts.reduce((sum, part) => sum + part.length, 0);
    if (length <= MAX_BYTES || this.endsInReturn()) return;
    this.parts = [];
    this.isSkipping = true;
    yield { lines: [''], first: this.next++, tooLong: [0] };
  }

  /** Iterates the remaining lines. */
  *finish(): Generator<LineBlock> {
    if (this.parts.length > 0 && !this.isSkipping) yield* this.take(NOTHING);
  }

  private keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (!this.isSkipping) this.parts.push(bytes);
    else this.parts = bytes.at(-1) === CR ? [bytes.subarray(-1)] : [];
  }

  // After a final CR, the line has ended unless a line feed follows
  private endsInReturn(): boolean {
    return this.parts.at(-1)?.at(-1) === CR;
  }

  private *take(bytes: Buffer): Generator<LineBlock> {
    const whole = this.isSkipping ? afterFirstLine(bytes) : Buffer.concat([...this.parts, bytes]);
    const { text, isUnicode } = decode(whole);
    if (!isUnicode) this.facts.encoding = 'Latin-1';
    this.countEnds(text);
    const lines = splitLines(cleaned(text));
    if (lines.at(-1) === '') lines.pop();
    // The line that was too long has already been yielded
    if (this.isSkipping) lines.shift();
    this.parts = [];
    this.isSkipping = false;
    if (lines.length === 0) return;
    yield blockOf(lines, this.next);
    this.next += lines.length;
  }

  private countEnds(text: string): void {
    const { lineEnds } = this.facts;
    if (!text.includes('\r')) {
      if (!lineEnds.includes('LF') && text.includes('\n')) lineEnds.push('LF');
      return;
    }
    for (const [name, pattern] of LINE_ENDS) if (!lineEnds.includes(name) && pattern.test(text)) lineEnds.push(name);
  }
}

const LINE_ENDS: readonly [name: string, pattern: RegExp][] = [
  ['CRCRLF', /\r\r\n/],
  ['CRLF', /(?<!\r)\r\n/],
  ['CR', /\r(?!\r?\n)/],
  ['LF', /(?<!\r)\n/],
];

/** Returns the end of the last complete line. Up to two final CRs may be part of a line ending. */
function endOfLines(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 2 && bytes[end - 1] === CR) end--;
  const whole = bytes.subarray(0, end);
  return Math.max(whole.lastIndexOf(LF), whole.lastIndexOf(CR)) + 1;
}

/** Returns the bytes from their first line ending on, so the rest of a skipped line is empty. */
function afterFirstLine(bytes: Buffer): Buffer {
  const end = bytes.findIndex((byte) => byte === LF || byte === CR);
  return end < 0 ? Buffer.alloc(0) : bytes.subarray(end);
}
