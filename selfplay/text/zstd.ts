// Unpacks zstd data (RFC 8878) block by block with fzstd. Node's own zstd (from 22.15 on) stops after the first frame, but Lichess's files
// have many. fzstd does not verify the checksums of frames, so this module does.

import { Decompress } from 'fzstd';
import xxhash from 'xxhash-wasm';
import { containerOf } from './containers.js';

const MAGIC = 0xfd2fb528;
const SKIPPED_AT_ONCE = 1 << 16;

/** Yields the unpacked blocks; for damaged or truncated data, throws an Error after the blocks before the damage. */
export async function* unzstd(packed: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const input = new ExactReader(packed);
  while (!(await input.isAtEnd())) {
    const magic = await input.take(4);
    if (containerOf(magic) !== 'zstd') throw new Error('other bytes follow the compressed data');
    if (magic.readUInt32LE() === MAGIC) yield* frame(magic, input);
    else await skip((await input.take(4)).readUInt32LE(), input);
  }
}

async function skip(size: number, input: ExactReader): Promise<void> {
  for (let left = size; left > 0; left -= SKIPPED_AT_ONCE) await input.take(Math.min(left, SKIPPED_AT_ONCE));
}

async function* frame(magic: Buffer, input: ExactReader): AsyncGenerator<Uint8Array> {
  const unpacked: Uint8Array[] = [];
  const decompress = new Decompress((chunk) => unpacked.push(chunk));
  const hash = (await xxhash()).create64();
  const hashed = (): Uint8Array[] =>
    unpacked.splice(0).map((chunk) => {
      hash.update(chunk);
      // The next call may overwrite the buffer
      return chunk.slice();
    });
  const descriptor = await input.take(1);
  const isSingleSegment = (descriptor[0] & 32) !== 0;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor[0] >> 6];
  const headBytes = (isSingleSegment ? 0 : 1) + [0, 1, 2, 4][descriptor[0] & 3] + sizeBytes;
  decompress.push(Buffer.concat([magic, descriptor, await input.take(headBytes)]));
  for (let isLast = false; !isLast; ) {
    const head = await input.take(3);
    const bits = head.readUIntLE(0, 3);
    isLast = (bits & 1) !== 0;
    const isRepeatedByte = ((bits >> 1) & 3) === 1;
    decompress.push(Buffer.concat([head, await input.take(isRepeatedByte ? 1 : bits >> 3)]));
    yield* hashed();
  }
  const checksum = await input.take((descriptor[0] & 4) !== 0 ? 4 : 0);
  decompress.push(checksum, true);
  yield* hashed();
  if (checksum.length > 0 && checksum.readUInt32LE() !== Number(BigInt.asUintN(32, hash.digest())))
    throw new Error('incorrect checksum, so earlier lines may be wrong');
}

/** Reads exact numbers of bytes. */
class ExactReader {
  private readonly source: AsyncIterator<Buffer>;
  private held = Buffer.alloc(0);

  constructor(packed: AsyncIterable<Buffer>) {
    this.source = packed[Symbol.asyncIterator]();
  }

  async isAtEnd(): Promise<boolean> {
    return this.held.length === 0 && !(await this.fill());
  }

  /** Returns the next `count` bytes; throws an Error if fewer remain. */
  async take(count: number): Promise<Buffer> {
    while (this.held.length < count) if (!(await this.fill())) throw new Error('unexpected end of file');
    const bytes = this.held.subarray(0, count);
    this.held = this.held.subarray(count);
    return bytes;
  }

  private async fill(): Promise<boolean> {
    const { value, done } = await this.source.next();
    if (done === true) return false;
    this.held = Buffer.concat([this.held, value]);
    return true;
  }
}
