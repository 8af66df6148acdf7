// The board's functions for code outside the kernel, from the loaded WebAssembly module (search/kernel.ts) or JavaScript
// (test/engine/kernel/reference.ts, library/browser.ts). Kernel files call each other directly.

import type * as attacked from './attacked.js';
import type * as draws from './draws.js';
import type * as legality from './legality.js';
import type * as makemove from './makemove.js';
import type * as movegen from './movegen.js';
import type * as placement from './placement.js';

/** The functions by name. Modules return 0 and 1 for booleans. */
export type BoardFunctions = Pick<typeof attacked, 'hasLegalEp' | 'isInCheck' | 'isKingAttacked'> &
  Pick<typeof legality, 'isLegal'> &
  Pick<typeof makemove, 'makeMove' | 'unmakeMove'> &
  Pick<typeof draws, 'isMaterialDraw' | 'repetitionCount'> &
  Pick<typeof movegen, 'generateLegal' | 'perft'> &
  Pick<typeof placement, 'refreshBoards' | 'refreshSums'>;

const missing = (): never => {
  throw new Error('no kernel is loaded: import kernel-node.js first');
};

/** Plays a legal move. */
export let makeMove: BoardFunctions['makeMove'] = missing;
/** Unmakes the last move, which must be the given one. */
export let unmakeMove: BoardFunctions['unmakeMove'] = missing;
/** Writes all legal moves from `moves[start]` on and returns the index after the last. */
export let generateLegal: BoardFunctions['generateLegal'] = missing;
/** Returns whether the move is legal; accepts any 16-bit number. */
export let isLegal: BoardFunctions['isLegal'] = missing;
/** Returns whether the side to move is in check. */
export let isInCheck: BoardFunctions['isInCheck'] = missing;
/** Returns whether the colour's king is attacked. */
export let isKingAttacked: BoardFunctions['isKingAttacked'] = missing;
/** Returns whether `us` has a legal en-passant capture onto the square. */
export let hasLegalEp: BoardFunctions['hasLegalEp'] = missing;
/** Returns whether no sequence of moves can mate: bare kings, one minor piece, or bishops of one square colour only. */
export let isMaterialDraw: BoardFunctions['isMaterialDraw'] = missing;
/** Returns how often the position occurred since the last irreversible move: 0, 1, or 2 for twice and more. */
export let repetitionCount: BoardFunctions['repetitionCount'] = missing;
/** Fills the bitboards and king squares from the mailbox. */
export let refreshBoards: BoardFunctions['refreshBoards'] = missing;
/** Computes keys, phase and piece-square sum from mailbox, side to move, castling rights and en-passant square. */
export let refreshSums: BoardFunctions['refreshSums'] = missing;
/** Returns the number of leaves at the depth in plies, fewer once stopped; with `bulk`, the last ply is counted without being played. */
export let perft: (depth: number, bulk: boolean) => number = missing;

/** Installs the functions. */
export function useBoardFunctions(functions: BoardFunctions): void {
  ({ generateLegal, makeMove, refreshBoards, refreshSums, repetitionCount, unmakeMove } = functions);
  isLegal = (move) => Boolean(functions.isLegal(move));
  isInCheck = () => Boolean(functions.isInCheck());
  isKingAttacked = (color) => Boolean(functions.isKingAttacked(color));
  hasLegalEp = (us, ep) => Boolean(functions.hasLegalEp(us, ep));
  isMaterialDraw = () => Boolean(functions.isMaterialDraw());
  perft = (depth, bulk) => functions.perft(depth, bulk, 0);
}
