// The unpacked bytes of a file, which may be plain, gzip (with several members) or zstd (with several frames). A damaged file is read up to
// the damage.

import { once } from 'node:events';
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { causeOf, UserError } from '../common/errors.js';
import { type Container, containerOf, foreignContainer, SIGNATURE_BYTES } from './containers.js';
import { unzstd } from './zstd.js';

const STREAM_OPTIONS = { highWaterMark: 1 << 18 };
/** Compressed block size. A block is unpacked in memory, where it can be a thousand times larger. */
const PACKED_OPTIONS = { highWaterMark: 1 << 14 };
/** Interval in ms at which pending signals and timers are processed. A single item may take longer. */
const TURN_MS = 100;

/** Returns the container of a file; throws a UserError for an unsupported one, with the command to unpack it. */
export function containerOfFile(file: string): Container {
  const head = firstBytes(file, SIGNATURE_BYTES);
  const problem = foreignContainer(head, file);
  if (problem !== null) throw new UserError(problem);
  return containerOf(head);
}

/** Returns at most `length` bytes from the beginning of a file; throws a UserError if it cannot be read. */
export function firstBytes(file: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  try {
    // Bytes read from a pipe would be missing for the next reader
    if (statSync(file).isFIFO()) throw new Error('a pipe; write its data to a file first');
    const fd = openSync(file, 'r');
    try {
      return bytes.subarray(0, readSync(fd, bytes));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Iterates the unpacked bytes; `onDamage` is called with the reason if the compressed data are truncated or damaged. */
export async function* unpackedBytes(
  file: string,
  onDamage: (message: string) => void,
  container: Container = containerOfFile(file),
): AsyncGenerator<Uint8Array> {
  try {
    // Unpacking and parsing a block may take a long time
    yield* inTurns(BYTES[container](file, onDamage));
  } catch (error) {
    throw error instanceof UserError ? error : unreadable(file, error);
  }
}

/** Iterates the items, and regularly lets the process handle signals and timers, even if the items never wait. */
export async function* inTurns<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let turn = performance.now();
  for await (const item of items) {
    if (performance.now() - turn > TURN_MS) {
      await setImmediate();
      turn = performance.now();
    }
    yield item;
  }
}

const BYTES = {
  plain: (file: string): AsyncIterable<Uint8Array> => createReadStream(file, STREAM_OPTIONS),
  gzip: gunzipped,
  zstd: zstdBytes,
};

const OTHER_BYTES = 'other bytes follow the compressed data; decompress with gunzip -c, which ignores them';

// Damaged data may unpack to wrong text, and only the checksum at the end detects it
const reasonOf = (message: string): string =>
  message === 'incorrect data check' ? `${message}, so earlier lines may be wrong` : message;

async function* gunzipped(file: string, onDamage: (message: string) => void): AsyncGenerator<Uint8Array> {
  const { failure, lastBlock, length, packed } = yield* members(packedBlocks(file));
  if (failure === null) {
    if (packed !== null && (await hasDataFrom(file, packed))) onDamage(OTHER_BYTES);
    return;
  }
  // The first member had a valid header, so the error concerns the bytes after a member
  const isAfterMember = failure.message === 'incorrect header check';
  // The member's checksum is correct, but the failing write has lost the end of its data
  if (isAfterMember) yield* withoutFirst(length, members(packedBlocks(file, lastBlock)));
  onDamage(isAfterMember ? OTHER_BYTES : reasonOf(failure.message));
}

// Files from tapes and block devices may be padded with zeros. Data after the zeros would be lost
async function hasDataFrom(file: string, start: number): Promise<boolean> {
  for await (const block of createReadStream(file, { ...STREAM_OPTIONS, start }) as AsyncIterable<Uint8Array>)
    if (block.some((byte) => byte !== 0)) return true;
  return false;
}

/** Iterates the blocks of a file; from block number `fine` on, byte by byte. */
async function* packedBlocks(file: string, fine = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
  let number = 0;
  for await (const block of createReadStream(file, PACKED_OPTIONS) as AsyncIterable<Uint8Array>) {
    if (number++ < fine) yield block;
    else for (const byte of block) yield Uint8Array.of(byte);
  }
}

async function* withoutFirst(length: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = length;
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/**
 * Result of unpacking gzip members: the failure, the number of the last block that was read, the unpacked length in bytes, and the packed
 * length in bytes if zeros follow the members.
 */
interface MembersEnd {
  failure: Error | null;
  lastBlock: number;
  length: number;
  packed: number | null;
}

// Unpacks block by block instead of in a pipeline, because a failing stream loses unpacked data
async function* members(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, MembersEnd> {
  const gunzip = createGunzip();
  const unpacked: Uint8Array[] = [];
  const end: MembersEnd = { failure: null, lastBlock: -1, length: 0, packed: null };
  gunzip.on('data', (chunk: Uint8Array) => {
    unpacked.push(chunk);
    end.length += chunk.length;
  });
  let isEnded = false;
  let onStop = (): void => undefined;
  // Bytes after the last member end the stream early, and the callback of write() is never called
  const ended = once(gunzip, 'end').then(
    () => {
      isEnded = true;
      onStop();
    },
    () => {},
  );
  gunzip.on('error', (error) => {
    end.failure = error;
    onStop();
  });
  for await (const block of blocks) {
    end.lastBlock++;
    await new Promise<void>((resolve) => {
      onStop = resolve;
      gunzip.write(block, () => resolve());
    });
    yield* unpacked.splice(0);
    if (end.failure !== null || isEnded) break;
  }
  if (isEnded) end.packed = gunzip.bytesWritten;
  if (end.failure === null) {
    gunzip.end();
    await ended;
    yield* unpacked.splice(0);
  }
  gunzip.destroy();
  return end;
}

async function* zstdBytes(file: string, onDamage: (message: string) => void): AsyncGenerator<Uint8Array> {
  const packed = createReadStream(file, PACKED_OPTIONS);
  try {
    yield* unzstd(packed as AsyncIterable<Buffer>);
  } catch (error) {
    if (error instanceof UserError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    onDamage((error as Error).message);
  } finally {
    packed.destroy();
  }
}

/** Returns the error for a file that cannot be read. */
export function unreadable(file: string, error: unknown): UserError {
  if ((error as NodeJS.ErrnoException).code === 'EISDIR')
    return new UserError(`${file} is a folder; name a file in it`);
  return new UserError(`cannot read ${file}: ${causeOf(error)}`);
}
