import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { noProblems, UserError } from '../../../selfplay/common/errors.js';
import { readLineBlocks, TextFacts } from '../../../selfplay/text/files.js';
import { slowTest } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(
  content: string | Uint8Array,
  name = 'text',
): Promise<{ lines: string[]; problems: string[]; tooLong: number[]; facts: TextFacts }> {
  const file = join(folder, name);
  writeFileSync(file, content);
  const problems = noProblems();
  const facts = new TextFacts();
  const lines: string[] = [];
  const tooLong: number[] = [];
  for await (const block of readLineBlocks(file, problems, facts)) {
    expect(block.first).toBe(lines.length + 1);
    lines.push(...block.lines);
    tooLong.push(...block.tooLong.map((index) => block.first + index));
  }
  return { lines, problems: problems.messages, tooLong, facts };
}

test('a byte-order mark, CRLF, blank lines and a last line without a line ending are read', async () => {
  expect((await read('\uFEFFone\r\n\r\ntwo\nthree')).lines).toEqual(['one', '', 'two', 'three']);
  expect((await read('one\n')).lines).toEqual(['one']);
  expect((await read('')).lines).toEqual([]);
});

const many = Array.from({ length: 60_000 }, (_, i) => `line ${i} é ${(i * 7919) % 1000}`);

test('large files are read, plain and gzipped, even with several gzip members', async () => {
  expect((await read(many.join('\n'))).lines).toEqual(many);
  expect((await read(gzipSync(many.join('\n')))).lines).toEqual(many);
  const members = [gzipSync(`${many.slice(0, 10).join('\n')}\n`), gzipSync(many.slice(10, 20).join('\n'))];
  expect((await read(Buffer.concat(members))).lines).toEqual(many.slice(0, 20));
});

test.each([100, 40_000])('%i zero bytes after the last gzip member are ignored', async (length) => {
  const { lines, problems } = await read(Buffer.concat([gzipSync('one\ntwo\n'), Buffer.alloc(length)]));
  expect([lines, problems]).toEqual([['one', 'two'], []]);
});

test.each([4, 600_000])('a gzip member after %i zero bytes is reported', async (length) => {
  const { lines, problems } = await read(Buffer.concat([gzipSync('one\n'), Buffer.alloc(length), gzipSync('two\n')]));
  expect(lines).toEqual(['one']);
  expect(problems).toEqual([expect.stringMatching(/\(other bytes follow the compressed data;/)]);
});

test.each([1, 10_000])('trailing bytes after %i gzipped lines are reported, and all lines are read', async (length) => {
  const content = gzipSync(`${many.slice(0, length).join('\n')}\n`);
  const { lines, problems } = await read(Buffer.concat([content, Buffer.from('<html>')]));
  expect(lines).toEqual(many.slice(0, length));
  expect(problems).toEqual([
    expect.stringMatching(/\(other bytes follow the compressed data; decompress with gunzip -c/),
  ]);
});

test('a doubly compressed file and a Git LFS pointer are rejected with the remedy', async () => {
  await expect(read(gzipSync(gzipSync('one\n')))).rejects.toThrow(
    /text is compressed twice; decompress it once with gunzip/,
  );
  await expect(read('version https://git-lfs.github.com/spec/v1\noid sha256:0\n')).rejects.toThrow(
    /text is a Git LFS pointer; run: git lfs pull$/,
  );
});

test('a truncated gzip file is read up to the cut and reported', async () => {
  const packed = gzipSync(many.join('\n'));
  const { lines, problems } = await read(packed.subarray(0, packed.length >> 1));
  expect(lines.length).toBeGreaterThan(10_000);
  expect(lines).toEqual(many.slice(0, lines.length));
  expect(problems).toEqual([
    expect.stringMatching(/text:\d+: the gzip file is truncated or damaged; reading stopped before this line /),
  ]);
  // Without its checksum the last line, which has no line ending, may be incomplete
  expect((await read(packed.subarray(0, -3))).lines).toEqual(many.slice(0, -1));
});

test('a damaged gzip file is read with a warning about possibly wrong lines', async () => {
  const packed = gzipSync(many.join('\n'));
  packed.fill(0xff, packed.length >> 1, (packed.length >> 1) + 50);
  const { lines, problems } = await read(packed);
  expect(lines.slice(0, 25_000)).toEqual(many.slice(0, 25_000));
  expect(problems).toEqual([
    expect.stringMatching(/the gzip file is truncated or damaged; .*earlier lines may be wrong/),
  ]);
});

test.each([
  ['CR', '\r'],
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CRCRLF', '\r\r\n'],
])('lines that end with %s are read, even across block boundaries', async (name, end) => {
  const wanted = many.flatMap((line, i) => (i % 7 === 0 ? [line, ''] : [line]));
  const { lines, facts } = await read(wanted.join(end));
  expect(lines).toEqual(wanted);
  expect(facts.lineEnds).toEqual([name]);
  expect((await read(gzipSync(wanted.join(end) + end))).lines).toEqual(wanted);
});

test('mixed line endings are recognised, and U+2028 is not one', async () => {
  const { lines, facts } = await read('a\rb\nc\r\nd\r\r\ne\u2028f\r\rg');
  expect(lines).toEqual(['a', 'b', 'c', 'd', 'e f', '', 'g']);
  expect(facts.lineEnds).toEqual(['CRCRLF', 'CRLF', 'CR', 'LF']);
});

test('control characters, byte-order marks and zero-width characters are removed, and special spaces become plain', async () => {
  const text = '\uFEFF\u202aone\u200b\0\u00ad\u2066 two\u00a0three\fsix\n\uFEFFfour\tfive\u001b[1m\n\u001a';
  expect((await read(text)).lines).toEqual(['one two three six', 'four\tfive[1m']);
});

test('UTF-16 is read in both byte orders, with and without a byte-order mark', async () => {
  const text = `${many.slice(0, 2000).join('\r\n')}\r\n`;
  const little = Buffer.from(text, 'utf16le');
  const big = Buffer.from(little).swap16();
  const mark = Buffer.from([0xff, 0xfe]);
  for (const bytes of [little, big, Buffer.concat([mark, little]), Buffer.concat([Buffer.from(mark).swap16(), big])]) {
    const { lines, facts } = await read(bytes);
    expect(lines).toEqual(many.slice(0, 2000));
    expect(facts.encoding).toMatch(/^UTF-16[LB]E$/);
    expect((await read(gzipSync(bytes))).lines).toEqual(lines);
  }
});

test('lines that are not UTF-8 are read as Latin-1', async () => {
  const { lines, facts } = await read(Buffer.concat([Buffer.from('Réti\n'), Buffer.from('Réti\nx', 'latin1')]));
  expect(lines).toEqual(['Réti', 'Réti', 'x']);
  expect(facts.encoding).toBe('Latin-1');
});

test('zstd files are read, even with several frames', async () => {
  const frame = (text: string): Buffer => rawZstd(Buffer.from(text));
  const skipped = Buffer.from('UCpNGAQAAAABAgME', 'base64');
  const bytes = Buffer.concat([skipped, frame('one\ntw'), skipped, frame('o\nthree\n'), frame('four')]);
  const { lines, facts, problems } = await read(bytes);
  expect([lines, facts.container, problems]).toEqual([['one', 'two', 'three', 'four'], 'zstd', []]);
  const cut = await read(bytes.subarray(0, -2));
  expect(cut.lines).toEqual(['one', 'two', 'three']);
  expect(cut.problems).toEqual([expect.stringMatching(/text:4: the zstd file is truncated or damaged/)]);
});

const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7\n';

test.each([
  ['1-0', 'c7f3b418'],
  [MOVES, '692e79c4'],
  [MOVES.repeat(4), '3f24da92'],
])('the checksum of a zstd frame is verified: %j', async (text, checksum) => {
  const bytes = rawZstd(Buffer.from(text), Buffer.from(checksum, 'hex'));
  expect((await read(Buffer.concat([bytes, bytes]))).problems).toEqual([]);
  // 1-0 becomes 0-0, and e4 becomes e5
  bytes[bytes.length - 4 - text.length + Math.max(0, text.indexOf('4'))] ^= 1;
  expect((await read(bytes)).problems).toEqual([
    expect.stringMatching(/incorrect checksum, so earlier lines may be wrong/),
  ]);
});

/** Returns a frame with a single stored block. */
function rawZstd(content: Buffer, checksum = Buffer.alloc(0)): Buffer {
  const block = (content.length << 3) | 1;
  const descriptor = checksum.length > 0 ? 0x24 : 0x20;
  const head = [0x28, 0xb5, 0x2f, 0xfd, descriptor, content.length, block & 255, (block >> 8) & 255, block >> 16];
  return Buffer.concat([Buffer.from(head), content, checksum]);
}

test.each([
  ['BZh91AY&SY', /text is bzip2-compressed; run: bunzip2 .*text$/],
  ['\xfd7zXZ\0', /text is xz-compressed; run: xz -d /],
  ['7z\xbc\xaf\x27\x1c', /text is a 7z archive; run: 7z x /],
  ['PK\x03\x04', /text is a zip archive; run: unzip /],
  ['Rar!\x1a\x07', /text is a rar archive; run: unrar x /],
  [`${'x'.repeat(257)}ustar`, /text is a tar archive; run: tar xf /],
])('an unsupported container is rejected with the command that unpacks it: %j', async (bytes, message) => {
  await expect(read(Buffer.from(bytes, 'latin1'))).rejects.toThrow(message);
});

test('an archive inside a gzip file is rejected, and the command quotes its name', async () => {
  const packed = gzipSync(`${'x'.repeat(257)}ustar`);
  await expect(read(packed, 'this is text')).rejects.toThrow(
    /this is text holds a tar archive; run: tar xf '\/.*this is text'$/,
  );
  await expect(read(gzipSync('PK\x03\x04'))).rejects.toThrow(
    /text holds a zip archive; decompress it first, with gunzip/,
  );
  await expect(read(gzipSync('BZh91AY&SY'))).rejects.toThrow(
    /text is compressed twice; decompress it once with gunzip/,
  );
});

test('a line that is too long is skipped and marked, and the lines around it are read', async () => {
  for (const length of [(1 << 20) + 1, 5 << 20]) {
    for (const end of ['\n', '\r', '\r\n']) {
      const text = ['one', 'x'.repeat(length), 'three', ''].join(end);
      for (const content of [Buffer.from(text), gzipSync(text)]) {
        const { lines, tooLong } = await read(content);
        expect(lines).toEqual(['one', '', 'three']);
        expect(tooLong).toEqual([2]);
      }
    }
  }
});

slowTest('an endless line is marked at once and skipped, plain or compressed', async () => {
  const text = Buffer.concat([Buffer.from('one\ntwo\n'), Buffer.alloc(1 << 28, 'x'), Buffer.from('\nfour')]);
  for (const content of [text, gzipSync(text, { level: 1 })]) {
    const began = process.cpuUsage();
    const before = process.memoryUsage().rss;
    expect((await read(content)).lines).toEqual(['one', 'two', '', 'four']);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(5000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20);
  }
});

test('a missing file and a folder are reported by name', async () => {
  const readAll = async (file: string): Promise<void> => {
    for await (const _ of readLineBlocks(file, noProblems()));
  };
  await expect(readAll(join(folder, 'nothing'))).rejects.toThrow(UserError);
  await expect(readAll(folder)).rejects.toThrow(`${folder} is a folder; name a file in it`);
});
