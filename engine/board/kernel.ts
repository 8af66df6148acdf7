// The board's functions for code outside the kernel, from the WebAssembly module (search/kernel.ts) or as JavaScript
// (test/engine/kernel/reference.ts, library/browser.ts), whichever the program has loaded. Kernel files call each other directly.

import type * as attacked from './attacked.js';
import type * as draws from './draws.js';
import type * as legality from './legality.js';
import type * as makemove from './makemove.js';
import type { Move } from './move.js';
import type * as movegen from './movegen.js';
import type * as placement from './placement.js';
import type { Color, Square } from './types.js';

/** The functions by name. A module returns 0 and 1 for false and true. */
export type BoardFunctions = Pick<typeof attacked, 'hasLegalEp' | 'isInCheck' | 'isKingAttacked'> &
  Pick<typeof legality, 'isLegal'> &
  Pick<typeof makemove, 'forgetHistory' | 'makeMove' | 'unmakeMove'> &
  Pick<typeof draws, 'isMaterialDraw' | 'repetitionCount'> &
  Pick<typeof movegen, 'generateLegal' | 'perft'> &
  Pick<typeof placement, 'refreshBoards' | 'refreshSums'>;

let loaded: BoardFunctions | undefined;

/** Installs the functions. */
export function useBoardFunctions(functions: BoardFunctions): void {
  loaded = functions;
}

function functions(): BoardFunctions {
  if (loaded === undefined) throw new Error('no kernel is loaded: import kernel-node.js first');
  return loaded;
}

/** Plays a legal move. */
export function makeMove(move: Move): void {
  functions().makeMove(move);
}

/** Unmakes the last move, which must be the given one. */
export function unmakeMove(move: Move): void {
  functions().unmakeMove(move);
}

/** Clears the undo records. The moves played so far can no longer be unmade, and repetitions before this point are forgotten. */
export function forgetHistory(): void {
  functions().forgetHistory();
}

/** Writes all legal moves from `moves[start]` on and returns the index after the last. */
export function generateLegal(start: number): number {
  return functions().generateLegal(start);
}

/** Returns whether the move is legal; accepts any 16-bit number. */
export function isLegal(move: Move): boolean {
  return Boolean(functions().isLegal(move));
}

/** Returns whether the side to move is in check. */
export function isInCheck(): boolean {
  return Boolean(functions().isInCheck());
}

/** Returns whether the colour's king is attacked. */
export function isKingAttacked(color: Color): boolean {
  return Boolean(functions().isKingAttacked(color));
}

/** Returns whether `us` has a legal en-passant capture onto the square. */
export function hasLegalEp(us: Color, ep: Square): boolean {
  return Boolean(functions().hasLegalEp(us, ep));
}

/** Returns whether no sequence of moves can mate: bare kings, one minor piece, or bishops of one square colour only. */
export function isMaterialDraw(): boolean {
  return Boolean(functions().isMaterialDraw());
}

/** Returns how often the position occurred since the last irreversible move: 0, 1, or 2 for twice and more. */
export function repetitionCount(): number {
  return functions().repetitionCount();
}

/** Fills the bitboards and king squares from the mailbox. */
export function refreshBoards(): void {
  functions().refreshBoards();
}

/** Computes keys, phase and piece-square sum from mailbox, side to move, castling rights and en-passant square. */
export function refreshSums(): void {
  functions().refreshSums();
}

/** Returns the number of leaves at the depth in plies, fewer once stopped; with `bulk`, the last ply is counted without being played. */
export function perft(depth: number, bulk: boolean): number {
  return functions().perft(depth, bulk, 0);
}
