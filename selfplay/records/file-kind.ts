// Detects the kind of a game, position or book file from its content, or from its name if the content is inconclusive.

import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { noProblems, UserError } from '../common/errors.js';
import { isPositionLine } from '../positions/header.js';
import { nestedContainer } from '../text/containers.js';
import { encodingOf } from '../text/encoding.js';
import { readLineBlocks } from '../text/files.js';
import { containerOfFile, firstBytes, unpackedBytes } from '../text/unpacked.js';
import type { GameKind } from './game-kind.js';
import { PGN } from './pgn-reader.js';
import { VIRIFORMAT } from './shard.js';

/** The formats of game files. The first one that matches a line is used. */
export const GAME_KINDS = { pgn: PGN, viriformat: VIRIFORMAT } satisfies Record<string, GameKind>;

export type FileKind = keyof typeof GAME_KINDS | 'positions' | 'polyglot';

const KINDS = Object.entries<GameKind>(GAME_KINDS) as [keyof typeof GAME_KINDS, GameKind][];
const TEXTS = KINDS.flatMap(([, { hasLine, endings }]) => (hasLine === undefined ? [] : endings));

/** Extensions of text files with games or positions. */
export const FILE_ENDINGS = [...TEXTS, 'epd', 'fen', 'csv', 'tsv', 'txt', 'plain', 'jsonl'];
/** Extensions of other game and position files, which are often copies of such text files in another format. */
export const OTHER_ENDINGS = ['vf', 'viri', 'bullet', 'book'];

/** Number of lines examined before the file name decides. */
const MAX_LINES = 200;
const HEAD_BYTES = 4096;
/** Bytes of an entry of a Polyglot book. */
export const POLYGLOT_ENTRY = 16;

/**
 * Returns the kind of a file. Throws a UserError if it cannot be read, or if it contains binary data that are compressed or of no known
 * kind.
 */
export async function kindOfFile(file: string): Promise<FileKind> {
  if (containerOfFile(file) !== 'plain') await refusePackedBinary(file);
  else {
    const head = firstBytes(file, HEAD_BYTES);
    if (isBinary(head)) return kindOfBinary(head, file);
  }
  let lines = 0;
  for await (const block of readLineBlocks(file, noProblems())) {
    for (const line of block.lines) {
      const kind = kindOfLine(line);
      if (kind !== null) return kind;
      if (++lines >= MAX_LINES) return kindOfName(file);
    }
    if (block.tooLong.length > 0) return kindOfName(file);
  }
  return kindOfName(file);
}

// Only text is read from compressed files
async function refusePackedBinary(file: string): Promise<void> {
  for await (const bytes of unpackedBytes(file, () => {})) {
    const head = bytes.subarray(0, HEAD_BYTES);
    const isText = !isBinary(head) || shareOfControls(head) < FAR_TOO_MANY_CONTROLS;
    if (isText || nestedContainer(head, file) !== null) return;
    throw new UserError(`${file} holds a shard or other binary data; decompress it first, with gunzip or zstd -d`);
  }
}

const gameKindWhere = (isKind: (kind: GameKind) => boolean | undefined): keyof typeof GAME_KINDS | undefined =>
  KINDS.find(([, kind]) => isKind(kind))?.[0];

function kindOfName(file: string): FileKind {
  const hasName = ({ hasLine, endings }: GameKind): boolean =>
    new RegExp(`\\.(?:${endings.join('|')})${hasLine === undefined ? '' : '(?:\\.\\w+)?'}$`, 'i').test(file);
  return gameKindWhere(hasName) ?? 'positions';
}

function kindOfLine(line: string): FileKind | null {
  if (/^\s*(?:$|[%#;])/.test(line)) return null;
  return gameKindWhere(({ hasLine }) => hasLine?.(line)) ?? (isPositionLine(line) ? 'positions' : null);
}

// Zeros are allowed as final padding and in UTF-16
function isBinary(head: Uint8Array): boolean {
  if (encodingOf(head) !== 'UTF-8') return false;
  let end = head.length;
  while (end > 0 && (head[end - 1] === 0 || head[end - 1] === 0x1a)) end--;
  return shareOfControls(head.subarray(0, end)) > MANY_CONTROLS;
}

/** Maximum share of control characters in text, and in damaged text, as a fraction. */
const MANY_CONTROLS = 0.02;
const FAR_TOO_MANY_CONTROLS = 0.05;

function shareOfControls(bytes: Uint8Array): number {
  const controls = bytes.filter((byte) => byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 0x1a);
  return controls.length / Math.max(1, bytes.length);
}

/** Bytes of a position in bulletformat and marlinformat, whose boards are those of viriformat. */
const BOARD_BYTES = 32;
/** In a game of viriformat, moves follow the first board; fewer records could be such moves by chance. */
const MIN_BOARDS = 3;

function isBoards(head: Uint8Array, size: number): boolean {
  if (size % BOARD_BYTES !== 0 || size < MIN_BOARDS * BOARD_BYTES) return false;
  for (let at = 0; at < head.length; at += BOARD_BYTES) {
    if (!isBoard(head.subarray(at, at + BOARD_BYTES))) return false;
  }
  return true;
}

// A bitboard of the occupied squares, then half a byte per piece: its type, and 8 for the second colour
function isBoard(bytes: Uint8Array): boolean {
  const squares = bytes.subarray(0, 8).reduce((sum, byte) => sum + popcount(byte), 0);
  if (squares > 32) return false;
  const pieces = Array.from({ length: squares }, (_, i) => (bytes[8 + (i >> 1)] >> (4 * (i & 1))) & 15);
  const kings = [5, 13].map((king) => pieces.filter((piece) => piece === king).length);
  return kings.every((count) => count === 1) && pieces.every((piece) => (piece & 7) <= 6);
}

const popcount = (byte: number): number => byte.toString(2).replaceAll('0', '').length;

function kindOfBinary(head: Uint8Array, file: string): FileKind {
  if (isBoards(head, statSync(file).size))
    throw new UserError(
      `${file} seems to hold positions of ${BOARD_BYTES} bytes (bulletformat or marlinformat), which Heft cannot read; convert it to text`,
    );
  const known = gameKindWhere(({ hasHead }) => hasHead?.(head));
  if (known !== undefined) return known;
  if (isSorted(head)) return /\.(?:vf|viri)$/i.test(file) ? 'viriformat' : 'polyglot';
  const kind = kindOfName(file);
  if (kind === 'viriformat' || isUtf8(head) || shareOfControls(head) < FAR_TOO_MANY_CONTROLS) return kind;
  throw new UserError(`${file} is not a text file, and holds neither games in viriformat nor a Polyglot book`);
}

// Entries of Polyglot books are sorted by key
function isSorted(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.length - (head.length % POLYGLOT_ENTRY));
  let last = 0n;
  for (let at = 0; at < view.byteLength; at += POLYGLOT_ENTRY) {
    const key = view.getBigUint64(at);
    if (key < last) return false;
    last = key;
  }
  return true;
}
