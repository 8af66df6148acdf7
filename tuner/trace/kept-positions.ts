// keepPosition() and returnTo(): positions put by while a game is replayed. Which of them a sample takes is known only at its end; making
// the moves a second time would take longer than the copies.

import { bb, state, UNDO_TOP } from '../../engine/board/position.js';
import { undo } from '../../engine/board/workspace.js';

/** Boards, mailbox and scalars, which follow each other in the kernel's memory: all that moves change. */
const position = new Int32Array(bb.buffer, bb.byteOffset, (state.byteOffset - bb.byteOffset) / 4 + state.length);
let kept = new Int32Array(1 << 16);

/** Keeps the position, and the moves that it could repeat an earlier one by, from a place on; returns the next free place. */
export function keepPosition(place: number): number {
  const history = place + position.length;
  const end = history + state[UNDO_TOP];
  if (end > kept.length) {
    const larger = new Int32Array(2 * end);
    larger.set(kept);
    kept = larger;
  }
  kept.set(position, place);
  for (let i = history; i < end; i++) kept[i] = undo[i - history];
  return end;
}

/** Goes back to the position kept at a place, within the same game. */
export function returnTo(place: number): void {
  const history = place + position.length;
  position.set(kept.subarray(place, history));
  undo.set(kept.subarray(history, history + state[UNDO_TOP]));
}
