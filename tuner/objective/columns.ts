// columnsOf() returns the coefficients by term instead of by position (CSC). Searches that move one weight at a time then read only the
// positions in which its term occurs.

import { type Dataset, entryCoefficient, entryIndex, entryPart, positionCount } from '../dataset/dataset.js';

export interface Columns {
  /** 1 for terms of danger and scale, which act through curves and have no columns. */
  isBent: Uint8Array;
  /** The rows and coefficients of a term, as views of shared memory. */
  of(term: number): { rows: Uint32Array; coefficients: Int16Array };
}

/** Returns the columns of the data, at six bytes per coefficient. */
export function columnsOf(dataset: Dataset, terms: number): Columns {
  const { offsets, packed } = dataset;
  const starts = new Float64Array(terms + 1);
  const isBent = new Uint8Array(terms);
  for (const entry of packed) {
    if (entryPart(entry) === 0) starts[entryIndex(entry) + 1]++;
    else isBent[entryIndex(entry)] = 1;
  }
  for (let term = 0; term < terms; term++) starts[term + 1] += starts[term];

  const rows = new Uint32Array(new SharedArrayBuffer(4 * packed.length));
  const coefficients = new Int16Array(new SharedArrayBuffer(2 * packed.length));
  const next = starts.slice();
  for (let row = 0; row < positionCount(dataset); row++) {
    for (let at = offsets[row]; at < offsets[row + 1] && entryPart(packed[at]) === 0; at++) {
      const place = next[entryIndex(packed[at])]++;
      rows[place] = row;
      coefficients[place] = entryCoefficient(packed[at]);
    }
  }
  return {
    isBent,
    of: (term) => ({
      rows: rows.subarray(starts[term], starts[term + 1]),
      coefficients: coefficients.subarray(starts[term], starts[term + 1]),
    }),
  };
}
