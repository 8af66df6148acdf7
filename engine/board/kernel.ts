// The board's functions for code outside the kernel: those of the WebAssembly module once it is loaded (search/kernel.ts), until then the
// reference, which is the same source run as it is. Files of the kernel call each other directly.

import * as attacked from './attacked.js';
import * as legality from './legality.js';
import * as makemove from './makemove.js';
import * as material from './material.js';
import type { Move } from './move.js';
import * as movegen from './movegen.js';
import * as placement from './placement.js';
import * as repetition from './repetition.js';
import type { Color, Square } from './types.js';

const REFERENCE = {
  forgetHistory: makemove.forgetHistory,
  generateLegal: movegen.generateLegal,
  hasLegalEp: attacked.hasLegalEp,
  isInCheck: attacked.isInCheck,
  isKingAttacked: attacked.isKingAttacked,
  isLegal: legality.isLegal,
  isMaterialDraw: material.isMaterialDraw,
  makeMove: makemove.makeMove,
  refreshBoards: placement.refreshBoards,
  refreshSums: placement.refreshSums,
  repetitionCount: repetition.repetitionCount,
  unmakeMove: makemove.unmakeMove,
};

/** The functions by name. A module returns 0 and 1 for false and true. */
export type BoardFunctions = typeof REFERENCE;

let functions: BoardFunctions = REFERENCE;

/** Calls the module's functions from now on, or without any the reference. */
export function useBoardFunctions(compiled: BoardFunctions = REFERENCE): void {
  functions = compiled;
}

/** Plays a legal move. */
export function makeMove(move: Move): void {
  functions.makeMove(move);
}

/** Takes back the last move, which must be the one given. */
export function unmakeMove(move: Move): void {
  functions.unmakeMove(move);
}

/** Forgets the moves played so far, which can then not be taken back; nothing is lost right after an irreversible move. */
export function forgetHistory(): void {
  functions.forgetHistory();
}

/** Writes all legal moves from `moves[start]` on and returns the index after the last. */
export function generateLegal(start: number): number {
  return functions.generateLegal(start);
}

/** Returns whether the move is legal; accepts any 16-bit number. */
export function isLegal(move: Move): boolean {
  return Boolean(functions.isLegal(move));
}

/** Returns whether the side to move is in check. */
export function isInCheck(): boolean {
  return Boolean(functions.isInCheck());
}

/** Returns whether the colour's king is attacked. */
export function isKingAttacked(color: Color): boolean {
  return Boolean(functions.isKingAttacked(color));
}

/** Returns whether `us` has a legal en-passant capture onto the square. */
export function hasLegalEp(us: Color, ep: Square): boolean {
  return Boolean(functions.hasLegalEp(us, ep));
}

/** Returns whether no sequence of moves can mate: bare kings, one minor piece, or bishops of one square colour only. */
export function isMaterialDraw(): boolean {
  return Boolean(functions.isMaterialDraw());
}

/** Returns how often the position occurred before, looking back to the last irreversible move, at most to two times. */
export function repetitionCount(): number {
  return functions.repetitionCount();
}

/** Fills the bitboards and king squares from the mailbox. */
export function refreshBoards(): void {
  functions.refreshBoards();
}

/** Computes keys, phase and piece-square sum from mailbox, side to move, castling rights and en-passant square. */
export function refreshSums(): void {
  functions.refreshSums();
}
