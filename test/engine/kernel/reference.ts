// Runs the kernel as JavaScript, for tests and debugging: slow, but exact. It works on the same tables as the compiled kernel, so each
// can continue where the other stopped.

import { useBoardFunctions } from '../../../engine/board/kernel.js';
import * as counting from '../../../engine/eval/candidates.js';
import { useEvaluation } from '../../../engine/eval/kernel.js';
import { useSearch } from '../../../engine/search/kernel.js';
import * as playing from '../../../engine/search/module.js';
import { clearInts, table } from '../../../engine/search/tt/memory.js';

/** Makes the reference the kernel in use. */
export function useReference(): void {
  table.clear = clearInts;
  useSearch(playing);
  playing.fillTables();
  useBoardFunctions(playing);
  useEvaluation({ ...counting, evaluate: playing.evaluate });
}
