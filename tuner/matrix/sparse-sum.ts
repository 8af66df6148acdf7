// SparseSum: the sum of factor · tapered coefficients over some rows, with a list of the terms that occur in it.

import {
  entryCoefficient,
  entryIndex,
  entryPart,
  type Linearised,
  partFactors,
  SUM_PARTS,
} from '../dataset/dataset.js';

/** The fields of a dataset that a sum reads. */
export type SparseRows = Pick<Linearised, 'offsets' | 'packed' | 'phase' | 'partSlopes'>;

/** A sum with more terms usually comes from several rows, so its terms are far from sorted. */
const MANY_TERMS = 128;

export class SparseSum {
  /** The first `size` entries are the terms that occur, in ascending order after sort(). */
  readonly terms: Uint32Array;
  size = 0;
  /** Pairs of middlegame and endgame values, by term. */
  readonly values: Float64Array;
  private readonly isPresent: Uint8Array;
  private readonly factors = new Float64Array(2 * SUM_PARTS);

  constructor(
    private readonly rows: SparseRows,
    terms: number,
  ) {
    this.terms = new Uint32Array(terms);
    this.values = new Float64Array(2 * terms);
    this.isPresent = new Uint8Array(terms);
  }

  /** Adds factor · coefficients of a row. */
  add(row: number, factor: number): void {
    if (factor === 0) return;
    const { rows, factors, values, terms, isPresent } = this;
    const { offsets, packed, phase } = rows;
    const mg = (factor * phase[row]) / 24;
    partFactors(rows, row, mg, factor - mg, factors);
    for (let at = offsets[row], end = offsets[row + 1]; at < end; at++) {
      const entry = packed[at];
      const part = 2 * entryPart(entry);
      // The scale of the side that is behind has no effect
      if (factors[part] === 0 && factors[part + 1] === 0) continue;
      const term = entryIndex(entry);
      const coefficient = entryCoefficient(entry);
      if (isPresent[term] === 0) {
        isPresent[term] = 1;
        terms[this.size++] = term;
      }
      values[2 * term] += coefficient * factors[part];
      values[2 * term + 1] += coefficient * factors[part + 1];
    }
  }

  clear(): void {
    const { terms, values, isPresent } = this;
    for (let i = 0; i < this.size; i++) {
      values[2 * terms[i]] = values[2 * terms[i] + 1] = 0;
      isPresent[terms[i]] = 0;
    }
    this.size = 0;
  }

  sort(): void {
    const { terms, size } = this;
    if (size > MANY_TERMS) {
      terms.subarray(0, size).sort();
      return;
    }
    // Insertion sort is fast, because the terms of a single row are nearly sorted
    for (let i = 1; i < size; i++) {
      const term = terms[i];
      let place = i;
      for (; place > 0 && terms[place - 1] > term; place--) terms[place] = terms[place - 1];
      terms[place] = term;
    }
  }
}
