// Board functions for code outside the kernel: the WebAssembly versions, installed by search/kernel.ts, or the JavaScript versions,
// installed by test/engine/kernel/reference.ts or library/browser-engine.ts. Kernel files call each other directly.

import type * as attacked from './attacked.js';
import type * as draws from './draws.js';
import type * as legality from './legality.js';
import type * as makemove from './makemove.js';
import type * as movegen from './movegen.js';
import type * as placement from './placement.js';

/** The functions by name. WebAssembly returns 0 and 1 for booleans. */
type BoardFunctions = Pick<typeof attacked, 'hasLegalEp' | 'isInCheck' | 'isKingAttacked'> &
  Pick<typeof legality, 'isLegal'> &
  Pick<typeof makemove, 'makeMove' | 'unmakeMove'> &
  Pick<typeof draws, 'isMaterialDraw' | 'repetitionCount'> &
  Pick<typeof movegen, 'generateLegal' | 'perft'> &
  Pick<typeof placement, 'refreshBoards' | 'refreshSums'>;

const missing = (): never => {
  throw new Error('no kernel is loaded: import kernel-node.js first');
};

/** The functions; each is documented where it is defined. */
export let {
  generateLegal,
  hasLegalEp,
  isInCheck,
  isKingAttacked,
  isLegal,
  isMaterialDraw,
  makeMove,
  refreshBoards,
  refreshSums,
  repetitionCount,
  unmakeMove,
} = new Proxy({} as BoardFunctions, { get: () => missing });
/** Returns the number of leaves at a depth in plies, or fewer if stopped. With `bulk`, the last ply is counted without being played. */
export let perft: (depth: number, bulk: boolean) => number = missing;

/** Installs the functions that the exports above call. */
export function useBoardFunctions(functions: BoardFunctions): void {
  ({ generateLegal, makeMove, refreshBoards, refreshSums, repetitionCount, unmakeMove } = functions);
  isLegal = (move) => Boolean(functions.isLegal(move));
  isInCheck = () => Boolean(functions.isInCheck());
  isKingAttacked = (color) => Boolean(functions.isKingAttacked(color));
  hasLegalEp = (us, ep) => Boolean(functions.hasLegalEp(us, ep));
  isMaterialDraw = () => Boolean(functions.isMaterialDraw());
  perft = (depth, bulk) => functions.perft(depth, bulk, 0);
}
