// Reads text files of any size line by line, plain or gzipped (recognised by the first bytes). A damaged gzip file is read up to
// the damage, which is reported.

import { once } from 'node:events';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { UserError } from '../common/errors.js';
import { throwIfInterrupted } from '../common/interrupt.js';
import { addProblem, type Problems } from './read-problems.js';

/** Some lines of a file, without their ends, and the number of the first. */
export interface LineBlock {
  lines: string[];
  first: number;
}

/** A line of more characters than this is no line of text. */
const MAX_LINE = 1 << 20;

/** How long signals and timers may have to wait. */
const TURN_MS = 100;

/** Iterates a file's lines in blocks, without byte-order mark and CR; UserError for a file, or a line of it, that has no end. */
export async function* readLineBlocks(file: string, problems: Problems): AsyncGenerator<LineBlock> {
  const decoder = new TextDecoder();
  let rest = '';
  let first = 1;
  let damage: string | null = null;
  const bytes = readBytes(file, (message) => (damage = message));
  try {
    let turn = performance.now();
    for await (const chunk of bytes) {
      // What is unpacked at once may take long
      if (performance.now() - turn > TURN_MS) {
        await setImmediate();
        turn = performance.now();
      }
      throwIfInterrupted(`reading ${file}`);
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      const long = rest.length > MAX_LINE ? lines.length : lines.findIndex((line) => line.length > MAX_LINE);
      if (long >= 0)
        throw new UserError(`${file}:${first + long}: a line of more than ${MAX_LINE} characters: no text`);
      if (lines.length > 0) yield { lines: lines.map(withoutReturn), first };
      first += lines.length;
    }
  } catch (error) {
    throw error instanceof UserError ? error : unreadable(file, error);
  }
  rest += decoder.decode();
  // Half a line may read as a whole one with another result
  if (damage !== null)
    addProblem(problems, file, first, `the gzip file is cut off or damaged in this line (${damage})`);
  else if (rest !== '') yield { lines: [withoutReturn(rest)], first };
}

/** Returns the bytes of a file, unpacked where it is gzipped; `onDamage` is called at the end of what could be unpacked of a damaged one. */
export function readBytes(file: string, onDamage: (message: string) => void): AsyncIterable<Uint8Array> {
  return isGzip(file) ? gunzipped(file, onDamage) : createReadStream(file, STREAM_OPTIONS);
}

const STREAM_OPTIONS = { highWaterMark: 1 << 18 };
/** Unpacked, a block is at most a thousand times as large; all of it is in memory. */
const GZIP_OPTIONS = { highWaterMark: 1 << 14 };

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function isGzip(file: string): boolean {
  const magic = new Uint8Array(2);
  try {
    const fd = openSync(file, 'r');
    try {
      readSync(fd, magic);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  return magic[0] === 0x1f && magic[1] === 0x8b;
}

// Block by block, and not as a pipeline: a stream that fails forgets what it has unpacked but not handed out
async function* gunzipped(file: string, onDamage: (message: string) => void): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const unpacked: Uint8Array[] = [];
  let failure: Error | null = null;
  gunzip.on('data', (chunk: Uint8Array) => unpacked.push(chunk));
  let onFailure = (): void => undefined;
  gunzip.on('error', (error) => {
    failure = error;
    onFailure();
  });
  for await (const block of createReadStream(file, GZIP_OPTIONS)) {
    await new Promise<void>((resolve) => {
      onFailure = resolve;
      gunzip.write(block, () => resolve());
    });
    yield* unpacked.splice(0);
    if (failure !== null) break;
  }
  if (failure === null) {
    const ended = once(gunzip, 'end').catch(() => {});
    gunzip.end();
    await ended;
    yield* unpacked.splice(0);
  }
  if (failure !== null) onDamage((failure as Error).message);
  gunzip.destroy();
}

export function unreadable(file: string, error: unknown): UserError {
  return new UserError(`cannot read ${file}: ${(error as Error).message}`);
}
