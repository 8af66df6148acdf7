// A disk that fills up: writes are short, then fail, then succeed again.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeFileAtomic } from '../../../selfplay/common/files.js';
import { unsealedJson } from '../../../selfplay/common/run-files.js';
import { runMatch } from '../../../selfplay/match/match.js';
import { DEFAULT_GAMES } from '../../../selfplay/series/game-settings.js';
import { JOURNAL, Journal, type JournalEntry } from '../../../selfplay/series/journal.js';
import { fakeEngine } from '../../support/fake-engine.js';
import { slowTest } from '../../support/slow.js';

const folder = fs.mkdtempSync(join(tmpdir(), 'heft-journal-'));
const { writeSync, fsyncSync } = fs;

/** Free bytes, and the largest part that is written at a time. */
const disk = { room: Number.POSITIVE_INFINITY, part: Number.POSITIVE_INFINITY, synced: 0 };

/** Runners write to engines through pipes, not to the disk. */
const isPipe = (fd: number): boolean => fs.fstatSync(fd).isFIFO();

beforeAll(() => {
  fs.writeSync = ((fd: number, bytes: Uint8Array, offset: number): number => {
    if (isPipe(fd)) return writeSync(fd, bytes, offset);
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

const lines = (file = join(folder, JOURNAL)): unknown[] =>
  fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => unsealedJson(line));

test('a damaged journal header is reported with its own remedy', () => {
  fs.writeFileSync(join(folder, JOURNAL), 'rubbish\n');
  const journal = new Journal<object, object>(folder, {}, 'run');
  const ignore = (): void => {};
  expect(() => journal.resume(ignore, ignore)).toThrow(':1: damaged line; choose another folder, or delete this one');
  journal.close();
  fs.rmSync(join(folder, JOURNAL));
});

test('an unterminated foreign file is rejected unchanged, and a partial journal header is replaced', () => {
  const file = join(folder, JOURNAL);
  const journal = new Journal<object, object>(folder, {}, 'run');
  const ignore = (): void => {};
  for (const other of ['{"id":"abcd","moves":"e4 e5"}', '{"ru1']) {
    fs.writeFileSync(file, other);
    expect(() => journal.resume(ignore, ignore)).toThrow(':1: not the journal of a run; choose another folder');
    expect(fs.readFileSync(file, 'utf8')).toBe(other);
  }
  for (const partial of ['{"ru', '{"run":1,"identity":{']) {
    fs.writeFileSync(file, partial);
    journal.resume(ignore, ignore);
    expect(fs.readFileSync(file, 'utf8')).toBe('');
  }
  journal.close();
  fs.rmSync(file);
});

test('the journal completes short writes, syncs each game, and removes an entry truncated by a full disk', () => {
  const journal = new Journal<{ game: number }, object>(folder, {}, 'run');
  const head = { run: 1, identity: {} };
  disk.part = 7;
  journal.append({ game: 1 }, {});
  expect(lines()).toEqual([head, { game: 1 }]);
  expect(disk.synced).toBe(1);
  disk.room = 5;
  expect(() => journal.append({ game: 2 }, {})).toThrow(/cannot write .*games.jsonl: no space left/);
  disk.room = Number.POSITIVE_INFINITY;
  journal.append({ game: 3 }, {});
  expect(lines()).toEqual([head, { game: 1 }, { game: 3 }]);
  journal.close();
});

slowTest('an atomic write replaces the file completely or not at all', () => {
  const file = join(folder, 'file');
  writeFileAtomic(file, 'before');
  disk.room = 10;
  expect(() => writeFileAtomic(file, 'more than there is room for')).toThrow(/cannot write .*file: no space left/);
  expect(fs.readFileSync(file, 'utf8')).toBe('before');
  disk.room = Number.POSITIVE_INFINITY;
  writeFileAtomic(file, 'more than fits at a time');
  expect(fs.readFileSync(file, 'utf8')).toBe('more than fits at a time');
  expect(fs.readdirSync(folder).sort()).toEqual(['file', JOURNAL]);
});

slowTest('a match on a full disk ends with a one-line error, and plays the same games when resumed', async () => {
  const limits = { nodes: 5, margin: 0, stall: 20_000 };
  const engines = ['A', 'B'].map((name) => ({ spec: { ...fakeEngine(`seed=${name}`), name }, limits }));
  const settings = { ...DEFAULT_GAMES, plies: 4, maxMoves: 4, seed: 1, workers: 2, engines, games: 6 };
  const gamesOf = (out: string): unknown[] =>
    lines(join(out, JOURNAL))
      .slice(1)
      .map((line) => ({ ...(line as JournalEntry), seconds: 0, game: { ...(line as JournalEntry).game, times: [] } }))
      .sort((a, b) => a.index - b.index);
  const [whole, full] = ['whole', 'full'].map((name) => join(folder, name));
  await runMatch({ ...settings, out: whole }, {});
  disk.room = 2500;
  await expect(runMatch({ ...settings, out: full }, {})).rejects.toThrow(/^cannot write .*full\/.*: no space left/);
  expect(fs.existsSync(join(full, 'lock'))).toBe(false);
  const kept = gamesOf(full).length;
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(6);
  disk.room = Number.POSITIVE_INFINITY;
  const result = await runMatch({ ...settings, out: full }, {});
  expect(result).toMatchObject({ finished: true, games: 6, failures: [] });
  expect(gamesOf(full)).toEqual(gamesOf(whole));
});

test.skipIf(process.platform !== 'linux')('a match whose PGN cannot be written ends with an error', async () => {
  const limits = { nodes: 5, margin: 0, stall: 20_000 };
  const engines = ['A', 'B'].map((name) => ({ spec: { ...fakeEngine(`seed=${name}`), name }, limits }));
  const settings = { ...DEFAULT_GAMES, plies: 4, maxMoves: 4, workers: 1, engines, games: 2, pgn: '/dev/full' };
  await expect(runMatch(settings, {})).rejects.toThrow(/^cannot write \/dev\/full: no space left/);
});
