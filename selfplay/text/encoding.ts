// Decodes bytes to text. A byte-order mark determines the encoding. Without one, zero bytes indicate UTF-16, and lines that are not valid
// UTF-8 are read as Windows-1252 (a superset of Latin-1).

import { isUtf8 } from 'node:buffer';

export type Encoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE';

/** Bytes used for detection. */
export const ENCODING_BYTES = 1 << 10;

/** Returns the encoding detected from a text's first bytes. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'UTF-16LE';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'UTF-16BE';
  const head = bytes.subarray(0, ENCODING_BYTES & ~1);
  const pairs = head.length >> 1;
  if (pairs < 2) return 'UTF-8';
  let [even, odd] = [0, 0];
  for (let i = 0; i < 2 * pairs; i += 2) {
    if (head[i] === 0) even++;
    if (head[i + 1] === 0) odd++;
  }
  // The text may have a few letters of other scripts, which have no zero byte
  if (odd > 0.9 * pairs && even < 0.1 * pairs) return 'UTF-16LE';
  return even > 0.9 * pairs && odd < 0.1 * pairs ? 'UTF-16BE' : 'UTF-8';
}

/** Returns a function that converts successive chunks of a UTF-16 text to UTF-8; without an argument it returns the rest. */
export function transcoder(encoding: Exclude<Encoding, 'UTF-8'>): (bytes?: Uint8Array) => Buffer {
  const decoder = new TextDecoder(encoding);
  return (bytes) => Buffer.from(bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }));
}

const latin = new TextDecoder('windows-1252');
const [LF, CR] = [10, 13];

/** Decodes bytes that contain whole lines; returns the text, and whether all bytes were UTF-8. */
export function decode(bytes: Buffer): { text: string; isUnicode: boolean } {
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), isUnicode: true };
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    let end = at;
    while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
    const line = bytes.subarray(at, Math.min(end + 1, bytes.length));
    text += isUtf8(line) ? line.toString('utf8') : latin.decode(line);
    at = end + 1;
  }
  return { text, isUnicode: false };
}
