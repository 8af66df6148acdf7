// Dataset: the traced positions as sparse rows (CSR) in shared memory. Each non-zero coefficient is packed with its weight index into one
// Int32, so both take a single load. The workers of a fit re-encode the rows in a faster form (objective/signed-rows.ts).

import { createHash } from 'node:crypto';

/**
 * Positions with their coefficients. Each tracing worker returns a part, whose games are numbered from 0. Joined parts are stored in
 * SharedArrayBuffers, which the workers of the fit read in place.
 */
export interface Dataset {
  /** The entries of row i are packed[offsets[i]] … packed[offsets[i + 1] - 1]. */
  offsets: Uint32Array;
  /** Part, weight index and coefficient (see packEntry()). In the linear part, the coefficient is White's count minus Black's. */
  packed: Int32Array;
  /** Game phase from 24 (all pieces) to 0. Rows of other engines may have fractions. */
  phase: Uint8Array | Float32Array;
  /** Half points for White: 0, 1 or 2. */
  result: Uint8Array;
  /** Index of the game in `opening`. */
  game: Uint32Array;
  /** Search score in centipawns for White, or UNSCORED (selfplay/records/record.ts). */
  score: Int16Array;
  /** Only in rows of other engines: centipawns for White that no term covers, and a factor of the endgame score. */
  rest?: Float32Array;
  scale?: Float32Array;
  /** Hash of each game's opening; games with equal hashes stay on the same side of a split. */
  opening: Uint32Array;
}

/** A dataset linearised at a weight vector, with the derivatives of each row's evaluation with respect to the sums of its parts. */
export interface Linearised extends Dataset {
  /**
   * Six derivatives per row, with respect to: the danger of White's attack (middlegame, endgame), the danger of Black's attack (likewise;
   * negative), the endgame sum of the linear part, and the scale of the side that is ahead in the endgame (negative for Black).
   */
  partSlopes: Float64Array;
}

/** Derivatives per row in `partSlopes`. */
export const SLOPES_PER_ROW = 6;

const COEFFICIENT_BITS = 9;
const COEFFICIENT_MAX = 255;
const PART_SHIFT = 29;
const INDEX_MAX = 2 ** (PART_SHIFT - COEFFICIENT_BITS) - 1;

/**
 * Number of parts of a row: the linear evaluation, the danger of each side's attack, and one endgame scale for White being ahead and one
 * for Black.
 */
export const SUM_PARTS = 5;

/**
 * Packs a weight index, a coefficient (−256 to 255) and a part into one int32. Throws a RangeError if the index or the coefficient does not
 * fit.
 */
export function packEntry(index: number, coefficient: number, part = 0): number {
  if (coefficient < -COEFFICIENT_MAX - 1 || coefficient > COEFFICIENT_MAX) {
    throw new RangeError(`coefficient ${coefficient} of term ${index} does not fit into ${COEFFICIENT_BITS} bits`);
  }
  if (index < 0 || index > INDEX_MAX) throw new RangeError(`weight index ${index} does not fit into an entry`);
  return (part << PART_SHIFT) | (index << COEFFICIENT_BITS) | (coefficient & 511);
}

/**
 * Returns the part of a packed entry: 0 linear, 1 and 2 the danger of White's and of Black's attack, 3 and 4 the endgame scale with White
 * and with Black ahead.
 */
export const entryPart = (entry: number): number => entry >>> PART_SHIFT;

/** Returns the weight index of a packed entry. */
export const entryIndex = (entry: number): number => (entry >> COEFFICIENT_BITS) & INDEX_MAX;

/** Returns the signed coefficient of a packed entry. */
export const entryCoefficient = (entry: number): number =>
  (entry << (32 - COEFFICIENT_BITS)) >> (32 - COEFFICIENT_BITS);

/**
 * Fills `factors` (pairs of middlegame and endgame values by part, initially 0) with the derivatives of a row's evaluation with respect to
 * the sums of its parts. `mg` and `eg` are the shares of the two phases in the evaluation; a common factor in both multiplies the
 * derivatives.
 */
export function partFactors(
  { partSlopes }: Pick<Linearised, 'partSlopes'>,
  row: number,
  mg: number,
  eg: number,
  factors: Float64Array,
): void {
  const at = SLOPES_PER_ROW * row;
  factors[0] = mg;
  factors[1] = eg * partSlopes[at + 4];
  factors[2] = mg * partSlopes[at];
  factors[3] = eg * partSlopes[at + 1];
  factors[4] = mg * partSlopes[at + 2];
  factors[5] = eg * partSlopes[at + 3];
  factors[7] = eg * Math.max(0, partSlopes[at + 5]);
  factors[9] = eg * Math.min(0, partSlopes[at + 5]);
}

/** Returns the number of positions. */
export const positionCount = (dataset: Dataset): number => dataset.phase.length;

/** Returns the indices of the non-zero coefficients, in order. If `among` is given, examines only these indices. */
export function placesOf(coefficients: ArrayLike<number>, among?: Uint16Array): number[] {
  const places: number[] = [];
  const length = among?.length ?? coefficients.length;
  for (let i = 0; i < length; i++) {
    const at = among === undefined ? i : among[i];
    if (coefficients[at] !== 0) places.push(at);
  }
  return places;
}

/** Collects the positions of a part, game by game. */
export class PartBuilder {
  private readonly offsets = [0];
  private readonly packed: number[] = [];
  private readonly phase: number[] = [];
  private readonly result: number[] = [];
  private readonly game: number[] = [];
  private readonly score: number[] = [];
  private readonly opening: number[] = [];

  /** `terms` is the number of weights, and of coefficients in each part of a row. By default, all coefficients are linear. */
  constructor(private readonly terms = Number.POSITIVE_INFINITY) {}

  /** Starts the next game, to which the following positions belong. */
  startGame(openingHash: number): void {
    this.opening.push(openingHash >>> 0);
  }

  /**
   * Appends a position: dense coefficients by part and weight index, phase 0 to 24, half points and score in centipawns for White. `places`
   * are the indices of the non-zero coefficients.
   */
  add(
    coefficients: Int32Array,
    phase: number,
    result: number,
    score: number,
    places: readonly number[] = placesOf(coefficients),
  ): void {
    const { terms } = this;
    for (const at of places) this.packed.push(packEntry(at % terms, coefficients[at], Math.floor(at / terms)));
    this.offsets.push(this.packed.length);
    this.phase.push(phase);
    this.result.push(result);
    this.game.push(this.opening.length - 1);
    this.score.push(score);
  }

  finish(): Dataset {
    return {
      offsets: Uint32Array.from(this.offsets),
      packed: Int32Array.from(this.packed),
      phase: Uint8Array.from(this.phase),
      result: Uint8Array.from(this.result),
      game: Uint32Array.from(this.game),
      score: Int16Array.from(this.score),
      opening: Uint32Array.from(this.opening),
    };
  }
}

/** Joins parts in the given order into one dataset in shared memory, and renumbers their games. Throws a RangeError if it is too large. */
export function joinParts(parts: readonly Dataset[]): Dataset {
  const entries = parts.reduce((sum, { packed }) => sum + packed.length, 0);
  if (entries > 0xffffffff) throw new RangeError('too many coefficients for 32-bit offsets: sample fewer positions');
  const phase = concatenated(parts, Uint8Array, (part) => part.phase);
  const joined = {
    offsets: new Uint32Array(new SharedArrayBuffer(4 * (phase.length + 1))),
    packed: concatenated(parts, Int32Array, (part) => part.packed),
    phase,
    result: concatenated(parts, Uint8Array, (part) => part.result),
    game: new Uint32Array(new SharedArrayBuffer(4 * phase.length)),
    score: concatenated(parts, Int16Array, (part) => part.score),
    opening: concatenated(parts, Uint32Array, (part) => part.opening),
  };
  let [row, entry, game] = [0, 0, 0];
  for (const part of parts) {
    for (let i = 0; i < part.phase.length; i++, row++) {
      joined.offsets[row + 1] = entry + part.offsets[i + 1];
      joined.game[row] = game + part.game[i];
    }
    entry += part.packed.length;
    game += part.opening.length;
  }
  return joined;
}

/** Returns the arrays of the parts one after another, in shared memory. */
export function concatenated<Part, Numbers extends Int8Array | Uint8Array | Int16Array | Int32Array | Uint32Array>(
  parts: readonly Part[],
  type: { new (memory: SharedArrayBuffer): Numbers; BYTES_PER_ELEMENT: number },
  numbersOf: (part: Part) => ArrayLike<number>,
): Numbers {
  const arrays = parts.map(numbersOf);
  const length = arrays.reduce((sum, array) => sum + array.length, 0);
  const whole = new type(new SharedArrayBuffer(type.BYTES_PER_ELEMENT * length));
  let at = 0;
  for (const array of arrays) {
    whole.set(array, at);
    at += array.length;
  }
  return whole;
}

/** Bytes per call of hash.update(), whose limit is 2 GiB. */
const HASHED = 2 ** 30;

/** Returns the sha256 (hex) of all arrays. It does not depend on the number of workers that traced the positions. */
export function datasetHash(dataset: Dataset): string {
  const hash = createHash('sha256');
  const { offsets, packed, phase, result, game, score, opening, rest, scale } = dataset;
  for (const array of [offsets, packed, phase, result, game, score, opening, rest, scale]) {
    if (array === undefined) continue;
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let at = 0; at < bytes.length; at += HASHED) hash.update(bytes.subarray(at, at + HASHED));
  }
  return hash.digest('hex');
}

/**
 * Returns the number of coefficients of each of the `terms` weights, not counting the rows marked 1 in `except`. A danger or scale weight
 * can have two coefficients in the same row, one for each side.
 */
export function countOccurrences(dataset: Dataset, terms: number, except?: Uint8Array): Uint32Array {
  const { offsets, packed } = dataset;
  const occurrences = new Uint32Array(terms);
  for (let row = 0; row < positionCount(dataset); row++) {
    if (except?.[row] === 1) continue;
    for (let at = offsets[row]; at < offsets[row + 1]; at++) occurrences[entryIndex(packed[at])]++;
  }
  return occurrences;
}
