// A self-play run stores its games in shards. Shards are played in parallel, and the games of each shard one at a time.

import { weightVectors } from '../../engine/eval/weight-set.js';
import { benchSignature } from '../common/bench-signature.js';
import { UserError } from '../common/errors.js';
import { addCounts, type Counts, NO_GAMES, withGame } from '../common/game-result.js';
import { identityOf } from '../common/options.js';
import { type Identity, sha256 } from '../common/run-files.js';
import { weightsHash } from '../common/weights.js';
import { freshManifest, MAX_GAMES_PER_SHARD, type Manifest, openManifest, shardFault } from '../records/manifest.js';
import type { GameRecord } from '../records/record.js';
import { mendShard } from '../records/shard.js';
import {
  inFolder,
  type RunProgress,
  type ShardContent,
  ShardedRun,
  type ShardedRunHooks,
  type ShardKind,
} from '../records/sharded-run.js';
import { encodeGame } from '../records/viriformat.js';
import { type SelfplayGameSettings, SUBSTITUTES } from './game.js';
import { SELFPLAY_OPTIONS, type SelfplaySettings } from './settings.js';
import type { WorkerAnswer } from './worker.js';

/** State of a run; results from White's side. */
export interface SelfplayProgress extends RunProgress {
  results: Counts;
  /** Nodes searched in this session. */
  nodes: number;
}

/**
 * Plays the games that are missing in the folder, at least up to the end of its last finished shard. The returned progress is complete
 * unless the signal stopped the run. Rejects with a UserError if the folder contains another run.
 */
export function runSelfplay(
  settings: SelfplaySettings,
  hooks: ShardedRunHooks<SelfplayProgress> = {},
): Promise<SelfplayProgress> {
  const { out } = settings;
  return inFolder(out, () => {
    const manifest = openRun(settings);
    const isSound = manifest.shards.every((entry) => shardFault(out, entry) === null);
    // With fewer games than before, the finished shards are kept
    const wanted = Math.max(settings.games, endOfShards(manifest));
    if (!isSound || !manifest.complete || manifest.games < wanted)
      return play({ ...settings, games: wanted }, manifest, hooks);
    const { games, positions, results } = manifest;
    const session = { gamesThisSession: 0, positionsThisSession: 0, seconds: 0, nodes: 0 };
    return Promise.resolve({ games, total: games, positions, results, ...session });
  });
}

/** Games of a shard and their results. */
interface Games extends ShardContent {
  results: Counts;
}

function shardKind(manifest: Manifest, onNote?: (note: string) => void): ShardKind<Games, GameRecord> {
  const before = manifest.seconds;
  const mend = (path: string, isListed: boolean): Games => {
    const { games, positions, results, cut, fault } = mendShard(path);
    if (games > manifest.gamesPerShard)
      throw new UserError(
        `${path} holds more than ${manifest.gamesPerShard} games, the maximum per shard of this run; delete it to replay its games`,
      );
    if (cut > 0 && !isListed) onNote?.(`${path}: removed ${cut} bytes after the last complete game (${fault})`);
    return { games, positions, results };
  };
  return {
    name: shardName,
    nothing: () => ({ games: 0, positions: 0, results: NO_GAMES }),
    listed: (path) => mend(path, true),
    mend: (path, _, isListed) => mend(path, isListed),
    encode: encodeGame,
    count: (content, game) => {
      content.positions += game.moves.length;
      content.results = withGame(content.results, game.result);
    },
    totals: (finished, seconds) => ({
      results: resultsOf(finished),
      seconds: Math.round(100 * (before + seconds)) / 100,
    }),
  };
}

const resultsOf = (contents: readonly Games[]): Counts =>
  contents.reduce((sum, { results }) => addCounts(sum, results), NO_GAMES);

async function play(
  { weights, ...settings }: SelfplaySettings,
  manifest: Manifest,
  hooks: ShardedRunHooks<SelfplayProgress>,
): Promise<SelfplayProgress> {
  const { out, games, workers, book } = settings;
  const run = new ShardedRun(shardKind(manifest, hooks.onNote), out, manifest, games, hooks);
  let nodes = 0;
  const progress = (): SelfplayProgress => {
    return { ...run.progress, results: resultsOf(run.shards.map(({ content }) => content)), nodes };
  };

  const waiting = run.shards.filter(({ entry }) => entry === null);
  const count = Math.min(workers, waiting.length);
  // Drops only the positions that no game can reach, so the games do not depend on their number
  const starts = book.slice(0, games + SUBSTITUTES);
  const data: SelfplayGameSettings = { ...settings, book: starts, ...weightVectors(weights) };
  await run.finish({ worker: 'selfplay/datagen/worker', data, count }, (pool) => {
    const playShards = async (): Promise<void> => {
      for (let shard = waiting.shift(); shard !== undefined; shard = waiting.shift()) {
        while (shard.entry === null) {
          const answer: WorkerAnswer = await pool.run(shard.range.first + shard.content.games);
          if (run.isStopped) return;
          if ('fault' in answer) throw new UserError(answer.fault);
          if (answer.suspended > 0) {
            const seconds = (answer.suspended / 1000).toFixed(1);
            hooks.onNote?.(
              `${shard.path}: this process was suspended for ${seconds} s during a game, whose clocks were stopped`,
            );
          }
          run.append(shard, answer.game);
          nodes += answer.nodes;
          hooks.onProgress?.(progress());
        }
      }
    };
    return Promise.all(Array.from({ length: count }, playShards));
  });
  // If the total was reduced, the last shard may contain more games than needed. All of them count, as in a finished run
  return manifest.complete ? { ...progress(), games: manifest.games, total: manifest.games } : progress();
}

// Creates the manifest of a self-play run, or reads the manifest of a run to continue. Rejects a folder whose run has other settings.

/** Maximum number of shards below the usual size. A much longer continuation of a short run, which has small shards, is rejected. */
const MAX_SMALL_SHARDS = 2048;

/**
 * Returns the manifest of the folder's run, or a new manifest. Throws a UserError if the folder contains another run, or if its shards are
 * too small for the number of games.
 */
function openRun(settings: SelfplaySettings): Manifest {
  const { out, games } = settings;
  const fresh = freshManifest(settings, selfplayIdentity(settings), games, { results: NO_GAMES, seconds: 0 });
  const manifest = openManifest(out, { what: 'run', name: shardName }, fresh);
  const { gamesPerShard } = manifest;
  if (gamesPerShard < MAX_GAMES_PER_SHARD && games > MAX_SMALL_SHARDS * gamesPerShard) {
    throw new UserError(
      `${out} holds a run with too few games per shard (${gamesPerShard}) for ${games} games; choose another --out`,
    );
  }
  return manifest;
}

/** Returns the number of games up to the end of the last finished shard. */
function endOfShards({ shards, gamesPerShard }: Manifest): number {
  const last = shards.at(-1);
  return last === undefined ? 0 : Number(/\d+/.exec(last.file)) * gamesPerShard + last.games;
}

const shardName = (number: number): string => `shard-${String(number).padStart(4, '0')}.vf`;

/** Returns the settings that affect the run's games; the numbers of games and workers do not. */
function selfplayIdentity(settings: SelfplaySettings): Identity {
  const { book, weights } = settings;
  return {
    ...identityOf(SELFPLAY_OPTIONS, settings),
    ...(book.length > 0 && { book: { positions: book.length, sha256: sha256(book.join('\n')) } }),
    weightsHash: weightsHash(weights),
    bench: benchSignature(),
  };
}
