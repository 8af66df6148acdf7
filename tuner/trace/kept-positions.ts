// keepPosition() and returnTo(): positions put by while a game is replayed. Which of them a sample takes is known only at its end; making
// the moves a second time would take longer than the copies.

import { bb, state, UNDO_TOP } from '../../engine/board/position.js';
import { undoKeys } from '../../engine/board/workspace.js';

/** Boards, mailbox, keys and scalars, which follow each other in the kernel's memory: all that moves change. */
const position = new Int32Array(bb.buffer, bb.byteOffset, (state.byteOffset - bb.byteOffset) / 4 + state.length);
/** The keys of earlier positions as words, four a move. */
const history = new Int32Array(undoKeys.buffer, undoKeys.byteOffset, 2 * undoKeys.length);
let kept = new Int32Array(1 << 16);

/** Keeps the position, and the keys that it could repeat an earlier one by, from a place on; returns the next free place. */
export function keepPosition(place: number): number {
  const start = place + position.length;
  const words = 4 * state[UNDO_TOP];
  const end = start + words;
  if (end > kept.length) {
    const larger = new Int32Array(2 * end);
    larger.set(kept);
    kept = larger;
  }
  kept.set(position, place);
  for (let i = 0; i < words; i++) kept[start + i] = history[i];
  return end;
}

/** Goes back to the position kept at a place, within the same game. No move before it can be taken back. */
export function returnTo(place: number): void {
  const start = place + position.length;
  position.set(kept.subarray(place, start));
  history.set(kept.subarray(start, start + 4 * state[UNDO_TOP]));
}
