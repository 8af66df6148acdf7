// Slider attacks by folded 32-bit magics: the relevant occupancy of each half is multiplied apart and the products are XORed, which needs
// no 64-bit arithmetic and was the fastest of five methods in V8. WebAssembly, which has that arithmetic, does without (wasm/attacks.ts).

import {
  MAGIC_HI,
  MAGIC_LO,
  MASK_HI,
  MASK_LO,
  OFFSET,
  SHIFT,
  SLIDER_ATTACKS,
  STRIDE,
  sliderMagics,
} from './attack-tables.js';
import { foldedOffset } from './bitboard.js';

// Rooks are the sliders 0 to 63, bishops 64 to 127
function sliderAttacks(slider: i32, occLo: i32, occHi: i32): Attacks {
  const m = slider * STRIDE;
  const lo = occLo & sliderMagics[m + MASK_LO];
  const hi = occHi & sliderMagics[m + MASK_HI];
  return (
    sliderMagics[m + OFFSET] +
    foldedOffset(lo, hi, sliderMagics[m + MAGIC_LO], sliderMagics[m + MAGIC_HI], sliderMagics[m + SHIFT])
  );
}

/** Returns the squares that a rook attacks. */
export function rookAttacks(square: Square, occLo: i32, occHi: i32): Attacks {
  return sliderAttacks(square, occLo, occHi);
}

/** Returns the squares that a bishop attacks. */
export function bishopAttacks(square: Square, occLo: i32, occHi: i32): Attacks {
  return sliderAttacks(square + 64, occLo, occHi);
}

/** Returns the low half of attacks. */
export function lowHalf(attacks: Attacks): i32 {
  return SLIDER_ATTACKS[attacks];
}

/** Returns the high half of attacks. */
export function highHalf(attacks: Attacks): i32 {
  return SLIDER_ATTACKS[attacks + 1];
}
