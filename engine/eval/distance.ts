// How far a king has to go, looked up: a table of 4 KB is faster than comparisons whose outcome nobody can foretell.

/** Moves of a king between two squares: entry `a << 6 | b`. */
export const KING_DISTANCE = new Uint8Array(64 * 64);
for (let a = 0; a < 64; a++) {
  for (let b = 0; b < 64; b++) {
    KING_DISTANCE[(a << 6) | b] = Math.max(Math.abs((a & 7) - (b & 7)), Math.abs((a >> 3) - (b >> 3)));
  }
}
