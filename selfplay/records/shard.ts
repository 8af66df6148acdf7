// Shards: files of games in viriformat. Each game is appended with one write, so a killed process leaves at most one partial game. Opening
// a shard truncates it after its last complete game.

import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, readSync, truncateSync } from 'node:fs';
import { UserError } from '../common/errors.js';
import { writeAll } from '../common/files.js';
import { checkOpenFile } from '../common/folder-guard.js';
import { type GameRecord, RecordError } from './record.js';
import {
  decodeGame,
  decodeGameAt,
  encodeGame,
  endOfGame,
  HEADER,
  lastWholeGame,
  type WholeGames,
} from './viriformat.js';

/** Content of a shard and the bytes removed by repair. */
export interface Mended extends WholeGames {
  /** Bytes removed at the end. */
  cut: number;
}

/** Truncates a shard after its last complete game if necessary, and returns its content. Uses the engine's position. */
function mendShard(file: string): Mended {
  return onFile(file, 'mend', () => {
    const bytes = readFileSync(file);
    const whole = lastWholeGame(bytes);
    const cut = bytes.length - whole.length;
    if (cut > 0) truncateSync(file, whole.length);
    return { ...whole, cut };
  });
}

/** Opens a new or repaired shard for appending. Uses the engine's position. */
export function openShard(file: string): Shard {
  return onFile(file, 'open', () => {
    const fd = openSync(file, 'a');
    refuseForeign(file);
    return new Shard(file, fd, mendShard(file));
  });
}

// Repair would empty any other file
function refuseForeign(file: string): void {
  const header = readFileSync(file).subarray(0, HEADER);
  if (header.length < HEADER) return;
  try {
    decodeGame(new Uint8Array([...header, 0, 0, 0, 0]), 0);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    throw new UserError(`${file} is not a shard of games (${error.message}); delete it or choose another folder`);
  }
}

/** A shard open for appending. */
export class Shard {
  /** Content when it was opened; `cut`: number of bytes removed. */
  readonly opened: Mended;
  /** Counts of all current games. */
  games: number;
  positions: number;
  private length: number;
  private readonly file: string;
  private readonly fd: number;

  constructor(file: string, fd: number, opened: Mended) {
    this.file = file;
    this.fd = fd;
    this.opened = opened;
    this.games = opened.games;
    this.positions = opened.positions;
    this.length = opened.length;
  }

  /** Appends a game, synced to disk; throws a UserError and leaves the shard unchanged if it cannot be written. */
  append(game: GameRecord): void {
    const bytes = encodeGame(game);
    onFile(this.file, 'write', () => {
      try {
        writeAll(this.fd, bytes);
        fsyncSync(this.fd);
        checkOpenFile(this.fd, this.file);
      } catch (error) {
        ftruncateSync(this.fd, this.length);
        throw error;
      }
    });
    this.length += bytes.length;
    this.games++;
    this.positions += game.moves.length;
  }

  close(): void {
    closeSync(this.fd);
  }
}

const BLOCK = 1 << 22;
/** Maximum size of a game; longer data are not games. */
const MAX_GAME = 1 << 20;

/** Returns the sha256 of a file, in hexadecimal. */
export function sha256OfFile(file: string): string {
  const hash = createHash('sha256');
  for (const block of readBlocks(file)) hash.update(block);
  return hash.digest('hex');
}

/** Iterates the games of a shard of any size. Throws a RecordError at the first truncated or contradictory game; moves are not checked. */
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

// The blocks share one buffer
function* readBlocks(file: string): Generator<Uint8Array> {
  const fd = onFile(file, 'read', () => openSync(file, 'r'));
  try {
    const buffer = new Uint8Array(BLOCK);
    for (;;) {
      const length = onFile(file, 'read', () => readSync(fd, buffer));
      if (length === 0) return;
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(fd);
  }
}

function onFile<T>(file: string, action: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`cannot ${action} ${file}: ${(error as Error).message}`);
  }
}
