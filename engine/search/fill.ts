// Fills all constant tables of the kernel: once for each thread, as each has a memory of its own.

import { fillAttackTables } from '../board/bitboards/fill.js';
import { fillReversals } from '../board/repetition.js';
import { fillEvaluationTables } from '../eval/fill.js';

/** Fills the tables. Doing so again changes nothing. */
export function fillTables(): void {
  fillAttackTables();
  fillReversals();
  fillEvaluationTables();
}
