// The kernel run as JavaScript, for tests and debugging. It works on the same tables as the compiled kernel, so one can
// continue where the other stopped.

import { useBoardFunctions } from '../board/kernel.js';
import { BOARD_REFERENCE } from '../board/reference.js';
import { countCandidate } from '../eval/candidates.js';
import { isKnownEndgame } from '../eval/endgame/endgame.js';
import { evaluate, packedScore, tracedScore } from '../eval/evaluate.js';
import { useEvaluation } from '../eval/kernel.js';
import { useSearch } from './kernel.js';
import { fillTables } from './module.js';
import { qsearch } from './qsearch.js';
import { alphaBeta } from './search.js';
import { startAtRoot } from './step.js';
import { clearInts, table } from './tt/tt-memory.js';

/** Makes the reference the kernel in use. */
export function useReference(): void {
  table.clear = clearInts;
  useSearch({ alphaBeta, fillTables, qsearch, startAtRoot });
  fillTables();
  useBoardFunctions(BOARD_REFERENCE);
  useEvaluation({ countCandidate, evaluate, isKnownEndgame, packedScore, tracedScore });
}
