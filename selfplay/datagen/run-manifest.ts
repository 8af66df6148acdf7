// Creates the manifest of a self-play run, or reads that of a run to continue. Refuses a folder whose run has other settings.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { benchSignature } from '../common/bench-signature.js';
import { UserError } from '../common/errors.js';
import { NO_GAMES } from '../common/game-result.js';
import { identityOf } from '../common/options.js';
import { programVersion } from '../common/program.js';
import { type Identity, refuseOtherRun } from '../common/run-files.js';
import { weightsHash } from '../common/weights.js';
import { hasManifest, type Manifest, readManifest, writeManifest } from '../records/manifest.js';
import { SELFPLAY_OPTIONS, type SelfplaySettings } from './settings.js';

const SHARDS = 32;
const MAX_GAMES_PER_SHARD = 500;
/** A run of few games has small shards; one that is continued far beyond them would have too many. */
const MAX_SMALL_SHARDS = 2048;

/** Returns the manifest of the folder's run, or that of a new run. UserError when the folder holds another run. */
export function openManifest(settings: SelfplaySettings): Manifest {
  const { out, games } = settings;
  const fresh = newManifest(settings);
  if (!hasManifest(out)) {
    const stray = join(out, shardName(0));
    if (existsSync(stray)) throw new UserError(`${stray} is of a run without manifest.json; choose another --out`);
    writeManifest(out, fresh);
    return fresh;
  }
  const old = readManifest(out);
  refuseOtherRun(out, 'run', old.settings, fresh.settings);
  if (old.gamesPerShard < MAX_GAMES_PER_SHARD && games > MAX_SMALL_SHARDS * old.gamesPerShard) {
    throw new UserError(
      `${out} holds a run of few games, ${old.gamesPerShard} a shard, too few for ${games} games; choose another --out`,
    );
  }
  return old;
}

/** Returns the name of the numbered shard's file. */
export function shardName(number: number): string {
  return `shard-${String(number).padStart(4, '0')}.vf`;
}

function newManifest(settings: SelfplaySettings): Manifest {
  const { command, seed, games } = settings;
  return {
    command,
    seed,
    engineVersion: programVersion(),
    settings: selfplayIdentity(settings),
    gamesPerShard: Math.min(MAX_GAMES_PER_SHARD, Math.ceil(games / SHARDS)),
    games: 0,
    positions: 0,
    results: NO_GAMES,
    seconds: 0,
    complete: false,
    shards: [],
  };
}

/** Returns what the run's games depend on; the number of games and of workers is not among it. */
function selfplayIdentity(settings: SelfplaySettings): Identity {
  const { book, weights } = settings;
  const sha256 = createHash('sha256').update(book.join('\n')).digest('hex');
  return {
    ...identityOf(SELFPLAY_OPTIONS, settings),
    ...(book.length > 0 && { book: { positions: book.length, sha256 } }),
    weightsHash: weightsHash(weights),
    bench: benchSignature(),
  };
}
