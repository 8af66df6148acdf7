// Detects compressed files by their first bytes. Heft reads gzip and zstd. For other formats, the error message gives the command that
// unpacks the file.

import { shellLine } from '../common/program.js';

export type Container = 'plain' | 'gzip' | 'zstd';

/** Bytes read for detection; tar's signature, at byte 257, is the farthest from the start. */
export const SIGNATURE_BYTES = 512;

interface Signature {
  name: string;
  bytes: readonly number[];
  at?: number;
  /** Returns the command that unpacks the file, whose name is quoted for the shell. */
  command: (file: string) => string;
}

const text = (letters: string): number[] => Array.from(letters, (letter) => letter.charCodeAt(0));

const TAR: Signature = { name: 'a tar archive', bytes: text('ustar'), at: 257, command: (file) => `tar xf ${file}` };
const FOREIGN: readonly Signature[] = [
  { name: 'bzip2-compressed', bytes: text('BZh'), command: (file) => `bunzip2 ${file}` },
  { name: 'xz-compressed', bytes: [0xfd, ...text('7zXZ'), 0], command: (file) => `xz -d ${file}` },
  { name: 'a 7z archive', bytes: [...text('7z'), 0xbc, 0xaf, 0x27, 0x1c], command: (file) => `7z x ${file}` },
  { name: 'a zip archive', bytes: [...text('PK'), 3, 4], command: (file) => `unzip ${file}` },
  { name: 'an empty zip archive', bytes: [...text('PK'), 5, 6], command: (file) => `unzip ${file}` },
  { name: 'a rar archive', bytes: text('Rar!'), command: (file) => `unrar x ${file}` },
  { name: 'lz4-compressed', bytes: [4, 0x22, 0x4d, 0x18], command: (file) => `lz4 -d ${file}` },
  { name: 'compressed', bytes: [0x1f, 0x9d], command: (file) => `uncompress ${file}` },
  { name: 'a Git LFS pointer', bytes: text('version https://git-lfs'), command: () => 'git lfs pull' },
  TAR,
];

const begins = (bytes: Uint8Array, mark: readonly number[], at = 0): boolean =>
  mark.every((byte, i) => bytes[at + i] === byte);

/** Returns the container detected from a file's first bytes. */
export function containerOf(bytes: Uint8Array): Container {
  if (begins(bytes, [0x1f, 0x8b])) return 'gzip';
  const isSkippable = bytes.length > 3 && bytes[0] >> 4 === 5 && begins(bytes, [0x2a, 0x4d, 0x18], 1);
  return begins(bytes, [0x28, 0xb5, 0x2f, 0xfd]) || isSkippable ? 'zstd' : 'plain';
}

function foreignOf(bytes: Uint8Array): Signature | null {
  const found = FOREIGN.find(({ bytes: mark, at }) => begins(bytes, mark, at));
  return found === undefined || (found.name.startsWith('bzip2') && !isBlockSize(bytes[3])) ? null : found;
}

/** Returns the problem and its remedy for a file in an unsupported container, or null. */
export function foreignContainer(bytes: Uint8Array, file: string): string | null {
  const found = foreignOf(bytes);
  return found && `${file} is ${found.name}; run: ${found.command(shellLine([file]))}`;
}

/** Returns the problem and its remedy for a compressed file whose unpacked content begins with these bytes, or null for plain content. */
export function nestedContainer(bytes: Uint8Array, file: string): string | null {
  const found = foreignOf(bytes);
  if (containerOf(bytes) !== 'plain' || found?.name.endsWith('compressed') === true)
    return `${file} is compressed twice; decompress it once with gunzip or zstd -d`;
  if (found === null) return null;
  // tar unpacks a compressed archive itself
  const remedy =
    found === TAR ? `run: ${found.command(shellLine([file]))}` : 'decompress it first, with gunzip or zstd -d';
  return `${file} holds ${found.name}; ${remedy}`;
}

// Plain text may also begin with BZh
const isBlockSize = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x31 && byte <= 0x39;
