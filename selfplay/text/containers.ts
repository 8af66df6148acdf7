// Detects compressed files by their first bytes. gzip and zstd are read. For other formats, the error message gives the command to unpack
// the file.

/** A container that Heft reads. */
export type Container = 'plain' | 'gzip' | 'zstd';

/** Bytes needed for detection; tar's magic is the last. */
export const SIGNATURE_BYTES = 512;

interface Signature {
  name: string;
  bytes: readonly number[];
  at?: number;
  /** Returns the command that unpacks the file. */
  command: (file: string) => string;
}

const text = (letters: string): number[] => Array.from(letters, (letter) => letter.charCodeAt(0));

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
  { name: 'a tar archive', bytes: text('ustar'), at: 257, command: (file) => `tar xf ${file}` },
];

const begins = (bytes: Uint8Array, mark: readonly number[], at = 0): boolean =>
  mark.every((byte, i) => bytes[at + i] === byte);

/** Returns the container detected from a file's first bytes. */
export function containerOf(bytes: Uint8Array): Container {
  if (begins(bytes, [0x1f, 0x8b])) return 'gzip';
  const isSkippable = bytes.length > 3 && bytes[0] >> 4 === 5 && begins(bytes, [0x2a, 0x4d, 0x18], 1);
  return begins(bytes, [0x28, 0xb5, 0x2f, 0xfd]) || isSkippable ? 'zstd' : 'plain';
}

/** Returns the problem and its remedy for a file that `is`, or when unpacked `holds`, an unsupported container; null for others. */
export function foreignContainer(bytes: Uint8Array, file: string, relation: 'is' | 'holds' = 'is'): string | null {
  const found = FOREIGN.find(({ bytes: mark, at }) => begins(bytes, mark, at));
  if (found === undefined || (found.name.startsWith('bzip2') && !isBlockSize(bytes[3]))) return null;
  return `${file} ${relation} ${found.name}; run: ${found.command(file)}`;
}

// A text may also begin with BZh
const isBlockSize = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x31 && byte <= 0x39;
