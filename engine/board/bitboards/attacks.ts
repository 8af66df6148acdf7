// Slider attacks by folded 32-bit magics: the relevant occupancy of each half is multiplied apart and the products are XORed, which needs
// no 64-bit arithmetic and was the fastest of five methods in V8.

import { MAGIC_HI, MAGIC_LO, MASK_HI, MASK_LO, OFFSET, SHIFT, STRIDE, sliderMagics } from './attack-tables.js';
import { foldedOffset } from './bitboard.js';

/** Returns where in SLIDER_ATTACKS the attacks of a rook lie. */
export function rookIndex(square: Square, occLo: i32, occHi: i32): i32 {
  const m = square * STRIDE;
  const lo = occLo & sliderMagics[m + MASK_LO];
  const hi = occHi & sliderMagics[m + MASK_HI];
  return (
    sliderMagics[m + OFFSET] +
    foldedOffset(lo, hi, sliderMagics[m + MAGIC_LO], sliderMagics[m + MAGIC_HI], sliderMagics[m + SHIFT])
  );
}

/** Returns where in SLIDER_ATTACKS the attacks of a bishop lie. */
export function bishopIndex(square: Square, occLo: i32, occHi: i32): i32 {
  return rookIndex(square + 64, occLo, occHi);
}
