// The evaluation for code outside the kernel, as board/kernel.ts has the board: compiled once a module is loaded, else the reference.

import type { Color } from '../board/types.js';
import { countCandidate } from './candidates.js';
import { isKnownEndgame } from './endgame/endgame.js';
import * as reference from './evaluate.js';
import { gamePhase } from './evaluate.js';
import { egOf, mgOf, taper } from './score.js';

const REFERENCE = {
  /** Exported by the module that plays. */
  evaluate: reference.evaluate,
  /** Exported by the tuner's module, as are the others. */
  packedScore: reference.packedScore,
  tracedScore: reference.tracedScore,
  isKnownEndgame,
  countCandidate,
};

/** The functions by name. A module returns 0 and 1 for false and true. */
export type EvaluationFunctions = typeof REFERENCE;

let functions: EvaluationFunctions = REFERENCE;

/** Calls these functions of a module from now on, or without any the reference. */
export function useEvaluation(compiled: Partial<EvaluationFunctions> = REFERENCE): void {
  functions = { ...functions, ...compiled };
}

/** Returns the static evaluation in centipawns for the side to move. */
export function evaluate(): number {
  return functions.evaluate();
}

/** Values before tapering in centipawns, White minus Black. */
export interface RawScore {
  mg: number;
  eg: number;
}

/** Returns the middlegame and endgame values before tapering. */
export function rawScore(): RawScore {
  return unpacked(functions.packedScore());
}

/** Evaluates into a cleared trace (trace-counts.ts) and returns the value in centipawns from White's side. */
export function traceEvaluate(): number {
  const { mg, eg } = unpacked(functions.tracedScore());
  return taper(mg, eg, gamePhase());
}

/** Returns whether knowledge decides the present endgame for a side that the weights may favour; the tuner leaves it out. */
export function isKnown(): boolean {
  return Boolean(functions.isKnownEndgame());
}

/** Returns a side's count of a candidate feature (candidates.ts) in the position evaluated last. */
export function candidateCount(feature: number, us: Color): number {
  return functions.countCandidate(feature, us);
}

const unpacked = (packed: number): RawScore => ({ mg: mgOf(packed), eg: egOf(packed) });
