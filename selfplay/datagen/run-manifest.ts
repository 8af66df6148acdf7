// Creates the manifest of a self-play run, or reads that of a run to continue. Rejects a folder whose run has other settings.

import { benchSignature } from '../common/bench-signature.js';
import { UserError } from '../common/errors.js';
import { NO_GAMES } from '../common/game-result.js';
import { identityOf } from '../common/options.js';
import { type Identity, sha256 } from '../common/run-files.js';
import { weightsHash } from '../common/weights.js';
import { freshManifest, MAX_GAMES_PER_SHARD, type Manifest, openManifest } from '../records/manifest.js';
import { SELFPLAY_OPTIONS, type SelfplaySettings } from './settings.js';

/** A run of few games has small shards, so a much longer continuation would have too many of them. */
const MAX_SMALL_SHARDS = 2048;

/** Returns the manifest of the folder's run, or that of a new run. throws a UserError if the folder contains another run. */
export function openRun(settings: SelfplaySettings): Manifest {
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

/** Returns the name of the numbered shard's file. */
export function shardName(number: number): string {
  return `shard-${String(number).padStart(4, '0')}.vf`;
}

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
