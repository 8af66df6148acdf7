// The traced positions as sparse rows (CSR) in shared memory: one packed Int32 per non-zero coefficient, because one
// load per entry made the gradient twice as fast as separate index and count arrays.

import { createHash } from 'node:crypto';

/** Positions with their coefficients; every array is backed by a SharedArrayBuffer, so that workers read it in place. */
export interface Dataset {
  /** Row i's entries are packed[offsets[i]] … packed[offsets[i + 1] - 1]. */
  offsets: Uint32Array;
  /** Term index and coefficient (White's count minus Black's), see packEntry. */
  packed: Int32Array;
  /** Game phase, 24 (all pieces) to 0. */
  phase: Uint8Array;
  /** Half points for White: 0, 1 or 2. */
  result: Uint8Array;
  /** Index of the game in `opening`. */
  game: Uint32Array;
  /** Search score in centipawns for White, UNSCORED (selfplay/records/record.ts) where the data have none. */
  score: Int16Array;
  /** For each game a hash of its opening: games with equal hashes belong on the same side of a split. */
  opening: Uint32Array;
}

/** What a tracing worker hands back: the same arrays in private memory, games numbered from 0. */
export type DatasetPart = Dataset;

const COEFFICIENT_BITS = 9;
const COEFFICIENT_MAX = 255;
const TERM_MAX = 2 ** (31 - COEFFICIENT_BITS) - 1;

/** Packs a term index and a coefficient (±255) into one int32; values that do not fit throw a RangeError. */
export function packEntry(term: number, coefficient: number): number {
  if (coefficient < -COEFFICIENT_MAX - 1 || coefficient > COEFFICIENT_MAX) {
    throw new RangeError(`coefficient ${coefficient} of term ${term} does not fit into ${COEFFICIENT_BITS} bits`);
  }
  if (term < 0 || term > TERM_MAX) throw new RangeError(`term index ${term} does not fit into an entry`);
  return (term << COEFFICIENT_BITS) | (coefficient & 511);
}

/** Returns the term index of a packed entry. */
export const entryTerm = (entry: number): number => entry >> COEFFICIENT_BITS;

/** Returns the signed coefficient of a packed entry. */
export const entryCoefficient = (entry: number): number =>
  (entry << (32 - COEFFICIENT_BITS)) >> (32 - COEFFICIENT_BITS);

/** Returns the number of positions. */
export const positionCount = (dataset: Dataset): number => dataset.phase.length;

/** A growing part: arrays double when full, finish() trims them. */
export class PartBuilder {
  private rows = 0;
  private entries = 0;
  private offsets = new Uint32Array(1025);
  private packed = new Int32Array(32768);
  private phase = new Uint8Array(1024);
  private result = new Uint8Array(1024);
  private game = new Uint32Array(1024);
  private score = new Int16Array(1024);
  private readonly openings: number[] = [];

  /** Starts the next game; the positions added from now on belong to it. */
  startGame(openingHash: number): void {
    this.openings.push(openingHash >>> 0);
  }

  /** Appends a position: dense coefficients by term index, phase 0..24, half points and score (cp) for White. */
  add(coefficients: Int32Array, phase: number, result: number, score: number): void {
    this.reserve(coefficients.length);
    for (let term = 0; term < coefficients.length; term++) {
      if (coefficients[term] !== 0) this.packed[this.entries++] = packEntry(term, coefficients[term]);
    }
    this.phase[this.rows] = phase;
    this.result[this.rows] = result;
    this.score[this.rows] = score;
    this.game[this.rows] = this.openings.length - 1;
    this.offsets[++this.rows] = this.entries;
  }

  /** Returns the arrays cut to their length. */
  finish(): DatasetPart {
    return {
      offsets: this.offsets.slice(0, this.rows + 1),
      packed: this.packed.slice(0, this.entries),
      phase: this.phase.slice(0, this.rows),
      result: this.result.slice(0, this.rows),
      game: this.game.slice(0, this.rows),
      score: this.score.slice(0, this.rows),
      opening: Uint32Array.from(this.openings),
    };
  }

  private reserve(entries: number): void {
    while (this.entries + entries > this.packed.length) this.packed = grown(this.packed, Int32Array);
    if (this.rows + 1 < this.phase.length) return;
    this.offsets = grown(this.offsets, Uint32Array);
    this.phase = grown(this.phase, Uint8Array);
    this.result = grown(this.result, Uint8Array);
    this.game = grown(this.game, Uint32Array);
    this.score = grown(this.score, Int16Array);
  }
}

/** Joins parts in the given order into one dataset in shared memory; game indices become those of the whole. */
export function joinParts(parts: readonly DatasetPart[]): Dataset {
  const total = (length: (part: DatasetPart) => number): number => parts.reduce((sum, part) => sum + length(part), 0);
  const rows = total((part) => part.phase.length);
  const entries = total((part) => part.packed.length);
  if (entries > 0xffffffff) throw new RangeError('too many coefficients for 32-bit offsets: sample fewer positions');

  const joined: Dataset = {
    offsets: new Uint32Array(shared(4 * (rows + 1))),
    packed: new Int32Array(shared(4 * entries)),
    phase: new Uint8Array(shared(rows)),
    result: new Uint8Array(shared(rows)),
    game: new Uint32Array(shared(4 * rows)),
    score: new Int16Array(shared(2 * rows)),
    opening: new Uint32Array(shared(4 * total((part) => part.opening.length))),
  };
  let row = 0;
  let entry = 0;
  let game = 0;
  for (const part of parts) {
    joined.packed.set(part.packed, entry);
    joined.phase.set(part.phase, row);
    joined.result.set(part.result, row);
    joined.score.set(part.score, row);
    joined.opening.set(part.opening, game);
    for (let i = 0; i < part.phase.length; i++) {
      joined.offsets[row + i + 1] = entry + part.offsets[i + 1];
      joined.game[row + i] = game + part.game[i];
    }
    row += part.phase.length;
    entry += part.packed.length;
    game += part.opening.length;
  }
  return joined;
}

/** Returns the sha256 (hex) of the whole content: equal data give equal hashes, however many workers traced them. */
export function datasetHash(dataset: Dataset): string {
  const hash = createHash('sha256');
  const { offsets, packed, phase, result, game, score, opening } = dataset;
  for (const array of [offsets, packed, phase, result, game, score, opening]) {
    hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  }
  return hash.digest('hex');
}

/** Returns in how many positions each of the `terms` term indices occurs, those marked 1 in `except` left out. */
export function countOccurrences(dataset: Dataset, terms: number, except?: Uint8Array): Uint32Array {
  const { offsets, packed } = dataset;
  const occurrences = new Uint32Array(terms);
  for (let row = 0; row < positionCount(dataset); row++) {
    if (except?.[row] === 1) continue;
    for (let at = offsets[row]; at < offsets[row + 1]; at++) occurrences[entryTerm(packed[at])]++;
  }
  return occurrences;
}

function grown<T extends Int32Array | Uint32Array | Uint8Array | Int16Array>(
  array: T,
  arrayType: new (length: number) => T,
): T {
  const larger = new arrayType(2 * array.length);
  larger.set(array);
  return larger;
}

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);
