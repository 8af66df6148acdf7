// Evaluations as the tuner looks at them: before tapering, and into a trace.

import { gamePhase, packedScore } from './evaluate.js';
import { egOf, mgOf, taper } from './score.js';
import { traceCounts } from './trace.js';

/** Returns the middlegame and endgame values before tapering, White minus Black. */
export function rawScore(): { mg: number; eg: number } {
  const packed = packedScore();
  return { mg: mgOf(packed), eg: egOf(packed) };
}

/** Evaluates into a fresh trace (see trace.ts) and returns the value in centipawns from White's side. */
export function traceEvaluate(): number {
  traceCounts.fill(0);
  const { mg, eg } = rawScore();
  return taper(mg, eg, gamePhase());
}
