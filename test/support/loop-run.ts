// A loop's folder as its stages write it, without playing, for tests of the film and the report; and an observer for loops in tests.

import { writeFileAtomic } from '../../selfplay/common/files.js';
import { loadWeights, weightsHash } from '../../selfplay/common/weights.js';
import { formatPgn, pgnOfRecord } from '../../selfplay/records/pgn.js';
import type { LoopFolder } from '../../tuner/generations/folder.js';
import { type GenerationEntry, type Ledger, PRESETS } from '../../tuner/generations/settings.js';
import type { LoopObserver } from '../../tuner/loop/context.js';
import { HEFT } from '../../tuner/model/heft.js';
import { fromVector, toVector, writeWeights } from '../../tuner/weights/weights-file.js';
import { randomGame } from './random-games.js';

/** An observer that ignores everything. */
export const SILENT: LoopObserver = {
  onStage: () => {},
  onTimeLeft: () => {},
  onProgress: () => {},
  onStatus: () => {},
  onMatch: () => {},
  onNote: () => {},
  signal: new AbortController().signal,
};

type Match = NonNullable<GenerationEntry['match']>;

export const matchOf = (elo: number, eloError: number, verdict: Match['verdict'] = null): Match => ({
  games: 100,
  wins: 60,
  losses: 20,
  draws: 20,
  penta: [0, 10, 10, 20, 10],
  elo,
  eloError,
  nelo: elo,
  llr: 2.97,
  lower: -2.94,
  upper: 2.94,
  verdict,
});

/** Match results of the generations: accepted, rejected, none. */
const MATCHES = [matchOf(300, 30, 'H1'), matchOf(-20, 40, 'H0'), null];
const GAMES = 6;
const POOL = ['material', 'shipped', 'other'].map((opponent) => ({ opponent, ...matchOf(60, 35) }));

/** Writes a run of three generations, with times for the first two, and returns its ledger. */
export function writeRun(folder: LoopFolder): Ledger {
  const start = loadWeights('material');
  writeWeights(HEFT, folder.weights(0), start);
  const generations = MATCHES.map((match, i): GenerationEntry => {
    const generation = i + 1;
    const weights = fromVector(
      HEFT,
      toVector(HEFT, start).map((value, index) => value + ((index * generation) % 19) - 9),
      {},
    );
    writeWeights(HEFT, folder.weights(generation), weights);
    const games = Array.from({ length: GAMES }, (_, seed) => randomGame(10 * i + seed, 20 + seed));
    writeFileAtomic(
      `${folder.games(generation)}/games.pgn`,
      games.map((game) => formatPgn(pgnOfRecord(game))).join(''),
    );
    return {
      labels: null,
      ...{
        generation,
        seed: i,
        games: GAMES,
        nodes: 100,
        positions: 100,
        played: '',
        weights: weightsHash(weights),
        match,
      },
      ...{
        line: '',
        accepted: match?.verdict === 'H1',
        pool: generation === 1 ? POOL : [],
        fit: {} as GenerationEntry['fit'],
      },
    };
  });
  const times = { 1: { wall: 1000, cpu: 2000 }, 2: { wall: 2600, cpu: 5200 } };
  writeFileAtomic(`${folder.path}/times.json`, JSON.stringify(times));
  const final = { weights: '', generation: 1, match: matchOf(-40, 25), line: '' };
  return { settings: { ...PRESETS['smoke'], from: 'material' }, engine: '', bench: 0, generations, final };
}
