import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { isInCheck } from '../../../engine/board/kernel.js';
import { state } from '../../../engine/board/position.js';
import { WHITE } from '../../../engine/board/types.js';
import { evaluate, newGame, resolveQuiet, search } from '../../../engine/engine.js';
import { endgameValue } from '../../../engine/eval/endgame/endgame.js';
import { weightVectors } from '../../../engine/eval/weight-set.js';
import { setWeights } from '../../../engine/eval/weights-in-use.js';
import { NO_GAMES } from '../../../selfplay/common/game-result.js';
import { loadWeights } from '../../../selfplay/common/weights.js';
import type { SourcedGame } from '../../../selfplay/records/game-kind.js';
import { readRecords } from '../../../selfplay/records/game-reader.js';
import { checkMergedRuns, freshManifest, readManifest, writeManifest } from '../../../selfplay/records/manifest.js';
import { openingHash } from '../../../selfplay/records/record.js';
import { sha256OfFile } from '../../../selfplay/records/shard.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { splitByOpening } from '../../../tuner/dataset/split.js';
import { labelGame, mendLabels } from '../../../tuner/labels/label.js';
import { type LabelHooks, labelGames } from '../../../tuner/labels/run.js';
import type { LabelSettings } from '../../../tuner/labels/settings.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { traceData } from '../../../tuner/trace/load.js';
import { noneSkipped, visitSample } from '../../../tuner/trace/sample.js';
import { toVector } from '../../../tuner/weights/weights-file.js';
import { playGames } from '../../support/games.js';
import { contents } from '../../support/run-folder.js';
import { slowTest } from '../../support/slow.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-labels-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const at = (name: string): string => join(scratch, name);

const games = playGames(44);
const shard = at('games.vf');
writeFileSync(shard, Buffer.concat(games.map(encodeGame)));

const weights = loadWeights('material');
const FILTER = { skipPlies: 0, perGame: 3, resolve: 'search', seed: 1 } as const;
const SETTINGS = { ...FILTER, nodes: 60, workers: 1, data: [shard], weights, command: 'label' };
const label = (out: string, changes: Partial<LabelSettings> = {}, hooks: LabelHooks = {}) =>
  labelGames({ ...SETTINGS, out: at(out), ...changes }, hooks);
const stop = (out: string, after: number) => {
  const interrupt = new AbortController();
  const onProgress = (state: { games: number }): void => {
    if (state.games === after) interrupt.abort();
  };
  return label(out, {}, { onProgress, signal: interrupt.signal });
};
/** The name of a file of labels; each has two games. */
const file = (number: number): string => `labels-00${String(number).padStart(2, '0')}.csv`;

let whole: Record<string, string>;
beforeAll(async () => {
  await label('whole');
  whole = contents(at('whole'));
});

/** The labels of the whole folder, as columns of each line. */
const rows = (): string[][] =>
  Array.from({ length: 22 }, (_, i) =>
    readFileSync(at(`whole/${file(i)}`), 'utf8')
      .trim()
      .split('\n')
      .slice(1),
  )
    .flat()
    .map((line) => line.split(','));

/** The game as returned by the reader. */
const sourced = (index: number): SourcedGame => ({ ...games[index], file: 'games.vf', index, bookPlies: 0 });

describe('labels', () => {
  test('labels are quiet positions with the result, number and opening of their game', () => {
    const { mg, eg } = weightVectors(weights);
    setWeights(mg, eg);
    expect(rows().length).toBeGreaterThan(100);
    for (const [fen, score, result, game, opening] of rows()) {
      parseFen(fen);
      newGame();
      expect([fen, isInCheck(), resolveQuiet()]).toEqual([fen, false, []]);
      expect(Math.abs(Number(score))).toBeLessThan(31_000);
      expect(Number(result)).toBe(games[Number(game)].result / 2);
      expect(Number(opening)).toBe(openingHash(games[Number(game)]));
    }
    expect(new Set(rows().map(([, , , game]) => game)).size).toBeGreaterThan(40);
  });

  test('the leaf of a label has the static evaluation of the weights that searched it', () => {
    const { mg, eg } = weightVectors(weights);
    setWeights(mg, eg);
    const leaves = rows().filter((row) => row[5] !== '');
    expect(leaves.length).toBeGreaterThan(0.8 * rows().length);
    expect(leaves.filter(([fen, , , , , leaf]) => leaf !== fen).length).toBeGreaterThan(0.5 * leaves.length);
    for (const [, , , , , leaf, evaluation] of leaves) {
      parseFen(leaf);
      const white = state.stm === WHITE ? evaluate() : -evaluate();
      expect([leaf, isInCheck(), Number(evaluation) + 0]).toEqual([leaf, false, white + 0]);
    }
  });

  test('labels do not depend on the number of workers', async () => {
    await label('three', { workers: 3 });
    expect(contents(at('three'))).toEqual(whole);
  });

  test('games added to a file during the run get no labels', async () => {
    const file = at('growing.vf');
    cpSync(shard, file);
    let hasGrown = false;
    const onProgress = (): void => {
      if (!hasGrown) appendFileSync(file, Buffer.concat(games.map(encodeGame)));
      hasGrown = true;
    };
    const { games: done } = await label('growing', { data: [file] }, { onProgress });
    expect([done, hasGrown]).toEqual([44, true]);
    const labels = ({ 'manifest.json': _, ...files }: Record<string, string>): object => files;
    expect(labels(contents(at('growing')))).toEqual(labels(whole));
  });

  test('a shard that self-play finishes during the run gets no labels', async () => {
    const folder = at('playing');
    mkdirSync(folder);
    const shards = [0, 1, 2, 3].map((number) => {
      const name = `shard-000${number}.vf`;
      const part = games.slice(5 * number, 5 * number + 5);
      writeFileSync(join(folder, name), Buffer.concat(part.map(encodeGame)));
      const positions = part.reduce((sum, { moves }) => sum + moves.length, 0);
      return { file: name, games: 5, positions, sha256: sha256OfFile(join(folder, name)) };
    });
    const manifest = (finished: typeof shards) => {
      const fresh = freshManifest({ command: '', seed: 1 }, {}, 20, { results: NO_GAMES, seconds: 0 });
      writeManifest(folder, { ...fresh, games: 5 * finished.length, shards: finished });
    };
    const early = [shards[0]!, shards[1]!, shards[3]!];
    manifest(early);
    const onReading = (read: number): void => {
      if (read === 15) manifest(shards);
    };
    await label('during', { data: [folder] }, { onReading });
    await label('before', { data: early.map(({ file }) => join(folder, file)) });
    expect(contents(at('during'))).toEqual(contents(at('before')));
  });

  test('the manifest of labels records their games and settings', () => {
    const { source, settings, complete, shards, positions } = readManifest(at('whole'));
    expect(source).toEqual([{ name: 'games.vf', sha256: sha256OfFile(shard) }]);
    expect(settings).toMatchObject({ nodes: 60, 'per-game': 3, seed: 1, weightsHash: expect.any(String) });
    expect([complete, shards.length, positions]).toEqual([true, 22, rows().length]);
    expect(shards[3]).toMatchObject({ games: 2, sha256: sha256OfFile(at(`whole/${file(3)}`)) });
  });

  test('a game with an illegal move gets no labels and is reported', async () => {
    const broken = games.slice(0, 3).map((game) => ({ ...game, moves: game.moves.slice() }));
    broken[1].moves[7] = broken[1].moves[6];
    writeFileSync(at('broken.vf'), Buffer.concat(broken.map(encodeGame)));
    const notes: string[] = [];
    const { games: done } = await label('broken', { data: [at('broken.vf')] }, { onNote: (note) => notes.push(note) });
    expect([done, notes]).toEqual([
      3,
      [expect.stringMatching(/broken\.vf: game 2: illegal move .*; the game gets no labels/)],
    ]);
    expect(readManifest(at('broken')).shards.map(({ positions }) => positions)).toEqual([3, 0, 3]);
  });

  test('book positions get no labels', async () => {
    expect(labelGame(sourced(0), 0, { filter: FILTER, nodes: 60 })).toHaveLength(3);
    const book = { ...sourced(0), bookPlies: games[0].moves.length };
    expect(labelGame(book, 0, { filter: FILTER, nodes: 60 })).toEqual([]);
  });

  test('labels are the resolved positions of the sample, or the sampled positions themselves', () => {
    const skipped = noneSkipped();
    for (const index of [3, 4]) {
      const visited: string[] = [];
      visitSample(games[index], index, { ...FILTER, resolve: 'none' }, skipped, () => visited.push(formatFen()));
      const fens = (resolve: 'none' | 'search'): string[] =>
        labelGame(sourced(index), index, { filter: { ...FILTER, resolve }, nodes: 60 }).map((row) => row.split(',')[0]);
      expect(fens('none')).toEqual(visited);
      expect(fens('search').filter((fen) => visited.includes(fen))).toEqual([]);
    }
  });

  test("the score of a label is White's score from a search in a new game", () => {
    const { mg, eg } = weightVectors(weights);
    setWeights(mg, eg);
    for (const [fen, score] of rows().slice(0, 30)) {
      parseFen(fen);
      newGame();
      const found = search({ softNodes: 60, nodes: 480 }).score;
      expect([fen, Number(score)]).toEqual([fen, state.stm === 0 || found === 0 ? found : -found]);
    }
  });
});

describe('an interruption', () => {
  test('an interruption loses at most one game and does not change the final labels', async () => {
    expect(await stop('stopped', 7)).toMatchObject({ games: 7, total: 44 });
    expect(readManifest(at('stopped'))).toMatchObject({ games: 6, complete: false });
    const first = await stop('stopped', 20);
    // The last game of an unfinished shard may be incomplete
    expect(first.games - first.gamesThisSession).toBe(6);
    const { games: done, gamesThisSession } = await label('stopped');
    expect([done, gamesThisSession]).toEqual([44, 24]);
    expect(contents(at('stopped'))).toEqual(whole);
    expect(await label('stopped')).toMatchObject({ games: 44, gamesThisSession: 0 });
  });

  test.each([
    ['within the first line', 10, 0],
    ['within a line of the first game', 150, 0],
    ['within the last line', -5, 1],
    ['between lines of the last game', 0, 1],
  ])('a shard cut %s loses its last game', (_, cut, kept) => {
    const text = readFileSync(at(`whole/${file(5)}`), 'utf8');
    const end = cut > 0 ? cut : cut < 0 ? text.length + cut : text.lastIndexOf('\n', text.length - 2) + 1;
    writeFileSync(at('cut.csv'), text.slice(0, end));
    const held = mendLabels(at('cut.csv'), 10, 12);
    const left = kept === 0 ? '' : text.slice(0, text.indexOf('\n', text.lastIndexOf(',10,')) + 1);
    expect(readFileSync(at('cut.csv'), 'utf8')).toBe(left);
    const positions = left.split('\n').filter((line) => line.split(',')[3] === '10').length;
    expect(held).toEqual({ games: kept, positions, bytes: left.length });
  });

  slowTest('missing or altered shards are labelled again and reported', async () => {
    cpSync(at('whole'), at('damaged'), { recursive: true });
    rmSync(at(`damaged/${file(3)}`));
    const altered = readFileSync(at(`damaged/${file(8)}`), 'utf8').replace(',0.5,', ',1.0,');
    writeFileSync(at(`damaged/${file(8)}`), `${altered}x`);
    const notes: string[] = [];
    await label('damaged', {}, { onNote: (note) => notes.push(note) });
    expect(contents(at('damaged'))).toEqual(whole);
    expect(notes).toEqual([
      expect.stringContaining(`${file(3)} is missing; kept 0 of 2 games`),
      expect.stringMatching(/labels-0008\.csv is altered: \d+ instead of \d+ bytes; kept 0 of 2 games/),
    ]);
  });
});

describe('a labels folder', () => {
  test.each<[string, Partial<LabelSettings>]>([
    ['with nodes 60 (now 61)', { nodes: 61 }],
    ['with per-game 3 (now 4)', { perGame: 4 }],
    ['with resolve "search" (now "none")', { resolve: 'none' }],
    ['with weightsHash "', { weights: loadWeights('shipped') }],
  ])('a labels folder is rejected if the settings differ: %s', async (difference, changes) => {
    await expect(label('whole', changes)).rejects.toThrow(`${at('whole')} holds a set of labels ${difference}`);
    expect(contents(at('whole'))).toEqual(whole);
  });

  test('a labels folder is rejected if its games differ, and a games folder is always rejected', async () => {
    writeFileSync(at('others.vf'), Buffer.concat(games.slice(2).map(encodeGame)));
    await expect(label('whole', { data: [at('others.vf')] })).rejects.toThrow(
      'holds labels of games other than those in',
    );
    const { source: _, ...ofGames } = readManifest(at('whole'));
    cpSync(at('whole'), at('games'), { recursive: true });
    writeManifest(at('games'), ofGames);
    await expect(label('games')).rejects.toThrow(`${at('games')} holds games, not labels; choose another --out`);
    expect(contents(at('whole'))).toEqual(whole);
  });

  test('a labels folder with foreign lines or without a manifest is not resumed', async () => {
    await stop('foreign', 5);
    appendFileSync(at(`foreign/${file(2)}`), 'mine,1,1,400,5\n');
    await expect(label('foreign')).rejects.toThrow(/labels-0002\.csv contains lines that are not labels of this run/);
    expect(readFileSync(at(`foreign/${file(2)}`), 'utf8')).toContain('mine');
    rmSync(at('foreign/manifest.json'));
    await expect(label('foreign')).rejects.toThrow(
      /labels-0000\.csv belongs to a set of labels without manifest\.json/,
    );
  });

  test('labels are not read as games, and cannot be labelled again', async () => {
    const read = async (): Promise<void> => {
      for await (const _ of readRecords([at('whole')]));
    };
    await expect(read()).rejects.toThrow('holds positions: games are read from PGN');
    await expect(label('again', { data: [at('whole')] })).rejects.toThrow('holds positions: games are read from PGN');
    await expect(label('none', { data: [at('none.vf')] })).rejects.toThrow('none.vf: no such file');
  });

  slowTest('a labels folder can be merged with labels of other games, but not with its own copy', async () => {
    cpSync(at('whole'), at('copy'), { recursive: true });
    expect(() => checkMergedRuns([at('whole'), at('copy')], false)).toThrow('hold the same games');
    writeFileSync(at('more.vf'), Buffer.concat(games.slice(0, 4).map(encodeGame)));
    await label('more', { data: [at('more.vf')] });
    expect(() => checkMergedRuns([at('whole'), at('more')], false)).not.toThrow();
  });
});

/** Whether the fit excludes the position because no weight affects its value. */
const isKnown = (fen: string): boolean => {
  parseFen(fen);
  return [1000, -1000].some((value) => endgameValue(value) !== value);
};

describe('a fit', () => {
  const filter = { ...FILTER, resolve: 'none' } as const;
  const load = (data: string) => traceData({ data: [data], filter, weights: toVector(HEFT, weights), workers: 1 });

  slowTest('a fit to labels counts each game once and holds out the same openings as a fit to its games', async () => {
    const [labelled, plain] = [await load(at('whole')), await load(shard)];
    expect(labelled.dataSummary.positions).toBe(rows().length);
    // Positions of known endgames are excluded, which may be all of a game
    const named = new Map(rows().map(([, , , game, opening]) => [game, Number(opening)]));
    const { game, opening } = labelled.dataset;
    expect([...opening]).toEqual([...named.values()]);
    expect(Math.max(...game.map((of) => game.filter((other) => other === of).length))).toBe(3);
    const heldOut = ({ dataset }: typeof plain): Set<number> => {
      const split = splitByOpening(dataset, 0.3, 1);
      return new Set(
        [...dataset.game].filter((_, row) => split.heldOut[row] === 1).map((game) => dataset.opening[game]),
      );
    };
    expect(heldOut(labelled).size).toBeGreaterThan(2);
    expect([...heldOut(labelled)].filter((opening) => !heldOut(plain).has(opening))).toEqual([]);
    expect(labelled.files).toHaveLength(22);
    const scores = rows().map(([, score]) => Number(score));
    expect([...labelled.dataset.score]).toEqual(scores.filter((_, row) => !isKnown(rows()[row][0])));
  });

  test('damaged labels are rejected', async () => {
    cpSync(at('whole'), at('altered'), { recursive: true });
    const text = readFileSync(at(`altered/${file(4)}`), 'utf8');
    writeFileSync(
      at(`altered/${file(4)}`),
      text.replace(/,(\d)(\d*),(0|1|0\.5),/, (_, a, b, c) => `,${(Number(a) + 1) % 10}${b},${c},`),
    );
    await expect(load(at('altered'))).rejects.toThrow(/labels-0004\.csv is altered: its checksum does not match/);
  });
});
