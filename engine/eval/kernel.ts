// Evaluation functions for code outside the kernel, as in board/kernel.ts for the board.

import { state } from '../board/position.js';
import type * as tracing from './candidates.js';
import type * as playing from './evaluate.js';
import { egOf, MAX_PHASE, mgOf, taper } from './score.js';

/** The functions by name. WebAssembly returns 0 and 1 for booleans. */
type EvaluationFunctions = Pick<typeof playing, 'evaluate'> &
  Pick<typeof tracing, 'countCandidate' | 'isKnownEndgame' | 'packedScore' | 'tracedScore'>;

const loaded: Partial<EvaluationFunctions> = {};

/** Installs functions for the exports below. The playing module has `evaluate` and `packedScore`; trace.wasm has all but `evaluate`. */
export function useEvaluation(functions: Partial<EvaluationFunctions>): void {
  Object.assign(loaded, functions);
}

function loadedFunction<Name extends keyof EvaluationFunctions>(name: Name): EvaluationFunctions[Name] {
  const found = loaded[name];
  if (found === undefined) throw new Error(`no kernel with ${name}() is loaded: import kernel-node.js first`);
  return found as EvaluationFunctions[Name];
}

/** Returns the static evaluation in centipawns for the side to move. */
export function evaluate(): number {
  return loadedFunction('evaluate')();
}

/** Returns the phase, from 24 with all pieces to 0 with pawns only. */
export function gamePhase(): number {
  return Math.min(state.phase, MAX_PHASE);
}

/** Values in centipawns before tapering, White minus Black. */
export interface RawScore {
  mg: number;
  eg: number;
}

/** Returns the middlegame and endgame values before tapering. */
export function rawScore(): RawScore {
  const packed = loadedFunction('packedScore')();
  return { mg: mgOf(packed), eg: egOf(packed) };
}

/** Clears the trace (workspace.ts), evaluates into it, and returns the value in centipawns from White's side, without endgame knowledge. */
export function traceEvaluate(): number {
  const packed = loadedFunction('tracedScore')();
  return taper(mgOf(packed), egOf(packed), gamePhase());
}

/** Returns whether endgame knowledge would change a lead of either side in the current position; the tuner skips such positions. */
export function isKnown(): boolean {
  return Boolean(loadedFunction('isKnownEndgame')());
}

/** Returns a side's count of a candidate feature (candidates.ts) in the position evaluated last. */
export function candidateCount(feature: number, us: Color): number {
  return loadedFunction('countCandidate')(feature, us);
}
