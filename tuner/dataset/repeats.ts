// findRepeats(): positions that occur more than once, found by their Zobrist keys. No evaluation can predict different results of the same
// position.

import type { Dataset } from './dataset.js';

export interface Repeats {
  /** For each row, the first row with the same position. */
  first: Uint32Array;
  /** Distinct positions. */
  distinct: number;
  /** Distinct positions that occur more than once, and how many of these have different results. */
  repeated: number;
  contradicting: number;
  /** The first ten contradictions: `first` is the first row of a position, and `row` its first row with a different result. */
  examples: { row: number; first: number }[];
}

const MAX_EXAMPLES = 10;

/** Returns the repeats among the rows. `keys` contains two words per row, low then high. */
export function findRepeats(keys: Uint32Array, result: Uint8Array): Repeats {
  const rows = result.length;
  const slots = 2 ** Math.ceil(Math.log2(2 * rows + 2));
  // Hash table: 1 + the first row of a position, or 0 if empty. Zobrist keys are random, so their low bits are the hash
  const table = new Uint32Array(slots);
  const first = new Uint32Array(rows);
  const state = new Uint8Array(rows);
  const found: Repeats = { first, distinct: 0, repeated: 0, contradicting: 0, examples: [] };
  for (let row = 0; row < rows; row++) {
    const low = keys[2 * row];
    const high = keys[2 * row + 1];
    let slot = low & (slots - 1);
    while (table[slot] !== 0 && (keys[2 * table[slot] - 2] !== low || keys[2 * table[slot] - 1] !== high)) {
      slot = (slot + 1) & (slots - 1);
    }
    if (table[slot] === 0) {
      table[slot] = row + 1;
      first[row] = row;
      found.distinct++;
      continue;
    }
    const same = table[slot] - 1;
    first[row] = same;
    if (state[same] === 0) {
      state[same] = 1;
      found.repeated++;
    }
    if (state[same] === 1 && result[same] !== result[row]) {
      state[same] = 2;
      found.contradicting++;
      if (found.examples.length < MAX_EXAMPLES) found.examples.push({ row, first: same });
    }
  }
  return found;
}

/**
 * Moves the rows from `begin` to `end` (exclusive) to the game of the first row with the same position, so repetitions are on one side of a
 * split and count as one observation. Used for lines that name no games.
 */
export function joinRepeats({ game }: Pick<Dataset, 'game'>, first: Uint32Array, begin: number, end: number): void {
  for (let row = begin; row < end; row++) game[row] = game[first[row]];
}

/** Returns the rows in an order in which those of a game are adjacent. */
export function rowsByGame({ game }: Pick<Dataset, 'game'>): Uint32Array {
  const rows = Uint32Array.from(game.keys());
  return game.every((number, row) => row === 0 || number >= game[row - 1])
    ? rows
    : rows.sort((a, b) => game[a] - game[b] || a - b);
}

/** Returns for each row the first row with the same position and the same `side`. */
export function firstOnSide(first: Uint32Array, side: Uint8Array): Uint32Array {
  // Each side's array maps the first row of a position on any side to 1 + its first row on this side, or 0 if there is none
  const others: Uint32Array[] = [];
  return first.map((same, row) => {
    if (side[same] === side[row]) return same;
    others[side[row]] ??= new Uint32Array(first.length);
    const other = others[side[row]];
    if (other[same] === 0) other[same] = row + 1;
    return other[same] - 1;
  });
}
