// Shards are files of games in viriformat. Each game is appended with one write, so a killed process leaves at most one partial game, which
// is removed when the run is continued.

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, truncateSync } from 'node:fs';
import { attempt, UserError } from '../common/errors.js';
import { addCount } from '../common/wording.js';
import type { GameKind, ReadReport, SourcedGame } from './game-kind.js';
import type { GameRecord } from './record.js';
import { decodeGameAt, endOfGame, HEADER, headerFault, lastWholeGame, type WholeGames } from './viriformat.js';

/**
 * Truncates a shard after its last complete game if necessary. Returns its content and the number of bytes removed. Throws a UserError if
 * the file is not a shard. Overwrites the engine's position.
 */
export function mendShard(file: string): WholeGames & { cut: number } {
  const bytes = attempt(`cannot open ${file}`, () => readFileSync(file));
  // Without this check, the repair would empty a file that is not a shard
  const fault = bytes.length < HEADER ? null : headerFault(bytes);
  if (fault !== null)
    throw new UserError(`${file} is not a shard of games (${fault}); delete it or choose another folder`);
  const whole = lastWholeGame(bytes);
  const cut = bytes.length - whole.length;
  if (cut > 0) attempt(`cannot repair ${file}`, () => truncateSync(file, whole.length));
  return { ...whole, cut };
}

const BLOCK = 1 << 22;
/** Maximum size of a game in bytes. */
const MAX_GAME = 1 << 20;

/** Returns the sha256 of a file, or of the concatenated contents of several, in hexadecimal. The files may have any size. */
export function sha256OfFile(...files: string[]): string {
  const hash = createHash('sha256');
  for (const file of files) for (const block of readBlocks(file)) hash.update(block);
  return hash.digest('hex');
}

/** Yields the games of a shard of any size. Throws a RecordError at the first truncated or contradictory game; moves are not checked. */
export function* readShard(file: string): Generator<GameRecord> {
  let rest: Uint8Array = new Uint8Array(0);
  let index = 0;
  for (const block of readBlocks(file)) {
    const bytes = rest.length === 0 ? block : new Uint8Array(Buffer.concat([rest, block]));
    let at = 0;
    for (; endOfGame(bytes, at) >= 0; index++) {
      const { game, next } = decodeGameAt(bytes, at, `game ${index + 1}`);
      yield game;
      at = next;
    }
    rest = bytes.slice(at);
    if (rest.length > MAX_GAME) break;
  }
  if (rest.length > 0) decodeGameAt(rest, 0, `game ${index + 1}`);
}

/** Yields the content of a file of any size in blocks, which share one buffer. */
export function* readBlocks(file: string, blockSize = BLOCK): Generator<Uint8Array> {
  const fd = attempt(`cannot read ${file}`, () => openSync(file, 'r'));
  try {
    const buffer = new Uint8Array(Math.min(blockSize, fstatSync(fd).size || blockSize));
    for (;;) {
      const length = attempt(`cannot read ${file}`, () => readSync(fd, buffer));
      if (length === 0) return;
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(fd);
  }
}

export const VIRIFORMAT: GameKind = {
  name: 'viriformat',
  endings: ['vf', 'viri', 'bin'],
  hasHead: (head) => head.length >= HEADER && headerFault(head) === null,
  *read(file, report) {
    // A flipped bit may decode as another legal move
    addCount(report.formats, 'viriformat, no checksum');
    yield* readGamesOf(file, report);
  },
};

/** Yields the games of a shard, and counts them in the report. Throws a RecordError for a faulty game. */
export function* readGamesOf(file: string, report: ReadReport): Generator<SourcedGame> {
  let index = 0;
  for (const game of readShard(file)) {
    report.games++;
    yield { ...game, bookPlies: 0, file, index };
    index++;
  }
}
