import { getEventListeners } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatFen } from '../../../engine/board/fen.js';
import { gameEnd } from '../../../engine/board/rules.js';
import { weightVectors } from '../../../engine/eval/weight-set.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { benchSignature } from '../../../selfplay/common/bench-signature.js';
import { UserError } from '../../../selfplay/common/errors.js';
import { defaultSettings } from '../../../selfplay/common/options.js';
import { loadWeights, weightsHash } from '../../../selfplay/common/weights.js';
import { playSelfplayGame } from '../../../selfplay/datagen/game.js';
import { runSelfplay } from '../../../selfplay/datagen/run.js';
import { SELFPLAY_OPTIONS, type SelfplaySettings } from '../../../selfplay/datagen/settings.js';
import { readManifest, verifyShards } from '../../../selfplay/records/manifest.js';
import { replay } from '../../../selfplay/records/record.js';
import { checksums, contents, gamesOf } from '../../support/run-folder.js';
import { slowTest } from '../../support/slow.js';

const root = mkdtempSync(join(tmpdir(), 'heft-selfplay-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;
const newFolder = (): string => join(root, `run-${count++}`);

// Not the shipped weights: every game must use the given ones, including the first of a thread
const weights = loadWeights('material');
weights.terms['material'][4] = [700, 1100];

const GAMES = 35; // two per shard, and one in the last
const settings = (out: string, changes: Partial<SelfplaySettings> = {}): SelfplaySettings => ({
  ...defaultSettings(SELFPLAY_OPTIONS),
  games: GAMES,
  out,
  seed: 5,
  workers: 1,
  hash: 1,
  softNodes: 30,
  nodes: 200,
  book: [],
  jitter: 30,
  maxMoves: 20,
  resign: { moveCount: 2, score: 400, twoSided: false },
  weights,
  command: 'a test',
  ...changes,
});
const FEW = { games: 8, keepLost: true };

/** An uninterrupted run for comparison. */
const reference = newFolder();
let whole: Record<string, string>;
beforeAll(async () => {
  await runSelfplay(settings(reference, { workers: 2 }));
  whole = checksums(reference);
}, 180_000);

/** Copies the reference, applies `damage`, and continues the run; returns the folder and the notes. */
async function continued(damage: (folder: string) => void): Promise<{ folder: string; notes: string[] }> {
  const folder = newFolder();
  cpSync(reference, folder, { recursive: true });
  damage(folder);
  const notes: string[] = [];
  const progress = await runSelfplay(settings(folder), { onNote: (note) => notes.push(note) });
  expect(progress.games).toBe(GAMES);
  expect(readManifest(folder)).toMatchObject({ complete: true, games: GAMES });
  verifyShards(folder, readManifest(folder));
  return { folder, notes };
}

/** Plays until `games` games have been finished in this session. */
async function interrupted(folder: string, games: number): Promise<number> {
  const stop = new AbortController();
  const progress = await runSelfplay(settings(folder, { workers: 2 }), {
    signal: stop.signal,
    onProgress: ({ gamesThisSession }) => {
      if (gamesThisSession >= games) stop.abort();
    },
  });
  return progress.games;
}

describe('a run', () => {
  test('a run is identical with one and two workers', async () => {
    const folder = newFolder();
    await runSelfplay(settings(folder));
    expect(checksums(folder)).toEqual(whole);
    const { seconds: _, ...manifest } = readManifest(folder);
    expect(readManifest(reference)).toMatchObject(manifest);
    expect(new Set(Object.values(whole)).size).toBe(18);
  });

  slowTest('a different seed, weight set or jitter changes the games', async () => {
    const sums = new Set<string>();
    for (const changes of [{}, { seed: 6 }, { jitter: 0 }, { jitter: 31 }, { weights: loadWeights('material') }]) {
      const folder = newFolder();
      await runSelfplay(settings(folder, { ...FEW, games: 2, ...changes }));
      sums.add(Object.values(checksums(folder)).join());
    }
    expect(sums.size).toBe(5);
  });

  test('the manifest of a run agrees with its shards', async () => {
    const manifest = readManifest(reference);
    const games = await gamesOf(reference);
    const results = [0, 1, 2].map((result) => games.filter((game) => game.result === result).length);
    expect(manifest).toMatchObject({
      command: 'a test',
      seed: 5,
      engineVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
      settings: {
        bench: benchSignature(),
        weightsHash: weightsHash(weights),
        seed: 5,
        hash: 1,
        'soft-nodes': 30,
        nodes: 200,
        'min-plies': 8,
        'max-plies': 9,
        'keep-lost': false,
        jitter: 30,
        'max-moves': 20,
        resign: { moveCount: 2, score: 400, twoSided: false },
      },
      gamesPerShard: 2,
      games: GAMES,
      positions: games.reduce((sum, { moves }) => sum + moves.length, 0),
      results: { losses: results[0], draws: results[1], wins: results[2] },
      complete: true,
    });
    expect(manifest.seconds).toBeGreaterThan(0);
    expect(Object.fromEntries(manifest.shards.map(({ file, sha256 }) => [file, sha256]))).toEqual(whole);
    expect(manifest.shards.map((shard) => shard.games)).toEqual([...new Array(17).fill(2), 1]);
    expect(readdirSync(reference)).toHaveLength(19);
  });

  test('a run contains legal games from distinct openings', async () => {
    const starts = new Set<string>();
    const ends = new Set<string>();
    for (const [index, game] of (await gamesOf(reference)).entries()) {
      const { sideToMove, fullmove, board } = game.start;
      expect([8, 9]).toContain(2 * (fullmove - 1) + sideToMove);
      starts.add(board.join());

      replay(game, (_, score) => expect(Math.abs(score)).toBeLessThanOrEqual(32_000), index);
      const last = game.scores[game.scores.length - 1];
      const isResigned = Math.abs(last) >= 400;
      const isLongest = game.moves.length === 40;
      if (gameEnd() !== null || (isLongest && isResigned)) continue;
      ends.add(isLongest ? 'longest' : 'resigned');
      expect(game.result).toBe(isLongest ? 1 : last > 0 ? 2 : 0);
    }
    expect(starts.size).toBe(GAMES);
    expect([...ends].sort()).toEqual(['longest', 'resigned']);
  });

  slowTest('without adjudication, games end only by the rules of chess', async () => {
    const folder = newFolder();
    const { resign: _, ...rest } = settings(folder, { ...FEW, maxMoves: 1000 });
    await runSelfplay(rest);
    for (const game of await gamesOf(folder)) {
      replay(game, () => {});
      const end = gameEnd();
      expect(end).not.toBeNull();
      expect(game.result).toBe(end !== 'checkmate' ? 1 : formatFen().includes(' w ') ? 0 : 2);
    }
  });
});

describe('a game', () => {
  test('a game depends only on its number, not on the games before it', () => {
    const { mg, eg } = weightVectors(weights);
    const game = (index: number, changes: object = {}) =>
      playSelfplayGame({ ...settings(''), mg, eg, ...changes }, index).game;
    const first = game(11);
    game(3, { jitter: 200 });
    expect(game(11)).toEqual(first);
  });

  test('games use the book positions in turn', async () => {
    const book = ['4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1', '3qk3/8/8/8/8/8/8/3QK3 b - - 4 30'];
    const folders = await Promise.all(
      [1, 2].map(async (workers) => {
        const folder = newFolder();
        await runSelfplay(settings(folder, { ...FEW, games: 4, book, minPlies: 0, maxPlies: 0, jitter: 90, workers }));
        return folder;
      }),
    );
    expect(checksums(folders[0])).toEqual(checksums(folders[1]));
    const fens: string[] = [];
    for (const game of await gamesOf(folders[0])) {
      replay({ ...game, moves: new Uint16Array(0) }, () => {});
      fens.push(formatFen());
    }
    expect(fens).toEqual([...book, ...book]);
    expect(readManifest(folders[0]).settings).toMatchObject({ book: { positions: 2 }, 'max-plies': 0 });
    const other = settings(folders[0], {
      ...FEW,
      games: 4,
      book: [...book].reverse(),
      minPlies: 0,
      maxPlies: 0,
      jitter: 90,
    });
    await expect(runSelfplay(other)).rejects.toThrow(/holds a run with book\.sha256 /);
  });

  test('a decided book position is replaced by the next one', async () => {
    const lost = 'rk2r3/ppp2ppp/8/8/8/8/PPP2PPP/1K6 w - - 0 1';
    const equal = ['4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1', '4k3/4pppp/8/8/8/8/4PPPP/4K3 w - - 0 1'];
    const book = [equal[0], lost, lost, equal[1]];
    const changes = { keepLost: false, minPlies: 0, maxPlies: 0, jitter: 0 };
    const startsOf = async (folder: string): Promise<string[]> => {
      const fens: string[] = [];
      for (const game of await gamesOf(folder)) {
        replay({ ...game, moves: new Uint16Array(0) }, () => {});
        fens.push(formatFen());
      }
      return fens;
    };
    const folder = newFolder();
    await runSelfplay(settings(folder, { ...changes, games: 2, book }));
    expect(await startsOf(folder)).toEqual([equal[0], equal[1]]);
    // A continued run plays the games of a whole one
    await runSelfplay(settings(folder, { ...changes, games: 6, book }));
    expect(await startsOf(folder)).toEqual([equal[0], equal[1], equal[1], equal[1], equal[0], equal[1]]);
    const all = runSelfplay(settings(newFolder(), { ...changes, games: 2, book: [lost, lost] }));
    await expect(all).rejects.toThrow(
      `no acceptable opening of 0 random plies from ${lost} or from the next book positions; use --keep-lost to keep decided openings`,
    );
  });

  test('an impossible opening ends the run with an error', async () => {
    const book = ['4k3/8/8/8/8/8/8/R3K3 w - - 99 90'];
    const folder = newFolder();
    const run = runSelfplay(settings(folder, { ...FEW, book, minPlies: 4, maxPlies: 4 }));
    await expect(run).rejects.toThrow(UserError);
    await expect(run).rejects.toThrow(/^no acceptable opening of 4 random plies from 4k3/);
  });
});

describe('an interrupted run', () => {
  slowTest('an interrupted run loses only games in progress and gives the same result when resumed', async () => {
    const folder = newFolder();
    const first = await interrupted(folder, 11); // an odd number, so that one shard is incomplete
    expect(first).toBe(11);
    const left = contents(folder);
    const manifest = readManifest(folder);
    verifyShards(folder, manifest);
    expect(manifest).toMatchObject({ complete: false, games: 2 * manifest.shards.length });
    const { wins, losses, draws } = manifest.results;
    expect(wins + losses + draws).toBe(manifest.games);
    await sleep(200);
    expect(contents(folder)).toEqual(left);

    expect(await interrupted(folder, 5)).toBe(16);
    await runSelfplay(settings(folder, { workers: 3 }));
    expect(checksums(folder)).toEqual(whole);
    expect(readManifest(folder)).toMatchObject({ ...readManifest(reference), seconds: expect.any(Number) });
  });

  test('a finished run leaves no listener on a shared abort signal', async () => {
    const { signal } = new AbortController();
    await runSelfplay(settings(newFolder(), { games: 2, keepLost: true }), { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('a run that is stopped before its first game plays none', async () => {
    const folder = newFolder();
    const progress = await runSelfplay(settings(folder), { signal: AbortSignal.abort() });
    expect(progress.games).toBe(0);
    expect(readManifest(folder)).toMatchObject({ games: 0, complete: false });
  });

  test('restarting a complete run changes nothing', async () => {
    const before = contents(reference);
    const progress = await runSelfplay(settings(reference), { onProgress: () => expect.unreachable() });
    const { games, positions, results } = readManifest(reference);
    expect(progress).toMatchObject({ games, positions, results, seconds: 0, nodes: 0, gamesThisSession: 0 });
    expect(contents(reference)).toEqual(before);
  });
});

describe('a damaged run', () => {
  const shard = (number: number): string => `shard-${String(number).padStart(4, '0')}.vf`;

  test('truncated shards are reported and restored byte for byte', async () => {
    const random = createRandom(2026);
    const cuts = new Map<string, number>();
    const { folder, notes } = await continued((damaged) => {
      for (let number = 0; number < 18; number += 2) {
        const path = join(damaged, shard(number));
        const { size } = statSync(path);
        cuts.set(path, number === 0 ? 0 : number === 2 ? 1 : number === 4 ? size - 1 : randomBelow(random, size));
        truncateSync(path, cuts.get(path));
      }
    });
    expect(checksums(folder)).toEqual(whole);
    for (const [path, cut] of cuts) {
      const size = statSync(path).size;
      const kept = new RegExp(`^${path} is truncated: ${cut} of ${size} bytes; kept 0 of 2 games$`);
      expect(notes).toContainEqual(expect.stringMatching(kept));
    }
    expect(notes).toHaveLength(cuts.size);
  });

  slowTest('a truncated unfinished shard is reported and restored', async () => {
    const folder = newFolder();
    await interrupted(folder, 9);
    const listed = readManifest(folder).shards.map(({ file }) => file);
    const open = readdirSync(folder).find(
      (file) => file.endsWith('.vf') && !listed.includes(file) && statSync(join(folder, file)).size > 0,
    );
    const path = join(folder, open ?? 'none was open');
    truncateSync(path, statSync(path).size - 5);
    const notes: string[] = [];
    await runSelfplay(settings(folder), { onNote: (note) => notes.push(note) });
    expect(notes).toEqual([expect.stringContaining(`${path}: removed `)]);
    expect(checksums(folder)).toEqual(whole);
  });

  test('missing, extended, overwritten and altered shards are restored byte for byte', async () => {
    const { folder, notes } = await continued((damaged) => {
      rmSync(join(damaged, shard(3)));
      appendFileSync(join(damaged, shard(4)), 'more');
      const bytes = readFileSync(join(damaged, shard(5)));
      bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 8);
      writeFileSync(join(damaged, shard(5)), bytes);
      // The score of the first move, so that the game stays legal
      const flipped = readFileSync(join(damaged, shard(6)));
      flipped[34] ^= 1;
      writeFileSync(join(damaged, shard(6)), flipped);
    });
    expect(checksums(folder)).toEqual(whole);
    expect(notes).toEqual([
      expect.stringContaining(`${shard(3)} is missing; kept 0 of 2 games`),
      expect.stringContaining(`${shard(4)} is altered`),
      ...[5, 6].map((number) =>
        expect.stringMatching(`${shard(number)} is altered: its checksum does not match .* kept 0 of 2 games`),
      ),
    ]);
  });

  test('a run with foreign games in a shard is rejected', async () => {
    const folder = newFolder();
    cpSync(reference, folder, { recursive: true });
    appendFileSync(join(folder, shard(6)), readFileSync(join(folder, shard(7))));
    await expect(runSelfplay(settings(folder))).rejects.toThrow(
      /shard-0006\.vf holds more than \d+ games, the maximum per shard/,
    );
  });

  test.each([
    ['{', /manifest\.json: /],
    ['{}', /manifest\.json is not a manifest of games: no number 'games'/],
    [
      '{"games":0,"positions":0,"seed":1,"gamesPerShard":2,"shards":[null]}',
      /manifest of games: a shard lacks its file/,
    ],
  ])('a run whose manifest contains %s is rejected, and its shards are unchanged', async (text, message) => {
    const folder = newFolder();
    cpSync(reference, folder, { recursive: true });
    writeFileSync(join(folder, 'manifest.json'), text);
    await expect(runSelfplay(settings(folder))).rejects.toThrow(message);
    expect(checksums(folder)).toEqual(whole);
  });

  test('a run without its manifest is rejected', async () => {
    const folder = newFolder();
    cpSync(reference, folder, { recursive: true });
    rmSync(join(folder, 'manifest.json'));
    await expect(runSelfplay(settings(folder))).rejects.toThrow(
      /shard-0000\.vf belongs to a run without manifest\.json/,
    );
    expect(checksums(folder)).toEqual(whole);
  });
});

describe('the folder of a run', () => {
  test.each<[string, Partial<SelfplaySettings>]>([
    ['seed 5 (now 6)', { seed: 6 }],
    ['soft-nodes 30 (now 31)', { softNodes: 31 }],
    ['nodes 200 (now 300)', { nodes: 300 }],
    ['tc none (now {"moves":0,"time":1000,"increment":80})', { tc: { moves: 0, time: 1000, increment: 80 } }],
    ['hash 1 (now 2)', { hash: 2 }],
    ['weightsHash "', { weights: loadWeights('material') }],
    ['max-plies 9 (now 10)', { maxPlies: 10 }],
    ['book none (now {"positions":1', { book: ['4k3/8/8/8/8/8/8/R3K3 w - - 0 1'] }],
    ['keep-lost false (now true)', { keepLost: true }],
    ['jitter 30 (now 31)', { jitter: 31 }],
    ['max-moves 20 (now 1000)', { maxMoves: 1000 }],
  ])('the folder of a run is rejected if a setting differs: %s', async (difference, changes) => {
    const before = contents(reference);
    const run = runSelfplay(settings(reference, changes));
    await expect(run).rejects.toThrow(`${reference} holds a run with ${difference}`);
    await expect(run).rejects.toThrow(/^[^\n]+; choose another --out, or delete this folder$/);
    expect(contents(reference)).toEqual(before);
  });

  slowTest('a run can be extended with more games, and does not change with fewer', async () => {
    const folder = newFolder();
    await runSelfplay(settings(folder, { games: 3 }));
    const before = checksums(folder);
    const progress = await runSelfplay(settings(folder, { games: 30, command: 'more' }));
    expect(progress).toMatchObject({ games: 30, gamesThisSession: 27 });
    expect(checksums(folder)).toMatchObject(before);
    expect(readManifest(folder)).toMatchObject({ games: 30, gamesPerShard: 1, complete: true, command: 'more' });
    expect(await gamesOf(folder)).toEqual((await gamesOf(reference)).slice(0, 30));

    expect(await runSelfplay(settings(folder, { games: 10 }))).toMatchObject({ games: 30, gamesThisSession: 0 });
    const tooMany = runSelfplay(settings(folder, { games: 5000 }));
    await expect(tooMany).rejects.toThrow(/holds a run with too few games per shard \(1\) for 5000 games/);
    expect(await gamesOf(folder)).toHaveLength(30);
  });

  test('an interrupted run resumed with fewer games keeps and verifies all finished shards', async () => {
    const folder = newFolder();
    await interrupted(folder, 20);
    const { shards } = readManifest(folder);
    const last = join(folder, shards.at(-1)!.file);
    // The score of the first move, so that the game stays legal
    const bytes = readFileSync(last);
    bytes[34] ^= 1;
    writeFileSync(last, bytes);
    const notes: string[] = [];
    const progress = await runSelfplay(settings(folder, { games: 9 }), { onNote: (note) => notes.push(note) });
    expect(notes).toEqual([expect.stringContaining(`${last} is altered`)]);
    const { games, positions, results, complete, shards: now } = readManifest(folder);
    expect([complete, now]).toEqual([true, readManifest(reference).shards.slice(0, now.length)]);
    expect(now).toEqual(expect.arrayContaining(shards));
    expect(progress).toMatchObject({ games, total: games, positions, results });
    expect(await runSelfplay(settings(folder, { games: 9 }))).toMatchObject({ games, positions, results });
  });

  slowTest('the folder of a run stays consistent while games are added', async () => {
    const folder = newFolder();
    await runSelfplay(settings(folder, { ...FEW, games: 33 }));
    expect(readManifest(folder)).toMatchObject({ gamesPerShard: 2, complete: true });
    await runSelfplay(settings(folder, { ...FEW, games: 37 }), {
      onProgress: () => verifyShards(folder, readManifest(folder)),
    });
    expect(readManifest(folder).shards.map(({ games }) => games)).toEqual([...new Array(18).fill(2), 1]);
  });

  test("a run's folder is locked by its process, and the lock of a dead process is ignored", async () => {
    const folder = newFolder();
    mkdirSync(folder);
    writeFileSync(join(folder, 'lock'), '1');
    await expect(runSelfplay(settings(folder, FEW))).rejects.toThrow(`${folder} is in use by process 1`);
    expect(readdirSync(folder)).toEqual(['lock']);
    for (const dead of ['', '4194305']) {
      writeFileSync(join(folder, 'lock'), dead);
      expect(await runSelfplay(settings(folder, FEW))).toMatchObject({ games: 8 });
      expect(existsSync(join(folder, 'lock'))).toBe(false);
    }
  });

  test.each(['/proc/heft', join(reference, 'manifest.json', 'x')])('%s cannot be created', async (folder) => {
    await expect(runSelfplay(settings(folder, FEW))).rejects.toThrow(`cannot create the folder ${folder}`);
  });

  slowTest('an unwritable shard ends the run with an error, and the run can be resumed', async () => {
    const folder = newFolder();
    const run = runSelfplay(settings(folder), {
      onProgress: ({ games }) => {
        if (games === 6) mkdirSync(join(folder, 'shard-0008.vf'));
      },
    });
    await expect(run).rejects.toThrow(/^cannot open .*shard-0008\.vf: illegal operation on a directory/);
    rmSync(join(folder, 'shard-0008.vf'), { recursive: true });
    const left = contents(folder);
    await sleep(200);
    expect(contents(folder)).toEqual(left);
    await runSelfplay(settings(folder));
    expect(checksums(folder)).toEqual(whole);
  });
});
