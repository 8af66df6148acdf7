// A disk that fills up: writes are taken in part, then not at all, then again when there is room.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeFileAtomic } from '../../../selfplay/common/files.js';
import { JOURNAL, Journal } from '../../../selfplay/series/journal.js';

const folder = fs.mkdtempSync(join(tmpdir(), 'heft-journal-'));
const { writeSync, fsyncSync } = fs;

/** Bytes there is room for, and the largest part that is taken at a time. */
const disk = { room: Number.POSITIVE_INFINITY, part: Number.POSITIVE_INFINITY, synced: 0 };

beforeAll(() => {
  fs.writeSync = ((fd: number, bytes: Uint8Array, offset: number): number => {
    const length = Math.min(bytes.length - offset, disk.part, disk.room);
    if (length === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    disk.room -= length;
    return writeSync(fd, bytes, offset, length);
  }) as unknown as typeof writeSync;
  fs.fsyncSync = (fd: number): void => {
    disk.synced++;
    fsyncSync(fd);
  };
  syncBuiltinESMExports();
});

afterAll(() => {
  Object.assign(fs, { writeSync, fsyncSync });
  syncBuiltinESMExports();
  fs.rmSync(folder, { recursive: true });
});

const lines = (): unknown[] =>
  fs
    .readFileSync(join(folder, JOURNAL), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('the journal completes short writes, syncs each game, and takes an entry back that a full disk cut off', () => {
  const journal = new Journal<{ game: number }, object>(folder, {}, 'run');
  const head = { run: 1, identity: {} };
  disk.part = 7;
  journal.append({ game: 1 }, {});
  expect(lines()).toEqual([head, { game: 1 }]);
  expect(disk.synced).toBe(1);
  disk.room = 5;
  expect(() => journal.append({ game: 2 }, {})).toThrow(/cannot write .*games.jsonl: ENOSPC/);
  disk.room = Number.POSITIVE_INFINITY;
  journal.append({ game: 3 }, {});
  expect(lines()).toEqual([head, { game: 1 }, { game: 3 }]);
  journal.close();
});

test('a file is replaced by a whole one, or not at all', () => {
  const file = join(folder, 'file');
  writeFileAtomic(file, 'before');
  disk.room = 10;
  expect(() => writeFileAtomic(file, 'more than there is room for')).toThrow(/cannot write .*file: ENOSPC/);
  expect(fs.readFileSync(file, 'utf8')).toBe('before');
  disk.room = Number.POSITIVE_INFINITY;
  writeFileAtomic(file, 'more than fits at a time');
  expect(fs.readFileSync(file, 'utf8')).toBe('more than fits at a time');
  expect(fs.readdirSync(folder).sort()).toEqual(['file', JOURNAL]);
});
