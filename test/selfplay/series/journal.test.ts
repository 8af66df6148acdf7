// A disk that fills up: writes are taken in part, then not at all, then again when there is room.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { JOURNAL, Journal } from '../../../selfplay/series/journal.js';

/** Bytes there is room for, and the largest part that is taken at a time. */
const disk = vi.hoisted(() => ({ room: Number.POSITIVE_INFINITY, part: Number.POSITIVE_INFINITY, synced: 0 }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const writeSync = (fd: number, content: string | Uint8Array, offset = 0): number => {
    const bytes = Buffer.from(content as Uint8Array).subarray(offset);
    const length = Math.min(bytes.length, disk.part, disk.room);
    if (length === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    disk.room -= length;
    return fs.writeSync(fd, bytes, 0, length);
  };
  const fsyncSync = (fd: number): void => {
    disk.synced++;
    fs.fsyncSync(fd);
  };
  return { ...fs, writeSync, fsyncSync };
});

const folder = mkdtempSync(join(tmpdir(), 'heft-journal-'));
afterAll(() => rmSync(folder, { recursive: true }));
const lines = (): unknown[] =>
  readFileSync(join(folder, JOURNAL), 'utf8')
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
