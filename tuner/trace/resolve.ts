// playToQuiet(): resolves a position to a quiet one, whose static evaluation is more reliable.

import { makeMove } from '../../engine/board/kernel.js';
import type { Move } from '../../engine/board/move.js';
import { type Limits, MATE_BOUND, resolveQuiet, search } from '../../engine/engine.js';
import type { FilterSettings } from './sample.js';

/** Goes to the quiet position that the present one resolves to, a search keeping to the limits; returns the moves that led there. */
export function playToQuiet(resolve: FilterSettings['resolve'], limits: Limits): Move[] {
  const line: Move[] = [];
  const play = (moves: readonly Move[]): void => {
    for (const move of moves) makeMove(move);
    line.push(...moves);
  };
  if (resolve === 'search') {
    let pv: Move[] = [];
    const { score } = search(limits, (info) => {
      pv = info.pv;
    });
    if (Math.abs(score) < MATE_BOUND) play(pv);
  }
  if (resolve !== 'none') play(resolveQuiet());
  return line;
}
