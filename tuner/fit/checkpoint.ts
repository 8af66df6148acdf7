// Checkpoint: the state of a fit in a file. A fit that was stopped or killed continues from the checkpoint with the same result. V8's
// serialisation is exact, and a hash at the start of the file detects damage.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { UserError } from '../../selfplay/common/errors.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';

const HASH_BYTES = 32;
/** Minimum time in ms between checkpoints, and maximum share of the time spent writing them. */
const DUE_MS = 1000;
const SHARE_OF_TIME = 0.02;

/** Writes the progress of a fit to a file at intervals. `identity` is a hash of everything that affects the result of the fit. */
export class Checkpoint<Progress> {
  private dueAt = performance.now() + DUE_MS;

  constructor(
    private readonly file: string,
    private readonly identity: string,
  ) {}

  /** Returns the stored progress, or null if the file is missing or damaged. Throws a UserError if it belongs to another fit. */
  read(): Progress | null {
    if (!existsSync(this.file)) return null;
    const bytes = readFileSync(this.file);
    const body = bytes.subarray(HASH_BYTES);
    if (!bytes.subarray(0, HASH_BYTES).equals(hashOf(body))) return null;
    const { identity, progress } = deserialize(body) as { identity: string; progress: Progress };
    if (identity === this.identity) return progress;
    throw new UserError(
      `${this.file} belongs to a fit with other data, other options or another version of the program; choose another --out, or delete the file`,
    );
  }

  /** Writes the progress if a checkpoint is due, and always with `atOnce`. */
  keep(progress: Progress, atOnce: boolean): void {
    const began = performance.now();
    if (!atOnce && began < this.dueAt) return;
    const body = serialize({ identity: this.identity, progress });
    writeFileAtomic(this.file, Buffer.concat([hashOf(body), body]));
    const ended = performance.now();
    this.dueAt = ended + Math.max(DUE_MS, (ended - began) / SHARE_OF_TIME);
  }
}

const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
