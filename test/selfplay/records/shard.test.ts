import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { AppendedFile } from '../../../selfplay/common/appended-file.js';
import { UserError } from '../../../selfplay/common/errors.js';
import {
  type Manifest,
  readManifest,
  type ShardEntry,
  shardFault,
  verifyShards,
  writeManifest,
} from '../../../selfplay/records/manifest.js';
import type { GameRecord } from '../../../selfplay/records/record.js';
import { mendShard, readShard, sha256OfFile } from '../../../selfplay/records/shard.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { concat, randomGame } from '../../support/random-games.js';

const root = mkdtempSync(join(tmpdir(), 'heft-shard-'));
let folder = root;
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(root, 'run-'));
});

const games = Array.from({ length: 6 }, (_, seed) => randomGame(seed, 10 + seed));
const whole = concat(games.map(encodeGame));

function append(path: string, more: readonly GameRecord[]): void {
  const file = new AppendedFile(path);
  for (const game of more) file.append([encodeGame(game)]);
  file.close();
}

describe('a shard', () => {
  test('a shard can be written game by game, even if it is reopened', () => {
    const file = join(folder, 'a.vf');
    for (const game of games) {
      append(file, [game]);
      expect(mendShard(file).cut).toBe(0);
    }
    expect(readFileSync(file).equals(whole)).toBe(true);
    expect([...readShard(file)]).toEqual(games);
    expect(sha256OfFile(file)).toBe(createHash('sha256').update(whole).digest('hex'));
  });

  test('mendShard counts games, positions and results', () => {
    append(join(folder, 'a.vf'), games);
    expect(mendShard(join(folder, 'a.vf'))).toMatchObject({
      games: 6,
      positions: 75,
      results: { wins: 2, losses: 2, draws: 2 },
    });
  });

  test('a truncated shard is repaired to its last complete game and can be continued', () => {
    const file = join(folder, 'a.vf');
    const lengthOf = (count: number): number => concat(games.slice(0, count).map(encodeGame)).length;
    for (let length = lengthOf(4); length <= whole.length; length += 3) {
      writeFileSync(file, whole.subarray(0, length));
      const mended = mendShard(file);
      const kept = length < lengthOf(5) ? 4 : length < whole.length ? 5 : 6;
      expect([mended.games, mended.cut], `cut at ${length}`).toEqual([kept, length - lengthOf(kept)]);
      append(file, games.slice(kept));
      expect(readFileSync(file).equals(whole), `cut at ${length}`).toBe(true);
    }
  });

  test('mendShard removes garbage at the end and rejects a foreign file', () => {
    const file = join(folder, 'a.vf');
    writeFileSync(file, whole);
    appendFileSync(file, Buffer.alloc(500, 0x55));
    const mended = mendShard(file);
    expect([mended.games, mended.cut]).toEqual([6, 500]);
    expect(mended.fault).toMatch(/^game 7 at byte /);
    const letter = join(folder, 'letter.txt');
    writeFileSync(letter, 'Dear reader, this is not a record of chess games at all.');
    expect(() => mendShard(letter)).toThrow(UserError);
    expect(statSync(letter).size).toBe(56);
  });

  test('reading stops at an incomplete game and reports its number', () => {
    const file = join(folder, 'a.vf');
    writeFileSync(file, whole.subarray(0, whole.length - 2));
    expect(() => [...readShard(file)]).toThrow('game 6: the game is truncated');
  });

  test('a shard in a missing folder is reported by name', () => {
    expect(() => mendShard(join(folder, 'missing', 'a.vf'))).toThrow(/cannot open .*missing/);
    expect(() => append(join(folder, 'missing', 'a.vf'), [])).toThrow(/cannot open .*missing/);
    expect(() => sha256OfFile(join(folder, 'nothing'))).toThrow(UserError);
  });
});

function writeRun(): Manifest {
  const shards = [games.slice(0, 2), games.slice(2, 4), games.slice(4)].map((part, i): ShardEntry => {
    const file = `games-${i}.vf`;
    writeFileSync(join(folder, file), concat(part.map(encodeGame)));
    const positions = part.reduce((sum, game) => sum + game.moves.length, 0);
    return { file, games: part.length, positions, sha256: sha256OfFile(join(folder, file)) };
  });
  const manifest: Manifest = {
    command: 'npm run selfplay -- --games 6',
    seed: 1,
    engineVersion: '0.1.0',
    settings: {},
    gamesPerShard: 2,
    games: 6,
    positions: 75,
    results: { wins: 2, losses: 2, draws: 2 },
    seconds: 1.5,
    complete: true,
    shards,
  };
  writeManifest(folder, manifest);
  return manifest;
}

describe('a manifest', () => {
  test('a manifest is read back unchanged, and valid shards are accepted', () => {
    const manifest = writeRun();
    expect(readManifest(folder)).toEqual(manifest);
    verifyShards(folder, manifest);
  });

  test('verifyShards reports a truncated, an altered and a missing shard', () => {
    const manifest = writeRun();
    const file = join(folder, 'games-1.vf');
    const bytes = readFileSync(file);
    truncateSync(file, bytes.length - 1);
    expect(() => verifyShards(folder, manifest)).toThrow(/games-1\.vf is truncated/);
    bytes[34] ^= 1;
    writeFileSync(file, bytes);
    expect(() => verifyShards(folder, manifest)).toThrow(/games-1\.vf is altered: its checksum/);
    appendFileSync(file, 'x');
    expect(() => verifyShards(folder, manifest)).toThrow(/games-1\.vf is altered/);
    rmSync(file);
    expect(() => verifyShards(folder, manifest)).toThrow(UserError);
    expect(shardFault(folder, manifest.shards[1])).toBe('is missing');
  });

  test.each([
    ['{', 'cannot read'],
    ['[]', 'not a manifest'],
    ['{"games": 1, "positions": 2, "seed": 3, "gamesPerShard": 1}', "no list 'shards'"],
    ['{"games":1,"positions":2,"seed":3,"gamesPerShard":1,"shards":[]}', 'hold 0 games, not 1'],
    [
      '{"games":1,"positions":2,"seed":3,"gamesPerShard":1,"shards":[{"file":"../a","games":1,"positions":2,"sha256":""}]}',
      'outside the folder',
    ],
  ])('the manifest %s is rejected', (text, message) => {
    writeFileSync(join(folder, 'manifest.json'), text);
    expect(() => readManifest(folder)).toThrow(message);
    expect(() => readManifest(folder)).toThrow(UserError);
  });
});
