// Self-play of several machines goes into one fit as several folders. Their games must be of one engine and one kind, and different ones.

import { statSync } from 'node:fs';
import { UserError } from '../common/errors.js';
import { identityDifference } from '../common/run-identity.js';
import { hasManifest, readManifest } from './manifest.js';

/**
 * Throws a UserError when two of the paths are folders of the same games, or, unless `mixed`, of games that another engine or other
 * settings have played. Paths that are no folders of self-play are left alone.
 */
export function checkMergedRuns(paths: readonly string[], mixed: boolean): void {
  const isRun = (path: string): boolean =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true && hasManifest(path);
  const runs = paths.filter(isRun).map((path) => {
    const { seed, engineVersion, settings, source } = readManifest(path);
    return {
      path,
      made: JSON.stringify([seed, source]),
      seed,
      identity: { engineVersion, ...settings, seed: undefined },
    };
  });
  for (const [i, run] of runs.entries()) {
    for (const other of runs.slice(0, i)) {
      const difference = identityDifference(other.identity, run.identity);
      const both = `${other.path} and ${run.path}`;
      if (difference === null && run.made === other.made)
        throw new UserError(`${both} hold the same games, of seed ${run.seed}: give each machine a --seed of its own`);
      if (difference !== null && !mixed)
        throw new UserError(
          `${both} differ in ${difference.replace('(now', '(there')}: --mixed takes both all the same`,
        );
    }
  }
}
