// layOutRows(): the encoding of the rows for the passes. Nine in ten coefficients are 1 or −1. Each of these is a two-byte reference into a
// table of the weights and their negatives, and needs no multiplication. Any other coefficient is stored as its term and its value. A row
// consists of five consecutive parts (dataset.ts): linear, White's danger, Black's danger, White's scale, Black's scale.
//
// Word 0 of a part contains the number of quadruples of references and the number of other coefficients, 16 bits each. Then come the
// references, `term` for a coefficient of 1 and `terms + 1 + term` for −1, padded to whole quadruples with `terms`, whose weight is 0. The
// other coefficients are pairs of term and coefficient.
//
// A pass over rows in this encoding takes 60 % of the time of a pass over packed entries.

import { type Dataset, entryCoefficient, entryIndex, entryPart, SUM_PARTS } from '../dataset/dataset.js';

/** Maximum number of terms for which references of both signs fit into 16 bits. */
const TERMS_MAX = 32_766;

/** Returns the maximum number of 32-bit words for `rows` rows with this many coefficients. */
export const wordsAtMost = (rows: number, coefficients: number): number => 3 * SUM_PARTS * rows + coefficients;

/** Throws a RangeError for data that exceed 16-bit or 32-bit indices. */
export function checkSize({ offsets, phase, packed }: Dataset, terms: number): void {
  if (terms > TERMS_MAX) throw new RangeError(`${terms} terms are too many for references of 16 bits`);
  const words = wordsAtMost(phase.length, packed.length);
  if (words > 0xffffffff || offsets.length === 0) throw new RangeError('too many coefficients: sample fewer positions');
}

/** Encodes the rows from `from` to `to` (exclusive), and stores the start of each, counted in 32-bit words. */
export function layOutRows(
  { offsets, packed }: Pick<Dataset, 'offsets' | 'packed'>,
  terms: number,
  [starts, stream]: [Uint32Array, Uint16Array],
  from: number,
  to: number,
): void {
  const negative = terms + 1;
  const others = new Uint16Array(2 * terms + 2);
  let at = 2 * wordsAtMost(from, offsets[from]);
  for (let row = from; row < to; row++) {
    starts[row] = at / 2;
    let place = offsets[row];
    for (let part = 0; part < SUM_PARTS; part++) {
      const head = at;
      at += 2;
      let other = 0;
      for (; place < offsets[row + 1] && entryPart(packed[place]) === part; place++) {
        const entry = packed[place];
        const coefficient = entryCoefficient(entry);
        // Branch-free, because a branch would often be mispredicted
        const isOther = coefficient * coefficient === 1 ? 0 : 1;
        stream[at] = entryIndex(entry) + ((coefficient >> 1) & negative);
        others[other] = entryIndex(entry);
        others[other + 1] = coefficient;
        at += 1 - isOther;
        other += 2 * isOther;
      }
      while (((at - head) & 3) !== 2) stream[at++] = terms;
      stream[head] = (at - head - 2) >> 2;
      stream[head + 1] = other >> 1;
      for (let i = 0; i < other; i++) stream[at++] = others[i];
    }
  }
}
