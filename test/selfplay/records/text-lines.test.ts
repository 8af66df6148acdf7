import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { UserError } from '../../../selfplay/common/errors.js';
import { noProblems } from '../../../selfplay/records/read-problems.js';
import { readLineBlocks } from '../../../selfplay/records/text-lines.js';
import { slowTest } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(content: string | Uint8Array): Promise<{ lines: string[]; problems: string[] }> {
  const file = join(folder, 'text');
  writeFileSync(file, content);
  const problems = noProblems();
  const lines: string[] = [];
  for await (const block of readLineBlocks(file, problems)) {
    expect(block.first).toBe(lines.length + 1);
    lines.push(...block.lines);
  }
  return { lines, problems: problems.messages };
}

test('byte-order mark, CRLF, blank lines and a last line without its end', async () => {
  expect((await read('\uFEFFone\r\n\r\ntwo\nthree')).lines).toEqual(['one', '', 'two', 'three']);
  expect((await read('one\n')).lines).toEqual(['one']);
  expect((await read('')).lines).toEqual([]);
});

const many = Array.from({ length: 60_000 }, (_, i) => `line ${i} é ${(i * 7919) % 1000}`);

test('large files, plain and gzipped, also in several members', async () => {
  expect((await read(many.join('\n'))).lines).toEqual(many);
  expect((await read(gzipSync(many.join('\n')))).lines).toEqual(many);
  const members = [gzipSync(`${many.slice(0, 10).join('\n')}\n`), gzipSync(many.slice(10, 20).join('\n'))];
  expect((await read(Buffer.concat(members))).lines).toEqual(many.slice(0, 20));
});

test('a gzip file that is cut off is read to its end and reported', async () => {
  const packed = gzipSync(many.join('\n'));
  const { lines, problems } = await read(packed.subarray(0, packed.length >> 1));
  expect(lines.length).toBeGreaterThan(10_000);
  expect(lines).toEqual(many.slice(0, lines.length));
  expect(problems).toEqual([expect.stringMatching(/text:\d+: the gzip file is cut off or damaged in this line/)]);
  // Without its checksum the last line, which has no end, may be half a line
  expect((await read(packed.subarray(0, -3))).lines).toEqual(many.slice(0, -1));
});

test('a damaged gzip file is read up to the damage', async () => {
  const packed = gzipSync(many.join('\n'));
  packed.fill(0xff, packed.length >> 1, (packed.length >> 1) + 50);
  const { lines, problems } = await read(packed);
  expect(lines.length).toBeGreaterThan(1000);
  expect(problems.length).toBe(1);
});

slowTest('a line without end is refused by file and line at once, plain or packed', async () => {
  const text = Buffer.concat([Buffer.from('one\ntwo\n'), Buffer.alloc(1 << 28, 'x')]);
  for (const content of [text, gzipSync(text, { level: 1 })]) {
    const began = process.cpuUsage();
    const before = process.memoryUsage().rss;
    await expect(read(content)).rejects.toThrow(/text:3: a line of more than 1048576 characters: no text$/);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(5000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20);
  }
});

test('a missing file or a folder is named', async () => {
  const readAll = async (file: string): Promise<void> => {
    for await (const _ of readLineBlocks(file, noProblems()));
  };
  await expect(readAll(join(folder, 'nothing'))).rejects.toThrow(UserError);
  await expect(readAll(folder)).rejects.toThrow(`cannot read ${folder}`);
});
